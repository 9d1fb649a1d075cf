package dev.penstock.films;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.codegen.Generator;
import dev.penstock.codegen.SchemaFile;
import dev.penstock.codegen.SourceFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The entities are what the generator makes of the schema file, and nothing else. */
class EntitiesTest {
    private static final Path SOURCES =
            Path.of("target/generated-sources/penstock/dev/penstock/films");

    @TempDir private Path copy;

    @Test
    void generate_fromTheSchemaFile_changesNothing() throws IOException {
        Path folder = Files.createDirectories(copy.resolve("dev/penstock/films"));
        try (Stream<Path> sources = Files.list(SOURCES)) {
            for (Path source : sources.toList()) {
                Files.copy(source, folder.resolve(source.getFileName()));
            }
        }

        SourceFolder.Outcome outcome = new SourceFolder(copy).write(generator());

        assertThat(outcome.unchanged()).hasSize(16 + 1);
        assertThat(outcome.written()).isEmpty();
        assertThat(outcome.kept()).isEmpty();
        assertThat(outcome.removed()).isEmpty();
    }

    @Test
    void generate_sixteenTables_areLessThanAHundredLinesEach() {
        List<Long> lines =
                generator().files().values().stream().map(text -> text.lines().count()).toList();

        assertThat(lines.stream().mapToLong(Long::longValue).sum()).isLessThan(16 * 100);
    }

    private static Generator generator() {
        return new Generator(SchemaFile.read(Path.of("films.schema")), "dev.penstock.films");
    }
}
