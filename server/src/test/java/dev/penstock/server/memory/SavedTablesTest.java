package dev.penstock.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of when the file of tables in memory is tried again. */
class SavedTablesTest {
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 2", "3, 4", "5, 16", "6, 16", "2147483647, 16"})
    void pause_afterFailures_doublesUpToSixteenMinutes(int failures, int minutes) {
        assertThat(SavedTables.pause(failures)).isEqualTo(Duration.ofMinutes(minutes));
    }
}
