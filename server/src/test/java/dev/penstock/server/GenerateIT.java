package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.server.config.DatabaseOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands that generate code. That Maven builds the project which one of them makes is tested with the artifacts.
 */
@Tag("any-loops")
class GenerateIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static TestDatabase database;

    @TempDir private Path folder;

    @BeforeAll
    static void create() {
        database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL);
        database.execute(
                "create type rating as enum ('G', 'PG-13')",
                "create table language (language_id int primary key, name varchar(20) not null)",
                "create table film (film_id int primary key, title text not null, language_id int references language,"
                        + " rental_duration int not null, length int, rating rating)",
                "insert into language values (1, 'English')",
                "insert into film select i, 'FILM ' || i, 1, i % 5, i, case when i % 3 = 0 then 'PG-13' end::rating"
                        + " from generate_series(1, 100) i");
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private static String run(int exitCode, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (!all.contains("--from") || all.contains("--project")) {
            all.addAll(List.of("--jdbc", database.url(), "--user", database.user()));
        }
        Map<String, String> password =
                Map.of(DatabaseOptions.PASSWORD_VARIABLE, database.password());
        try (PenstockProcess process = PenstockProcess.start("96m", password, all)) {
            int code = process.exitCode(LIMIT);
            String said = process.out() + process.err();
            assertThat(code).as(said).isEqualTo(exitCode);
            return said;
        }
    }

    @Test
    void schema_editedFile_isKeptAndGeneratedFrom() throws Exception {
        String file = folder.resolve("film.schema").toString();
        Path source = folder.resolve("src");
        assertThat(run(0, "schema", "--out", file)).contains("penstock generate --from " + file);
        Path path = Path.of(file);
        String edited =
                Files.readString(path)
                        .replace("as: length", "as: minutes")
                        .replace("as: Film", "as: Movie");
        Files.writeString(path, edited);
        assertThat(run(0, "schema", "--out", file)).contains("with the choices that were in it");
        assertThat(Files.readString(path)).isEqualTo(edited);
        String[] generate = {
            "generate", "--from", file, "--package", "a.b", "--out", source.toString()
        };
        assertThat(run(0, generate)).contains("3 files written, 0 as they were");
        Path movie = source.resolve("a/b/Movie.java");
        assertThat(movie).content().contains("@Nullable Integer minutes");
        Files.writeString(movie, "package a.b;\n\nrecord Movie() {}\n");
        assertThat(run(0, generate))
                .contains("0 files written, 2 as they were")
                .contains("left " + movie + " as it is, since it was changed by hand");
        assertThat(movie).content().contains("record Movie() {}");
    }

    @Test
    void generate_badOptions_areRefusedWithARemedy() throws Exception {
        assertThat(run(2, "generate", "--package", "a.b"))
                .contains("generate needs --out DIR for the sources, or --project DIR");
        assertThat(run(2, "generate", "--package", "a.class", "--out", folder.toString()))
                .contains("\"a.class\" can't be the name of a package");
        assertThat(run(2, "generate", "--package", "a", "--out", "x", "--schema", "nowhere"))
                .contains("--schema nowhere is not in the database: choose one of");
        Path file =
                Files.writeString(
                        folder.resolve("x.schema"),
                        "penstock-schema: 2\ntables:\n  t:\n    columns:\n      a: {type: number}\n");
        assertThat(run(2, "generate", "--package", "a", "--out", "x", "--from", file.toString()))
                .contains(file + ", line 5, column 17: column t.a has the unknown type \"number\"");
    }
}
