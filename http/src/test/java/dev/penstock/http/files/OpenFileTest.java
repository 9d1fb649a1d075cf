package dev.penstock.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpenFileTest {
    private static final OpenFile.Form FORM = new OpenFile.Form("application/x", null, false);

    @TempDir private Path directory;

    @Test
    void file_lookedAtByAnInterruptedThread_staysOpenForOthers() throws Exception {
        Path path = Files.write(directory.resolve("a"), new byte[OpenFile.SMALL + 1]).toRealPath();
        OpenFile file = OpenFile.open(path, FORM, 1);
        Thread.currentThread().interrupt();
        try {
            assertThat(file.isWhole()).isFalse();
            assertThat(file.isStill(path, FORM)).isFalse();
        } finally {
            var _ = Thread.interrupted();
        }
        assertThat(file.channel().isOpen()).isTrue();
        assertThat(file.isWhole()).isTrue();
        assertThat(file.isStill(path, FORM)).isTrue();
        file.release();
    }
}
