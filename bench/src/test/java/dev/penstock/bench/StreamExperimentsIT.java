package dev.penstock.bench;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The experiments with typed streams and documents at a tiny size. */
class StreamExperimentsIT extends TinyExperiments {
    @ParameterizedTest
    @CsvSource({
        "films-sql, postgresql",
        "films, mariadb",
        "restart, postgresql",
        "follow, mariadb",
        "sums, postgresql",
        "documents, postgresql"
    })
    void run_tiny_measuresAndReports(String name, String database) throws IOException {
        var _ = measured(name, database);
    }
}
