package dev.penstock.transfer.client.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final List<String> LINES =
            List.of("file a b", "range 0 10", "forced", "range \u00e4 \u20ac");

    @TempDir Path directory;

    @Test
    void read_cutAtEachByte_givesTheWholeLines() throws IOException {
        Path path = directory.resolve("journal");
        try (Journal journal = Journal.open(path)) {
            for (String line : LINES) {
                journal.add(line);
            }
        }
        byte[] whole = Files.readAllBytes(path);
        int before = 0;
        for (int length = 0; length <= whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            List<String> read = Journal.read(path);
            assertThat(read).isEqualTo(LINES.subList(0, read.size()));
            assertThat(read.size()).isGreaterThanOrEqualTo(before);
            before = read.size();
        }
        assertThat(before).isEqualTo(LINES.size());
    }

    @Test
    void read_eachByteWrong_givesNoWrongLine() throws IOException {
        Path path = directory.resolve("journal");
        try (Journal journal = Journal.open(path)) {
            journal.rewrite(LINES);
        }
        byte[] whole = Files.readAllBytes(path);
        for (int i = 0; i < whole.length; i++) {
            byte[] wrong = whole.clone();
            wrong[i] ^= 1;
            Files.write(path, wrong);
            List<String> read = Journal.read(path);
            assertThat(read).isEqualTo(LINES.subList(0, read.size()));
        }
    }

    @Test
    void add_behindRewrite_isThere() throws IOException {
        Path path = directory.resolve("journal");
        try (Journal journal = Journal.open(path)) {
            journal.add("old");
            journal.rewrite(List.of("new"));
            journal.add("more");
        }
        assertThat(Journal.read(path)).containsExactly("new", "more");
    }
}
