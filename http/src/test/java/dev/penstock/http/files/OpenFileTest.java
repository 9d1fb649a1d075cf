package dev.penstock.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpenFileTest {
    private static final int LOOKS = 20_000;
    private static final OpenFile.Form FORM = new OpenFile.Form("application/x", null, false);

    @TempDir private Path directory;

    @Test
    void file_lookedAtByAnInterruptedThread_staysOpenForOthers() throws Exception {
        Path path = Files.write(directory.resolve("a"), new byte[OpenFile.SMALL + 1]).toRealPath();
        OpenFile file = OpenFile.open(path, FORM, 1);
        Thread.currentThread().interrupt();
        try {
            assertThat(file.isUnchanged()).isTrue();
            assertThat(file.isStill(path, FORM)).isTrue();
        } finally {
            var _ = Thread.interrupted();
        }
        assertThat(file.channel().isOpen()).isTrue();
        file.release();
    }

    /** The flag of a thread that was interrupted before can be asked for; an interrupt during a look can't. */
    @Test
    void file_lookedAtByAThreadThatIsBeingInterrupted_staysOpenForOthers() throws Exception {
        Path path = Files.write(directory.resolve("a"), new byte[OpenFile.SMALL + 1]).toRealPath();
        OpenFile file = OpenFile.open(path, FORM, 1);
        Thread handler =
                Thread.ofVirtual()
                        .start(() -> {
                            for (int i = 0; i < LOOKS; i++) {
                                var _ = file.isStill(path, FORM);
                                var _ = Thread.interrupted();
                            }
                        });
        while (handler.isAlive()) {
            handler.interrupt();
        }
        assertThat(file.channel().isOpen()).isTrue();
        file.release();
    }

    @Test
    void isUnchanged_fileIsShorterOrAnother_isFalse() throws Exception {
        Path path = Files.write(directory.resolve("a"), new byte[OpenFile.SMALL + 2]).toRealPath();
        OpenFile file = OpenFile.open(path, FORM, 1);
        assertThat(file.isUnchanged()).isTrue();
        Files.write(path, new byte[OpenFile.SMALL + 1]);
        assertThat(file.isUnchanged()).isFalse();
        assertThat(file.isWhole()).isFalse();
        Files.delete(path);
        assertThat(file.isUnchanged()).isFalse();
        file.release();
    }

    @Test
    void isUnchanged_fileIsClosed_isFalse() throws Exception {
        Path path = Files.write(directory.resolve("a"), new byte[OpenFile.SMALL + 1]).toRealPath();
        OpenFile file = OpenFile.open(path, FORM, 2);
        assertThat(file.isUnchanged()).isTrue();
        file.channel().close();
        assertThat(file.isUnchanged()).isFalse();
        file.release();
    }
}
