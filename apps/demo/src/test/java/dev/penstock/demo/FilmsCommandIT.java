package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.server.PenstockProcess;
import dev.penstock.server.config.DatabaseOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The command that makes a film store. */
class FilmsCommandIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void films_twice_saysHowToReplace() throws Exception {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.MARIADB)) {
            try (PenstockProcess first = films(database, "--scale", "0.1")) {
                assertThat(first.exitCode(LIMIT)).as(first.err()).isZero();
                assertThat(first.out())
                        .containsPattern("The film store is there: [0-9,]+ rows in [0-9.]+ s");
            }
            try (PenstockProcess second = films(database, "--scale", "0.1")) {
                assertThat(second.exitCode(LIMIT)).isEqualTo(2);
                assertThat(second.err()).contains("there is a table or view", "--replace");
            }
            try (PenstockProcess third = films(database, "--scale", "0.2", "--replace")) {
                assertThat(third.exitCode(LIMIT)).as(third.err()).isZero();
            }
            try (PenstockProcess wrong = films(database, "--scale", "-1")) {
                assertThat(wrong.exitCode(LIMIT)).isEqualTo(2);
                assertThat(wrong.err()).contains("--scale -1.0").contains("at most 100000");
            }
        }
    }

    private static PenstockProcess films(TestDatabase database, String... more) throws Exception {
        List<String> arguments =
                new ArrayList<>(
                        List.of("films", "--jdbc", database.url(), "--user", database.user()));
        arguments.addAll(List.of(more));
        return PenstockProcess.start(
                PenstockDemo.class,
                "64m",
                Map.of(DatabaseOptions.PASSWORD_VARIABLE, database.password()),
                arguments);
    }
}
