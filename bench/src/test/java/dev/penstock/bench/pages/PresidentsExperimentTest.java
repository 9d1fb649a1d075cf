package dev.penstock.bench.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PresidentsExperimentTest {
    @Test
    void points_default_areTheCornersOfTheGrid() {
        assertThat(PresidentsExperiment.points(false, 1))
                .isEqualTo(
                        List.of(
                                new PresidentsExperiment.Point(86, 4),
                                new PresidentsExperiment.Point(86, 1024),
                                new PresidentsExperiment.Point(989, 4),
                                new PresidentsExperiment.Point(989, 1024)));
        assertThat(PresidentsExperiment.points(true, 1)).hasSize(30);
    }
}
