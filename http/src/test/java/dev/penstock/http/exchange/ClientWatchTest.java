package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Admission;
import dev.penstock.http.exchange.ClientWatch.Finding;
import dev.penstock.http.limits.Client;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.route.Router;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of when a client that has closed its sending side is taken for gone. */
final class ClientWatchTest {
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(100);

    private final Settings settings = new Settings.Draft().settings();
    private final ServerContext server =
            new ServerContext(
                    settings, new Router(), new Admission(1, 0, Duration.ofSeconds(1)), false);
    private final ServerExchange exchange =
            new ServerExchange(
                    server,
                    new NoConnection(server.clients().connected(null).client()),
                    "GET",
                    RequestTarget.parse("/"),
                    new RequestHeaders.Packer().pack(),
                    null);
    private final ClientWatch watch = new ClientWatch(settings);
    private long now = 1;

    /** A connection of which nothing is asked but whose it is. */
    private record NoConnection(Client client) implements ExchangeConnection {
        @Override
        public String remoteAddress() {
            return "127.0.0.1";
        }

        @Override
        public String protocol() {
            return "none";
        }

        @Override
        public boolean isSecure() {
            return false;
        }

        @Override
        public Loop loop() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ResponseTransport transport() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void reset() {}

        @Override
        public void finished(ServerExchange exchange) {}
    }

    @AfterEach
    void stop() {
        server.loops().shutDown();
        server.accessLog().close();
    }

    private Finding look(long after, long written) {
        now += after;
        return watch.check(now, false, written, exchange, true);
    }

    @Test
    void client_towardsWhichNothingIsOnItsWay_isGoneAfterHalfASecond() {
        watch.restart(now);
        watch.inputEnded(now);
        for (int i = 0; i < 5; i++) {
            assertThat(look(LOOK, 0)).isEqualTo(Finding.FINE);
        }
        assertThat(look(LOOK, 0)).isEqualTo(Finding.GONE);
    }

    @Test
    void client_thatTookSomething_isThereForHalfASecondMore() {
        watch.restart(now);
        watch.inputEnded(now);
        for (int i = 0; i < 50; i++) {
            assertThat(look(LOOK, 1 + i / 4)).isEqualTo(Finding.FINE);
        }
    }

    @Test
    void client_afterAPauseOfTheJvm_isThereUntilItsHandlerHadTime() {
        watch.restart(now);
        watch.inputEnded(now);
        assertThat(look(100 * LOOK, 0)).isEqualTo(Finding.FINE);
        for (int i = 0; i < 3; i++) {
            assertThat(look(LOOK, 0)).isEqualTo(Finding.FINE);
        }
        assertThat(look(LOOK, 1)).isEqualTo(Finding.FINE);
    }
}
