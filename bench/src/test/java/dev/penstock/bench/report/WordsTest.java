package dev.penstock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void time_anySize_hasTheUnitThatSuitsIt() {
        assertThat(Words.time(4.56)).isEqualTo("4.56 ns");
        assertThat(Words.time(999.4)).isEqualTo("999 ns");
        assertThat(Words.time(1e3)).isEqualTo("1.00 µs");
        assertThat(Words.time(23.4e6)).isEqualTo("23.4 ms");
        assertThat(Words.time(59e9)).isEqualTo("59.0 s");
        assertThat(Words.time(90e9)).isEqualTo("1.50 min");
        assertThat(Words.time(7200e9)).isEqualTo("2.00 h");
        assertThat(Words.time(72_000_000e9)).isEqualTo("20,000 h");
        assertThat(Words.time(Double.NaN)).isEmpty();
    }

    @Test
    void count_anySize_isShortenedWhereItIsLong() {
        assertThat(Words.count(0.5)).isEqualTo("0.50");
        assertThat(Words.count(9_876)).isEqualTo("9,876");
        assertThat(Words.count(12_345)).isEqualTo("12.3 k");
        assertThat(Words.count(16_958_800)).isEqualTo("17.0 M");
    }
}
