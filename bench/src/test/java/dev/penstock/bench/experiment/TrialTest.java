package dev.penstock.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TrialTest {
    @Test
    void order_repetitions_eachBeginsWithAnother() {
        assertThat(Trial.order(List.of("a", "b", "c"), 4)).containsExactly("b", "c", "a");
    }
}
