package dev.penstock.daytrader.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.daytrader.trade.TradeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PasswordsTest {
    @Test
    void matches_hashesOfAnyIterations_onlyTheirPassword() {
        String hash = new Passwords(3).hash("pässword");
        Passwords others = new Passwords(5);

        assertThat(others.matches("pässword", hash)).isTrue();
        assertThat(others.matches("password", hash)).isFalse();
        assertThat(others.matches("pässword", "md5$1$AA==$AA==")).isFalse();
        others.matchesNobody("pässword");
    }

    /** A hash takes next to nothing, so that those who come at once are no reason to refuse one. */
    @Test
    void hash_cheapOnesByManyAtOnce_noneIsRefused() throws Exception {
        Passwords passwords = new Passwords(1, Duration.ofMinutes(2));
        CountDownLatch go = new CountDownLatch(1);
        List<Future<String>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < 500; i++) {
                all.add(
                        threads.submit(() -> {
                            go.await();
                            return passwords.hash("x");
                        }));
            }
            go.countDown();
            for (Future<String> each : all) {
                assertThat(each.get()).startsWith("pbkdf2-sha256$1$");
            }
        }
    }

    /** Each hash takes a tenth of a second, so that many have to wait, and most of them must not. */
    @Test
    void hash_farMoreAtOnceThanMayWait_someAreRefusedAtOnce() throws Exception {
        int atOnce = Runtime.getRuntime().availableProcessors();
        Passwords passwords = new Passwords(200_000);
        CountDownLatch go = new CountDownLatch(1);
        List<Future<@Nullable Throwable>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < 30 * atOnce; i++) {
                all.add(
                        threads.submit(() -> {
                            go.await();
                            return catchThrowable(() -> passwords.hash("x"));
                        }));
            }
            go.countDown();
            int refused = 0;
            for (Future<@Nullable Throwable> each : all) {
                Throwable failure = each.get();
                if (failure != null) {
                    assertThat(failure)
                            .isInstanceOfSatisfying(
                                    TradeException.class,
                                    e -> assertThat(e.kind()).isEqualTo(TradeException.Kind.BUSY));
                    refused++;
                }
            }
            assertThat(refused).isBetween(1, 30 * atOnce - 1);
        }
        assertThat(passwords.hash("x")).startsWith("pbkdf2-sha256$200000$");
    }
}
