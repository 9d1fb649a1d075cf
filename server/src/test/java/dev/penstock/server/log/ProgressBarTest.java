package dev.penstock.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressBarTest {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    private ProgressBar bar(boolean terminal) {
        return new ProgressBar(new PrintStream(shown, true, StandardCharsets.UTF_8), terminal);
    }

    private String shown() {
        return shown.toString(StandardCharsets.UTF_8);
    }

    @Test
    void show_transferOfKnownSize_hasBarRateAndTimeLeft() {
        bar(true).show("a.iso", 500_000_000, 2_000_000_000, 125_000_000);
        assertThat(shown())
                .isEqualTo(
                        "\ra.iso  [#####...............]  25 %  500 MB of 2.0 GB  125 MB/s  12 s left");
    }

    @Test
    void show_transferOfUnknownSize_hasBytesAndRate() {
        bar(true).show("-", 1_500, -1, 300);
        assertThat(shown()).isEqualTo("\r-  1.5 kB  300 bytes/s");
    }

    @Test
    void show_nothingToTransfer_isWhole() {
        bar(true).show("empty", 0, 0, 0);
        assertThat(shown()).isEqualTo("\rempty  [####################] 100 %  0 bytes of 0 bytes");
    }

    @Test
    void show_shorterLine_coversTheLongerOne() {
        ProgressBar bar = bar(true);
        bar.show("a", 1000, -1, 0);
        shown.reset();
        bar.show("a", 1, -1, 0);
        assertThat(shown()).isEqualTo("\ra  1 byte ".stripTrailing());
        shown.reset();
        bar.show("a", 0, -1, 0);
        assertThat(shown()).isEqualTo("\ra  0 bytes");
        bar.end();
        assertThat(shown()).endsWith(" \r");
    }

    @Test
    void show_longName_isShortenedInItsMiddle() {
        bar(true).show("a-very-long-name-of-a-file.tar.gz", 0, -1, 0);
        assertThat(shown()).isEqualTo("\ra-very-lon…le.tar.gz  0 bytes");
    }

    @Test
    void show_noTerminal_saysNothing() {
        bar(false).show("a", 1, 2, 3);
        assertThat(shown()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 bytes",
        "1, 1 byte",
        "999, 999 bytes",
        "1000, 1.0 kB",
        "99949, 99.9 kB",
        "99950, 100 kB",
        "999499, 999 kB",
        "999500, 1.0 MB",
        "1073741824, 1.1 GB",
        "9223372036854775807, 9.2 EB"
    })
    void bytes_anyNumber_isShort(long bytes, String text) {
        assertThat(ProgressBar.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.25, 0.3 s", "1, 1.0 s", "10, 10 s", "89, 89 s", "90, 2 min", "5400, 1.5 h"})
    void time_anyNumber_isShort(double seconds, String text) {
        assertThat(ProgressBar.time(seconds)).isEqualTo(text);
    }
}
