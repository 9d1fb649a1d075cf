package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Admission;
import dev.penstock.http.Handler;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.RawClient.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the end of a server. */
@Timeout(60)
final class StopIT extends ServerFixture {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void close_whileAResponseRuns_letsItFinishAndRefusesWhatWaits() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Handler handler =
                x -> {
                    go.await();
                    x.respond(200, "text/plain", "done");
                };
        Server server =
                start(b ->
                        b.admission(new Admission(1, 9, Duration.ofMinutes(1)))
                                .stopWithin(Duration.ofMinutes(5))
                                .get("/", handler));
        try (RawClient idle = new RawClient(server.port());
                RawClient running = new RawClient(server.port());
                RawClient waiting = new RawClient(server.port())) {
            running.send(GET);
            await("runs", () -> server.running() == 1);
            waiting.send(GET);
            await("waits", () -> server.admission().waitingNow() == 1);
            Thread closing = Thread.startVirtualThread(server::close);
            assertThat(waiting.reply().status()).isEqualTo(503);
            assertThat(idle.atEnd()).isTrue();
            await("refusal", () -> isRefused(server.port()));
            go.countDown();
            Reply reply = running.reply();
            assertThat(reply.text()).isEqualTo("done");
            assertThat(reply.header("Connection")).contains("close");
            assertThat(running.atEnd()).isTrue();
            running.abort();
            waiting.abort();
            closing.join();
        }
    }

    private static boolean isRefused(int port) throws IOException {
        try (RawClient client = new RawClient(port)) {
            return client.socket().isClosed();
        } catch (ConnectException _) {
            return true;
        }
    }

    @Test
    void close_beyondItsLimit_resetsAndInterruptsWhatStillRuns() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.stopWithin(Duration.ofMillis(200))
                                .get(
                                        "/",
                                        x -> {
                                            ResponseBody body = x.body("x/y");
                                            body.write(ByteBuffer.wrap(new byte[10]));
                                            body.flush();
                                            try {
                                                new CountDownLatch(1).await();
                                            } finally {
                                                interrupted.countDown();
                                            }
                                        }));
        try (RawClient client = new RawClient(server.port())) {
            client.send(GET).head();
            server.close();
            assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> client.input().readAllBytes()).isInstanceOf(IOException.class);
        }
        server.close();
    }

    @Test
    void close_calledASecondTime_doesNotWaitForWhatRuns() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.stopWithin(Duration.ofMinutes(5))
                                .get(
                                        "/",
                                        _ -> {
                                            begun.countDown();
                                            new CountDownLatch(1).await();
                                        }));
        try (RawClient client = new RawClient(server.port())) {
            client.send(GET);
            begun.await();
            Thread first = Thread.startVirtualThread(server::close);
            await("stopping", () -> context(server).stopping());
            server.close();
            first.join();
        }
    }

    @Test
    void start_onAPortInUse_saysSo() {
        Server server = start(b -> b);
        assertThatThrownBy(() -> Server.builder().port(server.port()).start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Can't listen on 127.0.0.1 port " + server.port())
                .hasMessageContaining("in use")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void close_whileTheRestOfABodyIsStillToCome_doesNotWaitForIt() throws Exception {
        Server server =
                start(b ->
                        b.stopWithin(Duration.ofMinutes(5))
                                .route("POST", "/", x -> x.respond(200, "text/plain", "done")));
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
            assertThat(client.reply().header("Connection")).isEmpty();
            Thread closing = Thread.startVirtualThread(server::close);
            assertThat(client.atEnd()).isTrue();
            client.abort();
            // Far sooner than after five minutes, as this test may take less.
            closing.join();
        }
    }

    @Test
    void close_afterTheHeadOfAResponseToABodyThatIsStillToCome_doesNotWaitForIt() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.stopWithin(Duration.ofMinutes(5))
                                .headTimeout(Duration.ofMinutes(5))
                                .route(
                                        "POST",
                                        "/",
                                        x -> {
                                            ResponseBody body = x.body("text/plain");
                                            body.write(ByteBuffer.wrap(new byte[10]));
                                            body.flush();
                                            go.await();
                                        }));
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
            assertThat(client.head().header("Connection")).isEmpty();
            Thread closing = Thread.startVirtualThread(server::close);
            await("stopping", () -> context(server).stopping());
            go.countDown();
            assertThat(new Chunks(client).readAllBytes()).hasSize(10);
            assertThat(client.atEnd()).isTrue();
            client.abort();
            // Far sooner than after five minutes, as this test may take less.
            closing.join();
        }
    }

    @Test
    void program_whoseMainHasEnded_runsUntilItsServerIsClosed() throws Exception {
        List<String> java = ChildJvm.command(List.of("-Xmx64m"), Program.class);
        Process program =
                new ProcessBuilder(java).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader out = program.inputReader()) {
            int port = Integer.parseInt(out.readLine());
            assertThat(out.readLine()).isEqualTo("main has ended");
            try (RawClient client = new RawClient(port)) {
                client.send(GET);
                assertThat(client.reply().text()).isEqualTo("closes");
            }
            assertThat(program.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(program.exitValue()).isZero();
        } finally {
            program.destroyForcibly();
        }
    }

    /** A program that only starts a server. Its one response closes that. */
    static final class Program {
        private Program() {}

        /** Starts it, and says so when {@code main} has ended. */
        public static void main(String[] arguments) {
            AtomicReference<Server> server = new AtomicReference<>();
            server.set(
                    Server.builder()
                            .port(0)
                            .get(
                                    "/",
                                    x -> {
                                        x.respond(200, "text/plain", "closes");
                                        Thread.startVirtualThread(server.get()::close);
                                    })
                            .start());
            System.out.println(server.get().port());
            Thread main = Thread.currentThread();
            Thread.ofPlatform().daemon().start(() -> sayWhenEnded(main));
        }

        private static void sayWhenEnded(Thread main) {
            try {
                main.join();
                System.out.println("main has ended");
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
