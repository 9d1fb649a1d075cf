package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that go before they were answered. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Protocol.class)
final class DisconnectIT extends ServerFixture {
    private final Protocol protocol;

    DisconnectIT(Protocol protocol) {
        this.protocol = protocol;
    }

    @Test
    void client_thatResetsWhileStreaming_isToldOnceAndWritesFail() throws Exception {
        AtomicInteger told = new AtomicInteger();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    x.onDisconnect(told::incrementAndGet);
                                    try {
                                        Bodies.endless(x.body("x/y"));
                                    } catch (IOException gone) {
                                        interrupted.complete(
                                                Thread.currentThread().isInterrupted());
                                        thrown.complete(gone);
                                        throw gone;
                                    }
                                }));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/").head();
            client.cancel();
        }
        assertThat(thrown.get(60, TimeUnit.SECONDS)).hasMessageContaining("client has gone");
        assertThat(interrupted.get()).isFalse();
        await("told", () -> told.get() > 0);
        await("handler", () -> server.running() == 0);
        assertThat(told.get()).isEqualTo(1);
    }

    @Test
    void client_thatClosesWhileNothingIsWritten_isNoticed() throws Exception {
        for (boolean abort : new boolean[] {true, false}) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch told = new CountDownLatch(1);
            Server server =
                    start(b ->
                            b.get(
                                    "/",
                                    x -> {
                                        x.onDisconnect(told::countDown);
                                        begun.countDown();
                                        told.await();
                                    }));
            try (TestClient client = protocol.connect(server.port())) {
                client.get("/");
                begun.await();
                if (abort) {
                    client.cancel();
                }
            }
            // Sooner than any other limit would end it.
            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void handler_deafToItsClientsEnd_isInterruptedAfterTheGrace() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.interruptAfter(Duration.ofMillis(300))
                                .get(
                                        "/",
                                        _ -> {
                                            begun.countDown();
                                            try {
                                                new CountDownLatch(1).await();
                                            } catch (InterruptedException stop) {
                                                interrupted.countDown();
                                                throw stop;
                                            }
                                        }));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/");
            begun.await();
            client.cancel();
        }
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void onDisconnect_afterTheClientWent_runsAtOnce() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    x.onDisconnect(first::countDown);
                                    begun.countDown();
                                    first.await();
                                    x.onDisconnect(second::countDown);
                                }));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/");
            begun.await();
            client.cancel();
        }
        assertThat(second.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void handler_thatFails_isNotToldThatItsClientWent() throws Exception {
        AtomicInteger told = new AtomicInteger();
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    x.onDisconnect(told::incrementAndGet);
                                    x.body("x/y").flush();
                                    throw new IllegalStateException("the database went");
                                }));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/").head();
            assertThatThrownBy(() -> client.body().readAllBytes()).isInstanceOf(IOException.class);
            await("handler", () -> server.running() == 0);
        }
        assertThat(told.get()).isZero();
    }
}
