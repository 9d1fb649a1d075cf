package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Admission;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The queue before the handlers. */
@Timeout(120)
final class AdmissionIT extends ServerFixture {
    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    @Test
    void requests_beyondThoseRunning_waitInOrderAndThoseBeyondTheQueueGet503() throws Exception {
        Admission admission = new Admission(1, 3, Duration.ofSeconds(30));
        Semaphore go = new Semaphore(0);
        ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
        Handler handler =
                x -> {
                    order.add(x.pathParameter("n"));
                    go.acquire();
                    x.respond(200, "text/plain", "ok");
                };
        Server server = start(b -> b.get("/{n}", handler, _ -> admission));
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                clients.add(new RawClient(server.port()).send(get("/" + i)));
                int waiting = i;
                await("queue", () -> admission.waitingNow() == waiting);
                await("first", () -> order.size() == 1);
            }
            try (RawClient refused = new RawClient(server.port())) {
                Reply reply = refused.send(get("/4")).reply();
                assertThat(reply.status()).isEqualTo(503);
                assertThat(reply.header("Retry-After")).contains("30");
                assertThat(admission.refused()).isEqualTo(1);
            }
            assertThat(server.running()).isEqualTo(1);
            clients.get(2).abort();
            await("one left the queue", () -> admission.waitingNow() == 2);
            go.release(3);
            assertThat(clients.get(0).reply().status()).isEqualTo(200);
            assertThat(clients.get(1).reply().status()).isEqualTo(200);
            assertThat(clients.get(3).reply().status()).isEqualTo(200);
            assertThat(order).containsExactly("0", "1", "3");
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        await("permits", () -> admission.runningNow() == 0);
        assertThat(admission.waitingNow()).isZero();
    }

    @Test
    void request_thatWaitsTooLong_gets503() throws Exception {
        Admission admission = new Admission(1, 3, Duration.ofMillis(200));
        CountDownLatch go = new CountDownLatch(1);
        Handler handler =
                x -> {
                    go.await();
                    x.respond(200, "text/plain", "ok");
                };
        Server server = start(b -> b.get("/", handler, _ -> admission));
        try (RawClient first = new RawClient(server.port());
                RawClient second = new RawClient(server.port())) {
            first.send(get("/"));
            await("runs", () -> admission.runningNow() == 1);
            Reply reply = second.send(get("/")).reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("Retry-After")).contains("1");
            go.countDown();
            assertThat(first.reply().status()).isEqualTo(200);
            await("room", () -> admission.runningNow() == 0);
            assertThat(second.send(get("/")).reply().status()).isEqualTo(200);
        }
    }

    @Test
    void permit_ofAResponseThatHasNotLeft_isKept() throws Exception {
        Admission admission = new Admission(1, 1, Duration.ofSeconds(30));
        Handler handler = x -> x.respond(200, "x/y", new byte[20_000_000]);
        Server server = start(b -> b.get("/", handler, _ -> admission));
        try (RawClient slow = new RawClient(server.port(), 4096);
                RawClient next = new RawClient(server.port())) {
            slow.send(get("/")).head();
            next.send(get("/"));
            await("waits", () -> admission.waitingNow() == 1);
            slow.abort();
            assertThat(next.reply().body()).hasSize(20_000_000);
        }
        await("permits", () -> admission.runningNow() == 0);
    }

    @Test
    void admission_thatThrows_isAnErrorResponse() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                "/{n}",
                                _ -> {},
                                x -> {
                                    throw new HttpException(400, x.pathParameter("n"));
                                }));
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send(get("/a%2Fb%20c")).reply();
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.text()).contains("\"detail\":\"a/b c\"");
        }
        Server broken =
                start(b ->
                        b.get(
                                "/",
                                _ -> {},
                                _ -> {
                                    throw new NoClassDefFoundError("x/Y");
                                }));
        try (RawClient client = new RawClient(broken.port())) {
            assertThat(client.send(get("/")).reply().status()).isEqualTo(500);
        }
    }

    @Test
    void clients_1024AtOnce_areAllAnsweredByFewThreads() throws Exception {
        Admission admission = new Admission(4, 2000, Duration.ofSeconds(60));
        Handler handler =
                x -> {
                    assertThat(admission.runningNow()).isLessThanOrEqualTo(4);
                    x.respond(200, "text/plain", new byte[50_000]);
                };
        Server server = start(b -> b.get("/", handler, _ -> admission));
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 1024; i++) {
                clients.add(new RawClient(server.port()));
            }
            for (RawClient client : clients) {
                client.send(get("/"));
            }
            for (RawClient client : clients) {
                assertThat(client.reply().body()).hasSize(50_000);
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        assertThat(admission.refused()).isZero();
    }

    @Test
    void bodies_ofRequestsInTheQueue_stayWithTheirClientsUntilThereIsAPlace() throws Exception {
        Admission admission = new Admission(1, 200, Duration.ofMinutes(1));
        CountDownLatch go = new CountDownLatch(1);
        Handler handler =
                x -> {
                    go.await();
                    int length = Bodies.readAll(x.requestBody()).length;
                    x.respond(200, "text/plain", Integer.toString(length));
                };
        Server server = start(b -> b.route("POST", "/", handler, _ -> admission));
        List<RawClient> clients = new ArrayList<>();
        try {
            clients.add(new RawClient(server.port()).send(post(0)));
            await("runs", () -> admission.runningNow() == 1);
            for (int i = 0; i < 100; i++) {
                RawClient client = new RawClient(server.port());
                clients.add(client.send(post(100_000)).send(new byte[100_000]));
            }
            await("queued", () -> admission.waitingNow() == 100);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
            while (System.nanoTime() < end) {
                assertThat(server.bufferBytes()).isLessThan(4_000_000);
                LockSupport.parkNanos(1_000_000);
            }
            go.countDown();
            assertThat(clients.removeFirst().reply().text()).isEqualTo("0");
            for (RawClient client : clients) {
                assertThat(client.reply().text()).isEqualTo("100000");
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private static String post(int length) {
        return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
    }
}
