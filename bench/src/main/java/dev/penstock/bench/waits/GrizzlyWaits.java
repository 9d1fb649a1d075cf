package dev.penstock.bench.waits;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;

/** Grizzly as a {@link WaitServer}, with responses that are suspended; it is asked for nothing else. */
final class GrizzlyWaits {
    private GrizzlyWaits() {}

    static int start() throws IOException {
        HttpServer server = new HttpServer();
        NetworkListener listener = new NetworkListener("waits", "127.0.0.1", 0);
        listener.getTransport().setServerConnectionBackLog(WaitServer.BACKLOG);
        listener.getKeepAlive().setIdleTimeoutInSeconds(300);
        listener.getKeepAlive().setMaxRequestsCount(-1);
        server.addListener(listener);
        server.getServerConfiguration().addHttpHandler(new Waiting(), "/hi");
        server.start();
        return listener.getPort();
    }

    private static final class Waiting extends HttpHandler {
        private static final ScheduledExecutorService LATER = Executors.newScheduledThreadPool(16);

        @Override
        public void service(Request request, Response response) {
            long wait = Long.parseLong(request.getParameter("wait"));
            response.suspend();
            var _ = LATER.schedule(() -> resume(response, wait), wait, TimeUnit.MILLISECONDS);
        }

        private static void resume(Response response, long wait) {
            try {
                byte[] bytes = WaitServer.waited(wait).getBytes(UTF_8);
                response.setContentType("text/plain");
                response.setContentLength(bytes.length);
                response.getOutputStream().write(bytes);
            } catch (IOException e) {
                // The client has gone.
            } finally {
                response.resume();
            }
        }
    }
}
