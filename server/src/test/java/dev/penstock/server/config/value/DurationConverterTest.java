package dev.penstock.server.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
    private final DurationConverter converter = new DurationConverter();

    @ParameterizedTest
    @CsvSource({"250ms,PT0.25S", "0s,PT0S", "30s,PT30S", "5m,PT5M", "1h,PT1H", "90m,PT1H30M"})
    void duration_wellWritten_isRead(String text, Duration duration) {
        assertThat(converter.convert(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "-1s", "1.5s", "30 s", "30S", "1d", "9999999999s"})
    void duration_illWritten_isRefused(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("30s");
    }

    @Test
    void text_anyDuration_isReadBack() {
        for (long millis : new long[] {0, 1, 999, 1000, 59_000, 60_000, 61_000, 3_600_000}) {
            Duration duration = Duration.ofMillis(millis);
            assertThat(converter.convert(DurationConverter.text(duration))).isEqualTo(duration);
        }
    }
}
