package dev.penstock.server.config;

import dev.penstock.server.config.value.DurationConverter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that limit how much a server does at once. */
public final class ConcurrencyOptions {
    @Option(
            names = "--connections",
            paramLabel = "N",
            description =
                    "How many connections to the database there are at the most (2 to 10000). Default: as"
                            + " many as the heap can stream through (one for 448 KiB, at most 128), and 16"
                            + " for short requests; fewer if the database allows fewer.")
    private @Nullable Integer connections;

    @Option(
            names = "--bulk-reads",
            paramLabel = "N",
            description =
                    "How many bulk reads run at once (1 to --connections less one): those without a limit,"
                            + " or with one above 1,000 rows, of tables that have more. Default: what"
                            + " --connections leaves beside short"
                            + " requests, which keep an eighth, at most 16.")
    private @Nullable Integer bulkReads;

    @Option(
            names = "--queue-limit",
            paramLabel = "N",
            description =
                    "How many requests wait at the most, without thread or connection, before the answer"
                            + " is 503 (0 to 100000). Default: one for 32 KiB of heap.")
    private @Nullable Integer queueLimit;

    @Option(
            names = "--queue-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "How long a request waits at the most before the answer is 503 (1ms to 1h). Default:"
                            + " 30s.")
    private @Nullable Duration queueTimeout;

    /**
     * Checks what can be checked without knowing the database.
     *
     * @throws StartupException if an option is out of its bounds
     */
    public void check() {
        limits(Runtime.getRuntime().maxMemory(), ConnectionAllowance.UNLIMITED);
    }

    /**
     * Checks that nothing was asked for that is about a database alone, where none is served.
     *
     * @throws StartupException if something was
     */
    public void checkWithoutDatabase() {
        if (connections != null || bulkReads != null) {
            throw new StartupException(
                    (connections != null ? "--connections" : "--bulk-reads")
                            + " is about a database: give --jdbc URL too");
        }
    }

    /** Returns the limits that were given, and derives the others, where no database is served. */
    public ConcurrencyLimits limits(long heapBytes) {
        return limits(heapBytes, ConnectionAllowance.UNLIMITED);
    }

    /** Returns the limits that were given, and derives the others. */
    public ConcurrencyLimits limits(long heapBytes, ConnectionAllowance database) {
        return ConcurrencyLimits.derive(
                heapBytes,
                database,
                new ConcurrencyLimits.Requested(connections, bulkReads, queueLimit, queueTimeout));
    }
}
