package dev.penstock.snapshot.column;

import dev.penstock.query.Utf8;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.SeededHash;
import java.util.BitSet;

/** A counter of the different values of a column. */
public final class DistinctCounter {
    /** Codes of so small a range are counted exactly, with a bit for each. */
    private static final long EXACT = 1 << 16;

    private static final int REGISTER_BITS = 12;
    private static final int REGISTERS = 1 << REGISTER_BITS;
    private static final SeededHash HASH = SeededHash.random();

    private final byte[] registers = new byte[REGISTERS];

    private DistinctCounter() {}

    /**
     * Returns how many there are, NULL apart: exactly where the list of them or a small range of numbers tells, else
     * about.
     */
    public static long count(StoredColumn column) {
        return switch (column) {
            case CodedColumn coded -> coded(coded);
            case TextColumn text -> texts(text);
        };
    }

    private static long coded(CodedColumn column) {
        if (column.values().isEmpty()) {
            return 0;
        }
        if (column.encoding() instanceof CodeEncoding.Listed(Dictionary values)) {
            return values.size();
        }
        long least = column.values().least();
        long span = column.values().greatest() - least;
        Longs codes = column.codes();
        if (span >= 0 && span < EXACT) {
            BitSet found = new BitSet();
            for (int row = 0; row < codes.size(); row++) {
                long code = codes.get(row);
                if (code >= least) {
                    found.set((int) (code - least));
                }
            }
            return found.cardinality();
        }
        DistinctCounter different = new DistinctCounter();
        for (int row = 0; row < codes.size(); row++) {
            if (!column.isNull(row)) {
                different.add(codes.get(row));
            }
        }
        return Math.min(different.estimate(), column.rows());
    }

    private static long texts(TextColumn column) {
        DistinctCounter different = new DistinctCounter();
        TextColumn.Reader reader = column.reader();
        for (int row = 0; row < column.rows(); row++) {
            if (!column.isNull(row)) {
                Utf8 text = reader.key(row);
                different.add(HASH.of(text.array(), text.offset(), text.length()));
            }
        }
        return Math.min(different.estimate(), column.rows());
    }

    /** P. Flajolet et al., "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm" (2007). */
    private void add(long value) {
        long hash = HASH.of(value);
        int register = (int) (hash >>> (Long.SIZE - REGISTER_BITS));
        int rank = Long.numberOfLeadingZeros(hash << REGISTER_BITS | 1) + 1;
        registers[register] = (byte) Math.max(registers[register], rank);
    }

    private long estimate() {
        double sum = 0;
        int zeros = 0;
        for (byte register : registers) {
            sum += Math.scalb(1.0, -register);
            zeros += register == 0 ? 1 : 0;
        }
        double estimate = 0.7213 / (1 + 1.079 / REGISTERS) * REGISTERS * REGISTERS / sum;
        boolean isSmall = estimate <= 2.5 * REGISTERS && zeros > 0;
        return Math.round(isSmall ? REGISTERS * Math.log((double) REGISTERS / zeros) : estimate);
    }
}
