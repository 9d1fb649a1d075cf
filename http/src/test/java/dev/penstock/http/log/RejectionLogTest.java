package dev.penstock.http.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RejectionLogTest {
    private final List<String> lines = new ArrayList<>();
    private long now;

    private final System.Logger logger =
            new System.Logger() {
                @Override
                public String getName() {
                    return "test";
                }

                @Override
                public boolean isLoggable(Level level) {
                    return true;
                }

                @Override
                public void log(
                        Level level,
                        @Nullable ResourceBundle bundle,
                        @Nullable String message,
                        @Nullable Throwable thrown) {
                    lines.add(message);
                }

                @Override
                public void log(
                        Level level,
                        @Nullable ResourceBundle bundle,
                        @Nullable String format,
                        @Nullable Object @Nullable ... parameters) {
                    lines.add(format);
                }
            };

    @Test
    void refused_moreInASecondThanTheMost_areCountedInstead() {
        RejectionLog log = new RejectionLog(logger, () -> now);
        for (int i = 0; i < 150; i++) {
            log.refused("a request", "198.51.100.1", 400, "a reason");
        }
        assertThat(lines).hasSize(RejectionLog.MOST_A_SECOND);
        assertThat(lines.getFirst())
                .isEqualTo("Refused a request from 198.51.100.1 with 400: a reason");
        now += Duration.ofSeconds(1).toNanos();
        log.refused("a request", "198.51.100.2", 431, "another");
        assertThat(lines.subList(100, lines.size()))
                .containsExactly(
                        "50 more were refused within a second and are not in this log",
                        "Refused a request from 198.51.100.2 with 431: another");
    }
}
