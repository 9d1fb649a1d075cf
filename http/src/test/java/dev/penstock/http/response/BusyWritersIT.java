package dev.penstock.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Writers of long responses whose clients keep up: they never wait, and must leave the carriers of virtual threads to
 * short requests.
 */
@Timeout(120)
final class BusyWritersIT extends ServerFixture {
    /** So many virtual threads can run at once. */
    private static final int CARRIERS =
            Integer.getInteger(
                    "jdk.virtualThreadScheduler.parallelism",
                    Runtime.getRuntime().availableProcessors());

    private final AtomicInteger writing = new AtomicInteger();

    @Test
    void shortRequests_whileAWriterKeepsEachCarrierBusy_areAnswered() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                        "/long",
                                        x -> {
                                            writing.incrementAndGet();
                                            Bodies.endless(x.body("text/plain"));
                                        })
                                .get("/short", x -> x.respond(200, "text/plain", "here")));
        List<RawClient> readers = new ArrayList<>();
        try {
            for (int i = 0; i < CARRIERS; i++) {
                readers.add(reader(server));
            }
            await("a writer on each carrier", () -> writing.get() == CARRIERS);
            try (RawClient client = new RawClient(server.port())) {
                for (int i = 0; i < 100; i++) {
                    client.send("GET /short HTTP/1.1\r\nHost: x\r\n\r\n");
                    assertThat(client.reply().text()).isEqualTo("here");
                }
            }
        } finally {
            for (RawClient reader : readers) {
                reader.close();
            }
        }
    }

    /** One that reads a long response, compressed to next to nothing, as fast as it comes. */
    private static RawClient reader(Server server) throws IOException {
        RawClient client = new RawClient(server.port());
        client.send("GET /long HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
        Thread.ofPlatform().daemon().start(() -> drain(client.input()));
        return client;
    }

    private static void drain(InputStream in) {
        try {
            var _ = in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException _) {
            // The test has closed it.
        }
    }
}
