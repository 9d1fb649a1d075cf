package dev.penstock.bench.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.bench.experiment.NanosecondBenchmark;
import dev.penstock.query.Utf8;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/** A row's cells as bytes, as a cursor hands them through, and by way of Strings, which it avoids. */
public class Utf8Benchmark extends NanosecondBenchmark {
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
