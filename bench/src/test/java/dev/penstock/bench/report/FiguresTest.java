package dev.penstock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void time_anySize_hasTheUnitThatSuitsIt() {
        assertThat(Figures.time(4.56)).isEqualTo("4.56 ns");
        assertThat(Figures.time(999.4)).isEqualTo("999 ns");
        assertThat(Figures.time(1e3)).isEqualTo("1.00 µs");
        assertThat(Figures.time(23.4e6)).isEqualTo("23.4 ms");
        assertThat(Figures.time(59e9)).isEqualTo("59.0 s");
        assertThat(Figures.time(90e9)).isEqualTo("1.50 min");
        assertThat(Figures.time(7200e9)).isEqualTo("2.00 h");
        assertThat(Figures.time(72_000_000e9)).isEqualTo("20,000 h");
        assertThat(Figures.time(Double.NaN)).isEmpty();
    }

    @Test
    void count_anySize_isShortenedWhereItIsLong() {
        assertThat(Figures.count(0.5)).isEqualTo("0.50");
        assertThat(Figures.count(9_876)).isEqualTo("9,876");
        assertThat(Figures.count(12_345)).isEqualTo("12.3 k");
        assertThat(Figures.count(16_958_800)).isEqualTo("17.0 M");
    }
}
