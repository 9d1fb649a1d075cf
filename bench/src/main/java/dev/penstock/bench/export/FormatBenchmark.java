package dev.penstock.bench.export;

import dev.penstock.bench.experiment.NanosecondBenchmark;
import dev.penstock.format.RowFormat;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The cost of a row of lineitem in a format, from a cursor's bytes to a channel that drops them. */
public class FormatBenchmark extends NanosecondBenchmark {
    private static final int ROWS = 1000;

    /** The format's name. */
    @Param({"csv", "json", "ndjson", "html"})
    public String format = "csv";

    private final MemoryRows rows = MemoryRows.lineitems(ROWS);
    private final NullChannel channel = new NullChannel();
    private RowFormat chosen = RowFormat.named("csv").orElseThrow();

    /** Finds the format. */
    @Setup
    public void choose() {
        chosen = RowFormat.named(format).orElseThrow();
    }

    /** A row as bytes. Returns how many there were so far, for the harness to use. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long write() throws IOException {
        rows.rewind();
        chosen.write(rows, channel);
        return channel.bytes();
    }
}
