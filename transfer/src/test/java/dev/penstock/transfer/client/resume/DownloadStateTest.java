package dev.penstock.transfer.client.resume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transfer.client.resume.DownloadState.RemoteFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of what a download finds of an earlier one. */
final class DownloadStateTest {
    private static final String KEY = "get-1";

    @TempDir private Path directory;

    private void download(int bytes) throws IOException {
        try (PartFile part = PartFile.open(directory.resolve("file"));
                DownloadState state = DownloadState.open(part, KEY)) {
            state.begin(new RemoteFile(100, "\"1\""));
            part.write(ByteBuffer.allocate(bytes), 0);
            state.finished(new ByteSpan(0, bytes));
        }
    }

    private long there() throws IOException {
        try (PartFile part = PartFile.open(directory.resolve("file"));
                DownloadState state = DownloadState.open(part, KEY)) {
            return state.total();
        }
    }

    @Test
    void state_ofAPartFile_saysWhatIsThere() throws IOException {
        download(60);
        assertThat(there()).isEqualTo(60);
    }

    @Test
    void state_partFileWasRemoved_beginsAgain() throws IOException {
        download(60);
        Files.delete(directory.resolve("file.part"));
        assertThat(there()).isZero();
    }

    @Test
    void state_threadIsInterrupted_isWrittenAndStaysOpen() throws IOException {
        try (PartFile part = PartFile.open(directory.resolve("file"));
                DownloadState state = DownloadState.open(part, KEY)) {
            state.begin(new RemoteFile(100, "\"1\""));
            Thread.currentThread().interrupt();
            part.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
            state.finished(new ByteSpan(0, 3));
            assertThat(Thread.interrupted()).isTrue();
            ByteBuffer read = ByteBuffer.allocate(3);
            part.read(read, 0);
            assertThat(read.array()).containsExactly(1, 2, 3);
            part.write(ByteBuffer.wrap(new byte[] {4, 5}), 3);
            state.finished(new ByteSpan(3, 5));
        }
        assertThat(there()).isEqualTo(5);
    }
}
