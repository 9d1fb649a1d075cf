package dev.penstock.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads of the application that send to one WebSocket at once. */
@Timeout(60)
final class WebSocketSendersIT extends ServerFixture {
    private final BlockingQueue<WebSocket> opened = new LinkedBlockingQueue<>();

    private Server serve() {
        WebSocket.Listener listener =
                new WebSocket.Listener() {
                    @Override
                    public void opened(WebSocket socket) {
                        opened.add(socket);
                    }
                };
        return start(b -> b.get("/", x -> WebSocket.open(x, listener)));
    }

    /** There is room for two rounds at once, and the client has read a round when the next begins. */
    @ParameterizedTest
    @ValueSource(strings = {"", "permessage-deflate"})
    void offers_ofTwoThreadsToAFastClient_allArrive(String extension) throws Exception {
        int rounds = 50;
        int each = 100;
        Server server = serve();
        CyclicBarrier turn = new CyclicBarrier(3);
        AtomicInteger refused = new AtomicInteger();
        try (RawWebSocket client = new RawWebSocket(server.port(), 0, extension)) {
            WebSocket socket = opened.take();
            for (String name : List.of("first", "second")) {
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; i < rounds && isNext(turn); i++) {
                                for (int n = 0; n < each; n++) {
                                    String text = "%s %d, ".formatted(name, i * each + n);
                                    refused.addAndGet(socket.offer(text.repeat(6)) ? 0 : 1);
                                }
                                var _ = isNext(turn);
                            }
                        });
            }
            Set<String> texts = new HashSet<>();
            for (int i = 1; i <= rounds; i++) {
                assertThat(isNext(turn)).as("begin").isTrue();
                assertThat(isNext(turn)).as("end").isTrue();
                assertThat(refused).hasValue(0);
                for (int n = 0; n < 2 * each; n++) {
                    texts.add(new String(DeflateClient.receive(client, 1), UTF_8));
                }
                assertThat(texts).hasSize(2 * each * i);
            }
        } finally {
            turn.reset();
        }
    }

    @Test
    void send_interruptedInTheMiddleOfAMessage_endsTheConnection() throws Exception {
        Server server = serve();
        try (RawWebSocket client = new RawWebSocket(server.port(), 32 * 1024)) {
            WebSocket socket = opened.take();
            AtomicReference<Exception> thrown = new AtomicReference<>();
            Thread sender =
                    Thread.startVirtualThread(() -> {
                        try {
                            socket.send(ByteBuffer.allocate(50_000_000));
                        } catch (Exception failure) {
                            thrown.set(failure);
                        }
                    });
            // The client does not read.
            await("room", () -> sender.getState() == Thread.State.WAITING);
            sender.interrupt();
            sender.join();
            assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
            assertThat(socket.isOpen()).isFalse();
            assertThat(socket.offer("next")).isFalse();
            assertThatThrownBy(() -> socket.send("next")).hasMessage("The WebSocket is closed");

            RawWebSocket.Frame frame = client.next();
            assertThat(frame.first()).isEqualTo(0x02);
            do {
                frame = client.next();
            } while (frame.first() == 0);
            assertThat(frame.code()).isEqualTo(1011);
            assertThat(frame.text()).endsWith("A message was left unfinished");
            client.close(1011);
            assertThat(client.atEnd()).isTrue();
        }
    }

    /** Waits for the others; false if this test has failed meanwhile. */
    private static boolean isNext(CyclicBarrier turn) {
        try {
            turn.await();
            return true;
        } catch (InterruptedException | BrokenBarrierException _) {
            return false;
        }
    }
}
