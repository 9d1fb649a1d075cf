package dev.penstock.bench.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.Utf8;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A row's cells as bytes, as a cursor hands them through, and by way of Strings, which it avoids. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Utf8Benchmark {
    private static final int ROWS = 1000;

    private final MemoryRows rows = MemoryRows.lineitems(ROWS);
    private final byte[] target = new byte[64];

    /** Copies each cell's bytes. Returns how many, for the harness to use. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long bytes() {
        long copied = 0;
        rows.rewind();
        while (rows.next()) {
            for (int column = 0; column < Lineitems.COLUMN_COUNT; column++) {
                Utf8 text = rows.text(column);
                if (text != null) {
                    System.arraycopy(text.array(), text.offset(), target, 0, text.length());
                    copied += text.length();
                }
            }
        }
        return copied;
    }

    /** Makes each cell a String and encodes that. Returns how many bytes, for the harness to use. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long strings() {
        long copied = 0;
        rows.rewind();
        while (rows.next()) {
            for (int column = 0; column < Lineitems.COLUMN_COUNT; column++) {
                byte[] encoded = rows.getString(column).getBytes(UTF_8);
                System.arraycopy(encoded, 0, target, 0, encoded.length);
                copied += encoded.length;
            }
        }
        return copied;
    }
}
