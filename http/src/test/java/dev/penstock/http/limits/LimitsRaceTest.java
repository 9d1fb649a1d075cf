package dev.penstock.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.SuspensionLimit;
import dev.penstock.http.server.PermitHistory;
import dev.penstock.http.server.Race;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections on several event loops that take of the same limit at once: whoever has room is admitted, and nobody else
 * is.
 */
@Timeout(120)
final class LimitsRaceTest {
    private static final int THREADS = 4;
    private static final int STEPS = 500;
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 4711);
    private static final InetAddress BEHIND_PROXY = InetAddress.ofLiteral("198.51.100.2");

    private static Clients clients(int most, double rate, int burst) {
        return clients(most, most, rate, burst);
    }

    private static Clients clients(int connections, int requests, double rate, int burst) {
        ClientLimits.AtOnce atOnce = new ClientLimits.AtOnce(connections, requests);
        return new Clients(new ClientLimits(atOnce, atOnce, rate, burst, List.of()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, THREADS})
    void connections_thatComeAtOnce_areAdmittedAsManyAsMayBe(int most) throws Exception {
        for (int round = 0; round < Race.ROUNDS; round++) {
            Clients clients = clients(most, 0, 1);
            List<Clients.Connection> all = new CopyOnWriteArrayList<>();
            Race.run(2 * THREADS, _ -> all.add(clients.connected(ADDRESS)));
            assertThat(count(all, Client.Verdict.ADMITTED)).isEqualTo(most);
            assertThat(count(all, Client.Verdict.REFUSED)).isEqualTo(most);
            Race.run(2 * THREADS, thread -> clients.disconnected(all.get(thread)));
            assertThat(clients.known()).isZero();
        }
    }

    private static long count(List<Clients.Connection> all, Client.Verdict verdict) {
        return all.stream().filter(connection -> connection.verdict() == verdict).count();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void connections_thatComeAndGo_areAdmittedWhereOneHasRoom(int most) throws Exception {
        for (int round = 0; round < Race.ROUNDS; round++) {
            Clients clients = clients(most, 0, 1);
            PermitHistory admitted = new PermitHistory(most);
            Race.run(
                    THREADS,
                    _ -> {
                        for (int i = 0; i < STEPS; i++) {
                            PermitHistory.Attempt attempt = admitted.begin();
                            Clients.Connection made = clients.connected(ADDRESS);
                            attempt.decided(made.verdict() == Client.Verdict.ADMITTED)
                                    .giveBack(() -> clients.disconnected(made));
                        }
                    });
            admitted.check();
            assertThat(clients.known()).isZero();
        }
    }

    /**
     * Each thread has a connection that was admitted: a connection beyond the limit is reset, and never sends a
     * request.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void requests_thatComeAndGo_areAdmittedWhereOneHasRoom(int most) throws Exception {
        for (int round = 0; round < Race.ROUNDS; round++) {
            Clients clients = clients(THREADS, most, 0, 1);
            PermitHistory admitted = new PermitHistory(most);
            Race.run(
                    THREADS,
                    thread -> {
                        Clients.Connection own = clients.connected(ADDRESS);
                        assertThat(own.verdict()).isEqualTo(Client.Verdict.ADMITTED);
                        for (int i = 0; i < STEPS; i++) {
                            PermitHistory.Attempt attempt = admitted.begin();
                            boolean ok = own.client().addRequest();
                            attempt.decided(ok).giveBack(() -> clients.done(own.client(), ok));
                        }
                        clients.disconnected(own);
                    });
            admitted.check();
            assertThat(clients.known()).isZero();
        }
    }

    /** The client behind a proxy comes and goes with its requests: no two of them may find different entries for it. */
    @Test
    void requests_thatAProxySends_areOfOneClientWhileThereAreAny() throws Exception {
        for (int round = 0; round < Race.ROUNDS; round++) {
            Clients clients = clients(1, 0, 1);
            PermitHistory admitted = new PermitHistory(1);
            Race.run(
                    THREADS,
                    _ -> {
                        for (int i = 0; i < STEPS; i++) {
                            PermitHistory.Attempt attempt = admitted.begin();
                            Clients.Request made = clients.requestedFor(BEHIND_PROXY);
                            attempt.decided(made.admitted())
                                    .giveBack(() -> clients.done(made.client(), made.admitted()));
                        }
                    });
            admitted.check();
            assertThat(clients.known()).isZero();
        }
    }

    @Test
    void requests_thatSpendARateAtOnce_areAsManyAsTheBurst() throws Exception {
        int burst = 2 * STEPS + 1;
        for (int round = 0; round < Race.ROUNDS; round++) {
            Clients clients = clients(0, 0.001, burst);
            Client client = clients.connected(ADDRESS).client();
            long now = System.nanoTime();
            AtomicInteger allowed = new AtomicInteger();
            Race.run(
                    THREADS,
                    _ -> {
                        for (int i = 0; i < STEPS; i++) {
                            if (client.spend(now) == 0) {
                                allowed.incrementAndGet();
                            }
                        }
                    });
            assertThat(allowed).hasValue(burst);
        }
    }

    /**
     * Clients with a rate are remembered when they have gone; who comes and goes at once must leave a table within its
     * bound.
     */
    @Test
    void clients_thatRestAtOnce_areNoMoreThanTheBound() throws Exception {
        Clients clients = clients(0, 0.001, 1);
        AtomicInteger most = new AtomicInteger();
        Race.run(
                THREADS,
                thread -> {
                    for (int i = 0; i < 20_000; i++) {
                        byte[] bytes = {(byte) (1 + thread), 0, (byte) (i >> 8), (byte) i};
                        InetAddress address = InetAddress.getByAddress(bytes);
                        Clients.Connection made =
                                clients.connected(new InetSocketAddress(address, 1));
                        var _ = made.client().spend(System.nanoTime());
                        clients.disconnected(made);
                        most.accumulateAndGet(clients.known(), Math::max);
                    }
                });
        assertThat(most.get()).isBetween(1, (2 + THREADS) * 8 * 1024);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void waits_thatBeginAndEnd_areRefusedOnlyWhereThereIsNoRoom(int most) throws Exception {
        for (int round = 0; round < Race.ROUNDS; round++) {
            SuspensionLimit waits = new SuspensionLimit(most, Duration.ofMinutes(1));
            PermitHistory history = new PermitHistory(most);
            AtomicInteger seen = new AtomicInteger();
            Race.run(
                    THREADS,
                    _ -> {
                        for (int i = 0; i < STEPS; i++) {
                            PermitHistory.Attempt attempt = history.begin();
                            boolean entered = enter(waits);
                            attempt.decided(entered);
                            seen.accumulateAndGet(waits.now(), Math::max);
                            if (entered) {
                                attempt.giveBack(waits::leave);
                            }
                        }
                    });
            history.check();
            assertThat(seen.get()).isBetween(1, most);
            assertThat(waits.now()).isZero();
        }
    }

    private static boolean enter(SuspensionLimit waits) {
        try {
            waits.enter();
            return true;
        } catch (HttpException full) {
            assertThat(full.status()).isEqualTo(503);
            return false;
        }
    }
}
