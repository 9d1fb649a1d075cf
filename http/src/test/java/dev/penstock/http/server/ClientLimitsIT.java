package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.RawClient.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of what one client may take, and what others get meanwhile. */
@Timeout(120)
final class ClientLimitsIT extends ServerFixture {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private static void ok(Exchange exchange) {
        exchange.respond(200, "text/plain", exchange.remoteAddress());
    }

    @Test
    void connections_beyondAClientsLimit_get429AndOthersAreServed() throws Exception {
        Server server = start(b -> b.clientConnections(2).get("/", ClientLimitsIT::ok));
        try (RawClient first = answered(server);
                RawClient second = answered(server);
                RawClient third = RawClient.from("127.0.0.2", server.port());
                RawClient other = RawClient.from("127.0.0.3", server.port())) {
            Reply reply = third.send(GET).reply();
            assertThat(reply.status()).isEqualTo(429);
            assertThat(reply.header("Retry-After")).contains("1");
            assertThat(reply.text())
                    .contains(
                            "as many connections as it may, 2: close one, or use those that are open");
            assertThat(third.atEnd()).isTrue();
            assertThat(other.send(GET).reply().text()).isEqualTo("127.0.0.3");
            assertThat(second.send(GET).reply().status()).isEqualTo(200);
            third.abort();
            first.abort();
            await("room", () -> server.connections() == 2);
            try (RawClient again = RawClient.from("127.0.0.2", server.port())) {
                assertThat(again.send(GET).reply().status()).isEqualTo(200);
            }
        }
        assertThat(server.limited()).isEqualTo(1);
    }

    /** One that is admitted: those that come at once are judged in any order. */
    private static RawClient answered(Server server) throws IOException {
        RawClient client = RawClient.from("127.0.0.2", server.port());
        assertThat(client.send(GET).reply().status()).isEqualTo(200);
        return client;
    }

    @Test
    void connections_farBeyondAClientsLimit_areReset() throws Exception {
        Server server = start(b -> b.clientConnections(1).get("/", ClientLimitsIT::ok));
        try (RawClient _ = answered(server)) {
            // A refused one is closed after two seconds, and on a busy machine before the next is
            // here.
            await("reset", () -> thirdIsReset(server));
        }
    }

    private static boolean thirdIsReset(Server server) throws Exception {
        // Those of the round before count until the server has seen them leave.
        await("the others have left", () -> server.connections() == 1);
        try (RawClient refused = RawClient.from("127.0.0.2", server.port())) {
            assertThat(refused.head().status()).isEqualTo(429);
            try (RawClient hopeless = RawClient.from("127.0.0.2", server.port())) {
                assertThat(hopeless.send(GET).reply().status()).isEqualTo(429);
                return false;
            } catch (IOException reset) {
                return true;
            }
        }
    }

    @Test
    void connections_thatComeAtOnceOnDifferentLoops_areAdmittedAsManyAsMayBe() throws Exception {
        Server server = start(b -> b.clientConnections(2).get("/", ClientLimitsIT::ok));
        for (int round = 0; round < Race.ROUNDS; round++) {
            Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
            CyclicBarrier answered = new CyclicBarrier(4);
            Race.run(
                    4,
                    _ -> {
                        try (RawClient client = RawClient.from("127.0.0.2", server.port())) {
                            statuses.add(client.send(GET).reply().status());
                            answered.await(30, TimeUnit.SECONDS);
                        }
                    });
            assertThat(statuses).containsExactlyInAnyOrder(200, 200, 429, 429);
            await("closed", () -> server.connections() == 0);
        }
    }

    @Test
    void requests_beyondAClientsLimit_get429WhetherOthersWaitOrNot() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.clientRequests(2)
                                .get(
                                        "/run",
                                        x -> {
                                            entered.countDown();
                                            go.await();
                                            ok(x);
                                        })
                                .get(
                                        "/wait",
                                        x ->
                                                x.suspend(Duration.ofMinutes(1))
                                                        .onTimeout(ClientLimitsIT::ok))
                                .get("/", ClientLimitsIT::ok));
        try (RawClient runs = RawClient.from("127.0.0.2", server.port());
                RawClient waits = RawClient.from("127.0.0.2", server.port());
                RawClient third = RawClient.from("127.0.0.2", server.port());
                RawClient other = RawClient.from("127.0.0.3", server.port())) {
            runs.send(GET.replace("/ ", "/run "));
            waits.send(GET.replace("/ ", "/wait "));
            // Not by what runs: a request that suspends itself runs for a moment too.
            await("both", () -> entered.getCount() == 0 && server.waiting() == 1);
            Reply reply = third.send(GET).reply();
            assertThat(reply.status()).isEqualTo(429);
            assertThat(reply.header("Retry-After")).contains("1");
            assertThat(reply.text()).contains("as many requests at once as it may, 2");
            assertThat(other.send(GET).reply().status()).isEqualTo(200);
            go.countDown();
            assertThat(runs.reply().status()).isEqualTo(200);
            // The client may have its answer before the server has noted that it left.
            await("room", () -> third.send(GET).reply().status() == 200);
            waits.abort();
        }
    }

    @Test
    void requests_fasterThanAClientsRate_get429OnAConnectionThatStaysOpen() throws Exception {
        Server server = start(b -> b.clientRate(0.01, 3).get("/", ClientLimitsIT::ok));
        try (RawClient client = RawClient.from("127.0.0.2", server.port());
                RawClient other = RawClient.from("127.0.0.3", server.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).reply().status()).isEqualTo(200);
            }
            for (int i = 0; i < 2; i++) {
                Reply reply = client.send(GET).reply();
                assertThat(reply.status()).isEqualTo(429);
                assertThat(Integer.parseInt(reply.header("Retry-After").orElseThrow()))
                        .isBetween(1, 100);
            }
            assertThat(other.send(GET).reply().status()).isEqualTo(200);
        }
        try (RawClient again = RawClient.from("127.0.0.2", server.port())) {
            assertThat(again.send(GET).reply().status()).as("remembered").isEqualTo(429);
        }
    }

    @Test
    void requests_ofATrustedProxy_areThoseOfItsClients() throws Exception {
        Server server =
                start(b ->
                        b.clientRate(0.01, 1)
                                .proxies(List.of("127.0.0.2"))
                                .get("/", ClientLimitsIT::ok));
        try (RawClient proxy = RawClient.from("127.0.0.2", server.port());
                RawClient liar = RawClient.from("127.0.0.3", server.port())) {
            assertThat(proxy.send(forwarded("198.51.100.1")).reply().text())
                    .isEqualTo("198.51.100.1");
            assertThat(proxy.send(forwarded("198.51.100.1")).reply().status()).isEqualTo(429);
            assertThat(proxy.send(forwarded("127.0.0.1, 198.51.100.2")).reply().text())
                    .isEqualTo("198.51.100.2");
            assertThat(proxy.send(GET).reply().text()).isEqualTo("127.0.0.2");
            assertThat(liar.send(forwarded("198.51.100.9")).reply().text()).isEqualTo("127.0.0.3");
        }
    }

    private static String forwarded(String clients) {
        return GET.replace("Host: x", "Host: x\r\nX-Forwarded-For: " + clients);
    }

    @Test
    void request_ofAClientBehindThousandOfAnother_isNextAndTakesANewestPlace() throws Exception {
        Admission admission = new Admission(1, 1000, Duration.ofMinutes(1));
        Semaphore go = new Semaphore(0);
        Queue<String> order = new ConcurrentLinkedQueue<>();
        Handler handler =
                x -> {
                    order.add(x.remoteAddress());
                    go.acquire();
                    ok(x);
                };
        Server server = start(b -> b.get("/", handler, _ -> admission));
        List<RawClient> greedy = new ArrayList<>();
        try (RawClient modest = RawClient.from("127.0.0.3", server.port())) {
            for (int i = 0; i <= 1000; i++) {
                greedy.add(RawClient.from("127.0.0.2", server.port()).send(GET));
            }
            await("full", () -> admission.waitingNow() == 1000);
            modest.send(GET);
            await("displaced", () -> admission.refused() == 1);
            go.release(2);
            assertThat(modest.reply().text()).isEqualTo("127.0.0.3");
            assertThat(order).startsWith("127.0.0.2", "127.0.0.3");
            go.release(1000);
            int served = 0;
            int refused = 0;
            for (RawClient client : greedy) {
                Reply reply = client.reply();
                served += reply.status() == 200 ? 1 : 0;
                refused += reply.status() == 503 ? 1 : 0;
            }
            assertThat(served).isEqualTo(1000);
            assertThat(refused).isEqualTo(1);
        } finally {
            for (RawClient client : greedy) {
                client.close();
            }
        }
    }

    @Test
    void place_ofAClientThatReadsSlowlyAndHasAnother_isGivenUpSoonWhenOthersWait()
            throws Exception {
        // More than once, because the next is due if the place is not free within a quarter of a
        // second.
        await("one is enough", () -> placesThatAreGivenUp() == 1);
    }

    private int placesThatAreGivenUp() throws Exception {
        Admission admission = new Admission(2, 10, Duration.ofMinutes(1));
        Handler handler =
                x -> {
                    ResponseBody body = x.body("application/x");
                    boolean endless = x.remoteAddress().equals("127.0.0.2");
                    for (int i = 0; i < 4 || endless; i++) {
                        body.write(ByteBuffer.wrap(new byte[10_000]));
                    }
                };
        // Too slow after 18 seconds, but after three where others wait.
        Server server =
                start(b ->
                        b.minimumRate(1_000_000, Duration.ofSeconds(9))
                                .get("/", handler, _ -> admission));
        try (RawClient first = RawClient.from("127.0.0.2", server.port());
                RawClient second = RawClient.from("127.0.0.2", server.port());
                RawClient other = RawClient.from("127.0.0.3", server.port())) {
            first.send(GET);
            second.send(GET);
            await("both run", () -> admission.runningNow() == 2);
            other.send(GET);
            assertThat(other.reply().body()).hasSize(40_000);
            return (int) server.slowClients();
        }
    }

    @Test
    void connections_asManyAsMayBe_idleOnesMakeRoomSoon() throws Exception {
        Server server =
                start(b ->
                        b.maxConnections(20)
                                .idleTimeout(Duration.ofMinutes(5))
                                .headTimeout(Duration.ofMinutes(5))
                                .get("/", ClientLimitsIT::ok));
        List<RawClient> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                idle.add(RawClient.from("127.0.0.2", server.port()));
                if (i % 2 == 0) {
                    idle.getLast().send("GET / HT");
                }
            }
            try (RawClient other = RawClient.from("127.0.0.3", server.port())) {
                assertThat(other.send(GET).reply().status()).isEqualTo(200);
            }
        } finally {
            for (RawClient client : idle) {
                client.close();
            }
        }
    }

    @Test
    void settings_outOfTheirBounds_areRefused() {
        ServerBuilder builder = Server.builder();
        assertThatThrownBy(() -> builder.clientConnections(-1))
                .hasMessage("clientConnections is -1; it must be from 0 to 1048576");
        assertThatThrownBy(() -> builder.clientRate(Double.NaN, 1))
                .hasMessage("clientRate is NaN a second; it must be from 0 to 1e9");
        assertThatThrownBy(() -> builder.clientRate(1, 0)).hasMessageContaining("clientRate is 0");
        assertThatThrownBy(() -> builder.proxies(List.of("proxy.example")))
                .hasMessageContaining("proxy.example is no range of addresses");
    }
}
