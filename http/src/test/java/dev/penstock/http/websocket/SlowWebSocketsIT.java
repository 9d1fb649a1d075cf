package dev.penstock.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Server;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** WebSockets of which a side is slow, and many of them at once. */
@Timeout(60)
final class SlowWebSocketsIT extends WebSocketFixture {
    @Test
    void offers_toASlowReader_areRefusedAndSendsWait() throws Exception {
        CompletableFuture<WebSocket> opened = new CompletableFuture<>();
        Server server =
                serve(
                        DEFAULT,
                        new WebSocket.Listener() {
                            @Override
                            public void opened(WebSocket socket) {
                                opened.complete(socket);
                            }
                        });
        try (RawWebSocket slow = new RawWebSocket(server.port(), 32 * 1024)) {
            WebSocket socket = opened.get();
            String block = "x".repeat(10_000);
            int taken = 0;
            for (int refused = 0; refused < 100; ) {
                if (socket.offer(block)) {
                    taken++;
                    refused = 0;
                } else {
                    refused++;
                    LockSupport.parkNanos(1_000_000);
                }
            }
            AtomicInteger sent = new AtomicInteger();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                senders.add(
                        Thread.startVirtualThread(() -> {
                            try {
                                for (int n = 0; n < 20; n++) {
                                    socket.send("y".repeat(100_000));
                                    sent.incrementAndGet();
                                }
                            } catch (IOException failure) {
                                throw new IllegalStateException(failure);
                            }
                        }));
            }
            long letters = 0;
            int messages = 0;
            while (messages < taken + 80) {
                RawWebSocket.Frame frame = slow.next();
                letters += frame.payload().length;
                messages += (frame.first() & 0x80) == 0 ? 0 : 1;
            }
            assertThat(letters).isEqualTo(taken * 10_000L + 80 * 100_000L);
            for (Thread sender : senders) {
                sender.join();
            }
            assertThat(sent.get()).isEqualTo(80);
        }
    }

    @Test
    void client_thatSendsFasterThanTheListenerTakes_isHeldBack() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicLong received = new AtomicLong();
        Server server =
                serve(
                        DEFAULT,
                        new WebSocket.Listener() {
                            @Override
                            public void binary(WebSocket socket, ByteBuffer bytes, boolean last)
                                    throws Exception {
                                go.await();
                                received.addAndGet(bytes.remaining());
                            }
                        });
        AtomicLong sent = new AtomicLong();
        // At its most careful it follows each buffer, and there are many.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            Thread sender =
                    Thread.startVirtualThread(() -> {
                        try {
                            for (int i = 0; i < 2000; i++) {
                                socket.send(0x82, new byte[20_000]);
                                sent.addAndGet(20_000);
                            }
                        } catch (IOException failure) {
                            throw new IllegalStateException(failure);
                        }
                    });
            long before = -1;
            while (sent.get() != before || before == 0) {
                before = sent.get();
                LockSupport.parkNanos(100_000_000);
            }
            assertThat(before).isLessThan(20_000_000);
            go.countDown();
            sender.join();
            await("all", () -> received.get() == 40_000_000);
        } finally {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        }
    }

    @Test
    void sockets_fiveHundredOpen_holdNoThread() throws Exception {
        BlockingQueue<WebSocket> opened = new LinkedBlockingQueue<>();
        Server server =
                serve(
                        DEFAULT,
                        new WebSocket.Listener() {
                            @Override
                            public void opened(WebSocket socket) {
                                opened.add(socket);
                            }
                        });
        List<RawWebSocket> clients = new ArrayList<>();
        try {
            int threads = Thread.getAllStackTraces().size();
            for (int i = 0; i < 500; i++) {
                clients.add(new RawWebSocket(server.port()));
            }
            await("opened", () -> opened.size() == 500 && server.running() == 0);
            await("suspended", () -> server.waiting() == 500);
            // Those that carry virtual threads may have come meanwhile.
            int carriers = Runtime.getRuntime().availableProcessors();
            assertThat(Thread.getAllStackTraces().size()).isLessThan(threads + 10 + carriers);
            opened.forEach(socket -> assertThat(socket.offer("all")).isTrue());
            for (RawWebSocket client : clients) {
                assertThat(client.next().text()).isEqualTo("all");
            }
        } finally {
            for (RawWebSocket client : clients) {
                client.close();
            }
        }
        await("closed", () -> server.waiting() == 0);
    }

    @Test
    void frame_thatComesSlowerThanTheHeartbeats_isNoSilence() throws Exception {
        EchoListener echo = new EchoListener();
        Server server = serve(DEFAULT.withPingEvery(Duration.ofMillis(100)), echo);
        // More than once, because on a busy machine this thread may be slower than two heartbeats.
        await("it is heard", () -> isHeard("slow but there", server.port()));
    }

    private static boolean isHeard(String slow, int port) {
        try (RawWebSocket client = new RawWebSocket(port)) {
            for (byte each : RawWebSocket.frame(0x81, slow.getBytes(UTF_8))) {
                client.client().send(new byte[] {each});
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30));
            }
            return client.next().text().equals(slow);
        } catch (IOException thrownOut) {
            return false;
        }
    }

    @Test
    void messages_thousandsAtOnceToASlowListener_comeAllAlsoIfTheClientSaysNothingMore()
            throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger messages = new AtomicInteger();
        CompletableFuture<Integer> closed = new CompletableFuture<>();
        WebSocket.Listener slow =
                new WebSocket.Listener() {
                    @Override
                    public void text(WebSocket socket, String text, boolean last) throws Exception {
                        go.await();
                        messages.incrementAndGet();
                    }

                    @Override
                    public void closed(WebSocket socket, int code, String reason) {
                        closed.complete(code);
                    }
                };
        Server server = serve(DEFAULT, slow);
        int count = 4000;
        try (RawWebSocket client = new RawWebSocket(server.port())) {
            java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                all.writeBytes(RawWebSocket.frame(0x81, new byte[] {'a'}));
            }
            all.writeBytes(RawWebSocket.frame(0x88, new byte[] {3, (byte) 0xe8}));
            client.client().send(all.toByteArray()).shutdownOutput();
            go.countDown();
            assertThat(closed.get(15, TimeUnit.SECONDS)).isEqualTo(1000);
            assertThat(messages).hasValue(count);
        }
    }
}
