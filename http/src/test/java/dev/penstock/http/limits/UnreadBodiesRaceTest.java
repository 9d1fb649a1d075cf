package dev.penstock.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.PermitHistory;
import dev.penstock.http.server.Race;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of several event loops that share a limit: those that have room are taken, and no others. */
@Timeout(120)
final class UnreadBodiesRaceTest {
    private static final int THREADS = 4;
    private static final int STEPS = 500;
    private static final int BODY = 1000;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void bodies_thatComeAndGo_areTakenWhereOneHasRoom(int most) throws Exception {
        for (int round = 0; round < Race.ROUNDS; round++) {
            // Room for some of them, and nearly for one more.
            UnreadBodies unread = new UnreadBodies((most + 1L) * BODY - 1);
            PermitHistory taken = new PermitHistory(most);
            Race.run(
                    THREADS,
                    _ -> {
                        for (int i = 0; i < STEPS; i++) {
                            PermitHistory.Attempt attempt = taken.begin();
                            boolean fits = unread.tryAdd(BODY);
                            attempt.decided(fits);
                            if (fits) {
                                attempt.giveBack(() -> unread.remove(BODY));
                            }
                        }
                    });
            taken.check();
            assertThat(unread.bytes()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void bodies_thatAreTooManyTogether_areDroppedUntilTheOthersHaveRoom(int most) throws Exception {
        for (int round = 0; round < Race.ROUNDS; round++) {
            UnreadBodies unread = new UnreadBodies((long) most * BODY);
            unread.add(THREADS * BODY);
            AtomicInteger left = new AtomicInteger();
            Race.run(
                    THREADS,
                    _ -> {
                        if (!unread.removeUnlessRoom(BODY, 0)) {
                            left.incrementAndGet();
                        }
                    });
            assertThat(left).hasValue(most);
            assertThat(unread.bytes()).isEqualTo((long) most * BODY);
        }
    }
}
