package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that go on in another admission than the one that they came through. */
@Timeout(120)
final class PermitTransferIT extends ServerFixture {
    private final Admission shortOnes = new Admission(1, 10, Duration.ofSeconds(30));
    private final CountDownLatch release = new CountDownLatch(1);
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    /** {@code /hold} keeps a permit of the target; the others come through that of the short requests. */
    private Server start(Admission target) {
        Handler hold =
                x -> {
                    release.await();
                    x.respond(200, "text/plain", "held");
                };
        Handler begun =
                x -> {
                    ResponseBody body = x.body("text/plain");
                    write(body, "begun, ");
                    body.flush();
                    transfer(x, target);
                    write(body, "and ended");
                };
        Handler fresh =
                x -> {
                    transfer(x, target);
                    x.respond(200, "text/plain", "transferred");
                };
        return start(b ->
                b.stopWithin(Duration.ofMinutes(1))
                        .get("/hold", hold, _ -> target)
                        .get("/begun", begun, _ -> shortOnes)
                        .get("/fresh", fresh, _ -> shortOnes)
                        .get("/short", x -> x.respond(200, "text/plain", "short"), _ -> shortOnes));
    }

    private static void write(ResponseBody body, String text) throws IOException {
        body.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private void transfer(Exchange exchange, Admission target) throws IOException {
        try {
            exchange.transferTo(target);
        } catch (IOException | RuntimeException e) {
            failure.complete(e);
            throw e;
        }
    }

    private void noPermitIsLost(Admission target) throws Exception {
        await("short permits", () -> shortOnes.runningNow() == 0);
        await("permits", () -> target.runningNow() == 0);
        assertThat(target.waitingNow()).isZero();
    }

    @Test
    void request_thatWaitsForAnotherPermit_hasGivenItsOwnBack() throws Exception {
        Admission target = new Admission(1, 10, Duration.ofSeconds(30));
        Server server = start(target);
        try (RawClient holder = new RawClient(server.port());
                RawClient moving = new RawClient(server.port());
                RawClient other = new RawClient(server.port())) {
            holder.send(get("/hold"));
            await("holds", () -> target.runningNow() == 1);
            moving.send(get("/fresh"));
            await("waits", () -> target.waitingNow() == 1);
            assertThat(shortOnes.runningNow()).isZero();
            assertThat(other.send(get("/short")).reply().text()).isEqualTo("short");
            release.countDown();
            assertThat(moving.reply().text()).isEqualTo("transferred");
            assertThat(holder.reply().text()).isEqualTo("held");
        }
        noPermitIsLost(target);
    }

    @Test
    void request_ofWhichNothingWasSent_isRefusedByAFullQueue() throws Exception {
        Admission target = new Admission(1, 0, Duration.ofSeconds(7));
        Server server = start(target);
        try (RawClient holder = new RawClient(server.port());
                RawClient moving = new RawClient(server.port())) {
            holder.send(get("/hold"));
            await("holds", () -> target.runningNow() == 1);
            Reply reply = moving.send(get("/fresh")).reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("Retry-After")).contains("7");
            release.countDown();
            assertThat(holder.reply().status()).isEqualTo(200);
        }
        noPermitIsLost(target);
    }

    @Test
    void request_ofWhichNothingWasSent_isRefusedAfterTheQueueTimeout() throws Exception {
        Admission target = new Admission(1, 10, Duration.ofMillis(50));
        Server server = start(target);
        try (RawClient holder = new RawClient(server.port());
                RawClient moving = new RawClient(server.port())) {
            holder.send(get("/hold"));
            await("holds", () -> target.runningNow() == 1);
            assertThat(moving.send(get("/fresh")).reply().status()).isEqualTo(503);
            assertThat(target.refused()).isEqualTo(1);
            release.countDown();
            assertThat(holder.reply().status()).isEqualTo(200);
        }
        noPermitIsLost(target);
    }

    @Test
    void request_thatHasBegunToAnswer_isNeverRefused() throws Exception {
        Admission target = new Admission(1, 0, Duration.ofMillis(1));
        Server server = start(target);
        try (RawClient holder = new RawClient(server.port());
                RawClient moving = new RawClient(server.port())) {
            holder.send(get("/hold"));
            await("holds", () -> target.runningNow() == 1);
            moving.send(get("/begun"));
            await("waits", () -> target.waitingNow() == 1);
            assertThat(shortOnes.runningNow()).isZero();
            release.countDown();
            assertThat(moving.reply().text()).isEqualTo("begun, and ended");
            assertThat(holder.reply().status()).isEqualTo(200);
        }
        noPermitIsLost(target);
    }

    @Test
    void client_thatLeavesDuringTheWait_endsIt() throws Exception {
        Admission target = new Admission(1, 10, Duration.ofSeconds(30));
        Server server = start(target);
        try (RawClient holder = new RawClient(server.port());
                RawClient moving = new RawClient(server.port())) {
            holder.send(get("/hold"));
            await("holds", () -> target.runningNow() == 1);
            moving.send(get("/begun"));
            await("waits", () -> target.waitingNow() == 1);
            moving.abort();
            assertThat(failure.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("client has gone");
            assertThat(target.waitingNow()).isZero();
            release.countDown();
            assertThat(holder.reply().status()).isEqualTo(200);
        }
        noPermitIsLost(target);
    }

    @Test
    void server_thatStops_refusesWhatWaitsAndHasSentNothing() throws Exception {
        Admission target = new Admission(1, 10, Duration.ofSeconds(30));
        Server server = start(target);
        try (RawClient holder = new RawClient(server.port());
                RawClient moving = new RawClient(server.port())) {
            holder.send(get("/hold"));
            await("holds", () -> target.runningNow() == 1);
            moving.send(get("/fresh"));
            await("waits", () -> target.waitingNow() == 1);
            Thread stop = Thread.ofVirtual().start(server::close);
            Reply reply = moving.reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.text()).contains("stopping");
            release.countDown();
            assertThat(holder.reply().status()).isEqualTo(200);
            stop.join();
        }
        noPermitIsLost(target);
    }

    @Test
    void transfer_onTheEventLoop_isRefusedAsAMistake() throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Handler handler =
                Handler.nonBlocking(x -> {
                    thrown.complete(catchThrowable(() -> x.transferTo(shortOnes)));
                    x.respond(200, "text/plain", "ok");
                });
        Server server = start(b -> b.get("/", handler));
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send(get("/")).reply().status()).isEqualTo(200);
            assertThat(thrown.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("non-blocking handler can't wait");
        }
    }
}
