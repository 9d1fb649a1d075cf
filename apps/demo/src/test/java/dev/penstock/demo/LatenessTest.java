package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Quantiles of what was counted. */
class LatenessTest {
    private final Lateness lateness = new Lateness();

    @Test
    void take_ofNothing_isZero() {
        assertThat(lateness.take()).isEqualTo(new Lateness.Figures(0, 0, 0, 0));
    }

    @Test
    void take_ofAThousand_isWithinAnEighthAndStartsAnew() {
        for (int i = 1; i <= 1000; i++) {
            lateness.add(i * 100_000L);
        }
        Lateness.Figures figures = lateness.take();
        assertThat(figures.count()).isEqualTo(1000);
        assertThat(figures.medianMillis()).isCloseTo(50, within(7.0));
        assertThat(figures.p99Millis()).isCloseTo(99, within(13.0));
        assertThat(figures.mostMillis()).isEqualTo(100);
        assertThat(lateness.take().count()).isZero();
    }

    @Test
    void add_beyondAllClasses_isKeptInTheLast() {
        lateness.add(Long.MAX_VALUE);
        lateness.add(-5);
        assertThat(lateness.take().count()).isEqualTo(2);
    }
}
