package dev.penstock.bench;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The experiments with bodies and whole applications at a tiny size. */
class ApplicationExperimentsIT extends TinyExperiments {
    @ParameterizedTest
    @CsvSource({"transfer, h2", "service, h2", "daytrader, postgresql"})
    void run_tiny_measuresAndReports(String name, String database) throws IOException {
        var _ = measured(name, database);
    }
}
