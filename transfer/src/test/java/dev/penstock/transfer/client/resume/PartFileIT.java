package dev.penstock.transfer.client.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.ChildJvm;
import dev.penstock.transfer.TransferException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of who may write the files of a transfer, of this process and of others. */
final class PartFileIT {
    @TempDir private Path directory;

    /** Another process, which tries to open the files too. */
    static final class OtherProcess {
        private OtherProcess() {}

        /** Takes a target and a directory of records; tells which of their files it has got. */
        public static void main(String[] arguments) throws IOException {
            try (PartFile _ = PartFile.open(Path.of(arguments[0]))) {
                System.out.println("part file");
            } catch (TransferException e) {
                System.out.println(e.getMessage());
            }
            if (records(Path.of(arguments[1])).open("put-1").isPresent()) {
                System.out.println("record");
            }
        }
    }

    private static UploadRecords records(Path directory) {
        return new UploadRecords(directory, InstantSource.system());
    }

    private Path target() {
        return directory.resolve("film.bin");
    }

    private List<String> otherProcess() throws IOException {
        List<String> command =
                ChildJvm.command(
                        List.of("-Xmx32m", "-XX:TieredStopAtLevel=1"),
                        OtherProcess.class,
                        target().toString(),
                        directory.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var reader = process.inputReader()) {
            return reader.lines().toList();
        }
    }

    @Test
    void open_secondOfOneProcess_isRefusedAndLeavesTheLockToTheFirst() throws IOException {
        String busy =
                "%s is being downloaded already; wait for that download, or choose another name"
                        .formatted(target());
        try (PartFile _ = PartFile.open(target())) {
            assertThatThrownBy(() -> PartFile.open(target()))
                    .isInstanceOf(TransferException.class)
                    .hasMessage(busy);
            assertThat(otherProcess()).containsExactly(busy, "record");
        }
        assertThat(otherProcess()).containsExactly("part file", "record");
    }

    @Test
    void open_secondByAnotherPathOfTheFile_isRefused() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        Path byLink = link.resolve("film.bin");
        try (PartFile _ = PartFile.open(target())) {
            assertThatThrownBy(() -> PartFile.open(byLink))
                    .hasMessageStartingWith(byLink + " is being downloaded already;");
        }
        PartFile.open(byLink).close();
    }

    @Test
    void open_afterTheFileGotItsName_isAnotherFile() throws IOException {
        PartFile first = PartFile.open(target());
        first.publish();
        try (PartFile second = PartFile.open(target())) {
            first.close();
            assertThat(otherProcess()).doesNotContain("part file");
            assertThatThrownBy(() -> PartFile.open(target()))
                    .hasMessageContaining("is being downloaded already");
            second.publish();
        }
        assertThat(otherProcess()).contains("part file");
    }

    @Test
    void record_secondOfOneProcess_isNotThereAndLeavesTheLockToTheFirst() throws IOException {
        try (UploadRecords.Entry _ = records(directory).open("put-1").orElseThrow()) {
            assertThat(records(directory).open("put-1")).isEmpty();
            assertThat(otherProcess()).containsExactly("part file");
        }
        assertThat(otherProcess()).containsExactly("part file", "record");
    }
}
