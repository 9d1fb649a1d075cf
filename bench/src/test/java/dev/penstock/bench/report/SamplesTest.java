package dev.penstock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void median_odd_isTheMiddle() {
        assertThat(Samples.of(9, 1, 5).median()).isEqualTo(5);
    }

    @Test
    void median_even_isTheMeanOfTheMiddleTwo() {
        assertThat(Samples.of(9, 1, 5, 6).median()).isEqualTo(5.5);
    }

    @Test
    void median_none_isNoNumber() {
        assertThat(new Samples().median()).isNaN();
    }

    @Test
    void medianRatio_machineSlowsDown_fallsOut() {
        // The machine was half as fast in the third repetition, for both.
        assertThat(Samples.of(10, 10, 5).medianRatio(Samples.of(8, 8, 4))).isEqualTo(1.25);
    }
}
