package dev.penstock.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.ResponseBody;
import dev.penstock.http.http2.FrameClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the end of a server that has connections of HTTP/2. */
@Timeout(60)
final class Http2StopIT extends ServerFixture {
    @Test
    void close_letsRunningStreamsFinishAndEndsWaits() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.stopWithin(Duration.ofMinutes(5))
                                .get(
                                        "/run",
                                        x -> {
                                            ResponseBody body = x.body("text/plain");
                                            body.write(ByteBuffer.wrap(new byte[100_000]));
                                            go.await();
                                            body.write(ByteBuffer.wrap(new byte[100_000]));
                                        })
                                .get("/wait", x -> x.suspend(Duration.ofMinutes(1))));
        try (FrameClient client = new FrameClient(server.port());
                FrameClient idle = new FrameClient(server.port())) {
            // Its preface has come: a server that has read nothing of it yet owes no frame.
            var _ = idle.next(FrameClient.SETTINGS);
            int runs = client.get("/run");
            int waits = client.get("/wait");
            await("it waits", () -> server.waiting() == 1);
            Thread closing = Thread.startVirtualThread(server::close);
            Reply waited = client.reply(waits);
            assertThat(waited.status()).isEqualTo(503);
            assertThat(waited.header("retry-after")).isNotEmpty();
            assertThat(idle.end()).isEqualTo(FrameClient.NO_ERROR);
            idle.leave();
            assertThat(client.reply(client.get("/wait")).status()).isEqualTo(503);
            go.countDown();
            assertThat(client.reply(runs).size()).isEqualTo(200_000);
            assertThat(client.end()).isEqualTo(FrameClient.NO_ERROR);
            client.leave();
            closing.join();
        }
    }

    @Test
    void close_beyondItsLimit_breaksWhatStillRuns() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.stopWithin(Duration.ofMillis(200))
                                .get(
                                        "/",
                                        x -> {
                                            x.body("x/y").flush();
                                            try {
                                                new CountDownLatch(1).await();
                                            } finally {
                                                interrupted.countDown();
                                            }
                                        }));
        try (FrameClient client = new FrameClient(server.port())) {
            int stream = client.get("/");
            assertThat(client.head(stream).status()).isEqualTo(200);
            server.close();
            assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(client.end()).isEqualTo(FrameClient.NO_ERROR);
            assertThat(client.soFar(stream).ended()).isFalse();
        }
    }
}
