package dev.penstock.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.loop.ClaimableTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the number of connections that a process has files for. */
final class FileDescriptorsTest {
    @ParameterizedTest
    @CsvSource({
        "1024, 40, 738",
        "64, 40, 8",
        "64, 64, 1",
        "64, 80, 1",
        "20000, 100, 19644",
        "4611686018427387904, 100, 2147483647"
    })
    void connections_getWhatIsFree_saveAPart(long limit, long open, int connections) {
        assertThat(FileDescriptors.forConnections(limit, open)).isEqualTo(connections);
    }

    @Test
    void reserve_givenUp_canBeTakenAgain() {
        FileDescriptors descriptors = new FileDescriptors();
        assertThat(descriptors.take()).isTrue();
        descriptors.release();
        assertThat(descriptors.take()).isTrue();
        descriptors.release();
    }

    @Test
    void task_claimed_doesNotRun() {
        StringBuilder runs = new StringBuilder();
        ClaimableTask task = new ClaimableTask(() -> runs.append("run "));
        assertThat(task.claim()).isTrue();
        task.run();
        assertThat(runs).isEmpty();
        ClaimableTask other = new ClaimableTask(() -> runs.append("run "));
        other.run();
        other.run();
        assertThat(other.claim()).isFalse();
        assertThat(runs).hasToString("run ");
    }
}
