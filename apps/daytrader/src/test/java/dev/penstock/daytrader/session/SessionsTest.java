package dev.penstock.daytrader.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final Sessions sessions = new Sessions(3, nanos::get);

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void begin_manyTimes_idsAreNeverTheSame() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            Session session = sessions.begin("u");
            assertThat(session.id()).hasSize(32);
            assertThat(session.formToken()).hasSize(22);
            assertThat(session.toString()).doesNotContain(session.id());
            ids.add(session.id());
        }
        assertThat(ids).hasSize(1_000);
        assertThat(sessions.size()).isEqualTo(3);
    }

    @Test
    void find_usedNowAndThen_livesOn() {
        Session session = sessions.begin("u");
        for (int i = 0; i < 5; i++) {
            pass(Sessions.IDLE);
            assertThat(sessions.find(session.id())).contains(session);
        }
        pass(Sessions.IDLE.plusNanos(1));
        assertThat(sessions.find(session.id())).isEmpty();
        assertThat(sessions.size()).isZero();
    }

    @Test
    void begin_tooMany_theLeastUsedEnds() {
        Session first = sessions.begin("a");
        Session second = sessions.begin("b");
        sessions.begin("c");
        assertThat(sessions.find(first.id())).isPresent();
        sessions.begin("d");
        assertThat(sessions.find(second.id())).isEmpty();
        assertThat(sessions.find(first.id())).isPresent();
        sessions.end(first);
        assertThat(sessions.find(first.id())).isEmpty();
        sessions.endAll();
        assertThat(sessions.size()).isZero();
    }

    @Test
    void endIf_some_othersLiveOn() {
        Session first = sessions.begin("a");
        Session second = sessions.begin("b");
        sessions.endIf(session -> session.userID().equals("a"));
        assertThat(sessions.find(first.id())).isEmpty();
        assertThat(sessions.find(second.id())).contains(second);
    }

    @Test
    void passwords_hashed_matchThemselvesAlone() {
        Passwords passwords = new Passwords(7);
        String hash = passwords.hash("secret");
        assertThat(hash).startsWith("pbkdf2-sha256$7$").hasSizeLessThan(250);
        assertThat(passwords.hash("secret")).isNotEqualTo(hash);
        assertThat(new Passwords(9).matches("secret", hash)).isTrue();
        assertThat(passwords.matches("Secret", hash)).isFalse();
        assertThat(passwords.matches("", hash)).isFalse();
        assertThat(passwords.matches("secret", "secret")).isFalse();
        assertThatThrownBy(() -> new Passwords(0)).hasMessageContaining("1 to 10,000,000");
    }

    @Test
    void limit_wrongPasswords_countForTheirWindow() {
        LoginLimit limit = new LoginLimit(nanos::get);
        for (int i = 0; i < LoginLimit.MOST_FOR_USER; i++) {
            assertThat(limit.waitFor("1.2.3.4", "u")).isZero();
            assertThat(limit.wrong("1.2.3.4", "u")).isTrue();
        }
        assertThat(limit.waitFor("1.2.3.4", "u")).isEqualTo(LoginLimit.WINDOW);
        assertThat(limit.wrong("1.2.3.4", "u")).isFalse();
        assertThat(limit.waitFor("1.2.3.4", "other")).isZero();
        assertThat(limit.waitFor("1.2.3.5", "u")).isZero();
        pass(LoginLimit.WINDOW.minusNanos(1));
        assertThat(limit.waitFor("1.2.3.4", "u")).isEqualTo(Duration.ofNanos(1));
        pass(Duration.ofNanos(1));
        assertThat(limit.waitFor("1.2.3.4", "u")).isZero();
    }

    @Test
    void limit_oneAddressForManyUsers_isLimitedToo() {
        LoginLimit limit = new LoginLimit(nanos::get);
        for (int i = 0; i < LoginLimit.MOST_FOR_ADDRESS; i++) {
            limit.wrong("1.2.3.4", "u" + i);
        }
        assertThat(limit.waitFor("1.2.3.4", "new")).isPositive();
        assertThat(limit.waitFor("1.2.3.5", "new")).isZero();
    }

    @Test
    void limit_manyAddressesOfOneNetwork_countTogether() {
        LoginLimit limit = new LoginLimit(nanos::get);
        for (int i = 1; i <= LoginLimit.MOST_FOR_USER; i++) {
            assertThat(limit.wrong("2001:db8:1:2::" + i, "u")).isTrue();
        }
        assertThat(limit.waitFor("2001:db8:1:2:ffff::1", "u")).isPositive();
        assertThat(limit.waitFor("2001:db8:1:3::1", "u")).isZero();
    }
}
