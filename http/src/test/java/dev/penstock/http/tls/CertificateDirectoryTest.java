package dev.penstock.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of how a directory with certificates is read. */
final class CertificateDirectoryTest {
    @TempDir private Path directory;

    private Path write(String name, String text) {
        try {
            return Files.writeString(directory.resolve(name), text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ten thousand files may be 10 GiB: none is read before the one before it was taken. */
    @Test
    void files_ofADirectory_areReadOneAtATime() {
        int files = 5;
        for (int i = 0; i < files; i++) {
            write(i + ".pem", "0");
        }
        List<String> names = new ArrayList<>();
        Set<String> states = new HashSet<>();
        CertificateSource.directory(directory)
                .read(entry -> {
                    names.add(entry.name());
                    states.add(entry.state());
                    int next = names.size();
                    if (next < files) {
                        write(next + ".pem", Integer.toString(next));
                    }
                });
        assertThat(names).hasSize(files).isSorted();
        assertThat(states).hasSize(files);
    }

    @Test
    void directory_withNothingInIt_hasOneEntryThatSaysSo() {
        List<CertificateSource.Entry> entries = new ArrayList<>();
        CertificateSource.directory(directory).read(entries::add);
        assertThat(entries).hasSize(1);
        assertThat(entries.getFirst().state())
                .startsWith("There is no TLS certificate in " + directory);
    }
}
