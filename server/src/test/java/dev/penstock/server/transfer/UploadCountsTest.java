package dev.penstock.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.Upload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UploadCountsTest {
    @TempDir private Path directory;

    private static Upload upload(long length) {
        return new Upload(
                "id",
                "",
                Optional.empty(),
                Optional.empty(),
                OptionalLong.of(length),
                0,
                false,
                Instant.EPOCH,
                Instant.EPOCH,
                Map.of());
    }

    @Test
    void accept_directoryWithRoom_isCounted() throws Exception {
        Files.write(directory.resolve("a"), new byte[60]);
        UploadCounts counts = new UploadCounts(directory, 100);
        counts.accept(upload(40));
        assertThat(counts.begun()).isEqualTo(1);
    }

    @Test
    void accept_fullDirectory_isRefused() throws Exception {
        Files.write(directory.resolve("a"), new byte[60]);
        UploadCounts counts = new UploadCounts(directory, 100);
        assertThatThrownBy(() -> counts.accept(upload(41)))
                .isInstanceOf(TransferException.class)
                .hasMessage(
                        "The files here have 60 bytes, and together with this one they may have 100: delete some in"
                                + " the server's directory");
        assertThat(counts.begun()).isZero();
    }

    @Test
    void accept_noBound_takesAnything() throws Exception {
        UploadCounts counts = new UploadCounts(directory.resolve("none"), Long.MAX_VALUE);
        counts.accept(upload(Long.MAX_VALUE));
        assertThat(counts.begun()).isEqualTo(1);
    }
}
