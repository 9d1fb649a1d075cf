package dev.penstock.bench;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The experiments with servers at a tiny size. */
class ServerExperimentsIT extends TinyExperiments {
    @ParameterizedTest
    @CsvSource({"suspend, h2", "websockets, h2", "uploads, h2", "requests, h2", "static-files, h2"})
    void run_tiny_measuresAndReports(String name, String database) throws IOException {
        var _ = measured(name, database);
    }
}
