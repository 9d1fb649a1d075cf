package dev.penstock.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TransferMeterTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void at_steadyRate_isThatRate() {
        TransferMeter meter = new TransferMeter(0, 500);
        for (int second = 1; second < 10; second++) {
            assertThat(meter.at(second * SECOND, 500 + 1000L * second))
                    .isCloseTo(1000, within(0.01));
        }
    }

    @Test
    void at_tooSoon_isWhatItWas() {
        TransferMeter meter = new TransferMeter(0, 0);
        assertThat(meter.at(SECOND / 100, 1_000_000)).isZero();
        assertThat(meter.at(SECOND, 1_000_000)).isCloseTo(1e6, within(1.0));
    }

    @Test
    void at_stall_fallsBySmoothing() {
        TransferMeter meter = new TransferMeter(0, 0);
        meter.at(SECOND, 1000);
        double afterFour = meter.at(5 * SECOND, 1000);
        assertThat(afterFour).isBetween(300.0, 400.0);
        assertThat(meter.at(60 * SECOND, 1000)).isLessThan(1);
    }

    @Test
    void at_stepBack_isNotNegative() {
        TransferMeter meter = new TransferMeter(0, 1000);
        assertThat(meter.at(SECOND, 0)).isZero();
    }
}
