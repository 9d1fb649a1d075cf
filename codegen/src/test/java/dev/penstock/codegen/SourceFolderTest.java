package dev.penstock.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFolderTest {
    @TempDir private Path root;
    private Path film;
    private Path language;

    @BeforeEach
    void nameFiles() {
        film = root.resolve("a/b/Film.java");
        language = root.resolve("a/b/Language.java");
    }

    private SourceFolder.Outcome write(String schema) {
        SchemaFile file = SchemaFile.parse("penstock-schema: 2\ntables:\n" + schema, "test");
        return new SourceFolder(root).write(new Generator(file, "a.b"));
    }

    private static final String FILM = "  film: {columns: {a: {type: int}}}\n";
    private static final String BOTH = FILM + FILM.replace("film", "language");

    @Test
    void write_twice_leavesTheFilesAlone() throws Exception {
        assertThat(write(BOTH).written()).containsExactly(film, language);
        Object before = Files.getLastModifiedTime(film);
        SourceFolder.Outcome second = write(BOTH);
        assertThat(second.written()).isEmpty();
        assertThat(second.unchanged()).containsExactly(film, language);
        assertThat(Files.getLastModifiedTime(film)).isEqualTo(before);
    }

    @Test
    void write_changedSchema_writesWhatChanged() throws Exception {
        write(BOTH);
        SourceFolder.Outcome second = write(BOTH.replaceFirst("int", "long"));
        assertThat(second.written()).containsExactly(film);
        assertThat(second.unchanged()).containsExactly(language);
        assertThat(Files.readString(film)).contains("LongField");
    }

    @Test
    void write_fileChangedByHand_keepsIt() throws Exception {
        write(BOTH);
        String edited = Files.readString(film).replace("TABLE =", "MY_TABLE =");
        Files.writeString(film, edited);
        SourceFolder.Outcome second = write(BOTH.replace("int", "long"));
        assertThat(second.kept()).containsExactly(film);
        assertThat(second.written()).containsExactly(language);
        assertThat(Files.readString(film)).isEqualTo(edited);
    }

    @Test
    void write_fileOfSomebody_keepsIt() throws Exception {
        Files.createDirectories(root.resolve("a/b"));
        Files.writeString(film, "package a.b;\n\nfinal class Film {}\n");
        Files.write(language, new byte[] {(byte) 0xff});
        assertThat(write(BOTH).kept()).containsExactly(film, language);
        assertThat(Files.readString(film)).contains("final class Film {}");
    }

    @Test
    void write_formattedFile_isNotOneChangedByHand() throws Exception {
        write(BOTH);
        String formatted = Files.readString(film).replace("\n", "\r\n").replace("    ", "\t");
        Files.writeString(film, formatted);
        assertThat(write(BOTH).unchanged()).containsExactly(film, language);
        assertThat(write(BOTH.replace("int", "long")).written()).containsExactly(film, language);
    }

    @Test
    void write_tableGone_removesItsFileUnlessChanged() throws Exception {
        write(BOTH + FILM.replace("film", "other"));
        Path other = root.resolve("a/b/Other.java");
        Path own = root.resolve("a/b/Own.java");
        Files.writeString(own, "package a.b;\n");
        Files.writeString(language, Files.readString(language) + "// mine\n");
        SourceFolder.Outcome outcome = write(FILM);
        assertThat(outcome.removed()).isEqualTo(List.of(other));
        assertThat(own).exists();
        assertThat(language).exists();
        assertThat(other).doesNotExist();
    }
}
