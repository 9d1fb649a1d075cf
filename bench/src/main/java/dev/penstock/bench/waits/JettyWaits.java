package dev.penstock.bench.waits;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Jetty as a {@link WaitServer}, with a servlet that holds its platform thread, or an asynchronous one that answers
 * from a scheduler.
 */
final class JettyWaits {
    /** For the most requests at once that are measured. */
    private static final int THREADS = 1200;

    private static final ScheduledExecutorService LATER = Executors.newScheduledThreadPool(16);

    private JettyWaits() {}

    static int start(boolean asynchronous) throws Exception {
        Server server =
                new Server(asynchronous ? new QueuedThreadPool() : new QueuedThreadPool(THREADS));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(WaitServer.BACKLOG);
        connector.setIdleTimeout(TimeUnit.MINUTES.toMillis(5));
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        ServletHolder waiting =
                new ServletHolder(servlet(asynchronous ? JettyWaits::suspend : JettyWaits::block));
        waiting.setAsyncSupported(asynchronous);
        context.addServlet(waiting, "/hi");
        Get plain = (_, response) -> answer(response, WaitServer.PLAIN);
        context.addServlet(new ServletHolder(servlet(plain)), "/plain");
        server.setHandler(context);
        server.start();
        return connector.getLocalPort();
    }

    private static void answer(HttpServletResponse response, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        response.setContentType("text/plain");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private static long milliseconds(HttpServletRequest request) {
        return Long.parseLong(request.getParameter("wait"));
    }

    /** A servlet's answer to a request. */
    private interface Get {
        void answer(HttpServletRequest request, HttpServletResponse response) throws IOException;
    }

    private static HttpServlet servlet(Get get) {
        return new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                get.answer(request, response);
            }
        };
    }

    private static void block(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        long wait = milliseconds(request);
        try {
            Thread.sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        answer(response, WaitServer.waited(wait));
    }

    private static void suspend(HttpServletRequest request, HttpServletResponse response) {
        long wait = milliseconds(request);
        AsyncContext waiting = request.startAsync();
        waiting.setTimeout(TimeUnit.MINUTES.toMillis(5));
        var _ =
                LATER.schedule(
                        () -> complete(waiting, response, wait), wait, TimeUnit.MILLISECONDS);
    }

    private static void complete(AsyncContext waiting, HttpServletResponse response, long wait) {
        try {
            answer(response, WaitServer.waited(wait));
        } catch (IOException e) {
            // The client has gone.
        } finally {
            waiting.complete();
        }
    }
}
