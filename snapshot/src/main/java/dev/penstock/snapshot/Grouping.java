package dev.penstock.snapshot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Numbers rows by the group that they are in: those with equal codes in all of some columns. Groups are numbered from 0, by where they first occur. Used by one
 * thread.
 *
 * <p>The codes of a row are packed in one number; where that is more than 64 bits, the group by the first columns, with the codes of the next ones, makes the
 * number of the next stage.
 */
final class Grouping {
    private static final int GROUP_BITS = 32;

    private final List<Stage> stages = new ArrayList<>();
    private final long[] keys = new long[Filter.BLOCK];
    private final long[] codes = new long[Filter.BLOCK];
    private int[] first = new int[16];
    private int size;

    /** Some bits of the codes of a column. */
    private record Part(Longs codes, int shift, int bits) {}

    /** The parts that are packed in one number, after the group so far. */
    private record Stage(List<Part> parts, LongNumbers groups) {}

    Grouping(List<Longs> columns) {
        List<Part> parts = new ArrayList<>();
        int left = Long.SIZE;
        for (Longs codes : columns) {
            for (Part part : parts(codes)) {
                if (part.bits() > left) {
                    stages.add(new Stage(List.copyOf(parts), new LongNumbers(Long.SIZE)));
                    parts.clear();
                    left = Long.SIZE - GROUP_BITS;
                }
                parts.add(part);
                left -= part.bits();
            }
        }
        int bits = Long.SIZE - left + (stages.isEmpty() ? 0 : GROUP_BITS);
        stages.add(new Stage(List.copyOf(parts), new LongNumbers(bits)));
    }

    private static List<Part> parts(Longs codes) {
        int bits = codes.width() * Byte.SIZE;
        return switch (bits) {
            case 0 -> List.of();
            case Long.SIZE -> List.of(new Part(codes, 32, 32), new Part(codes, 0, 32));
            default -> List.of(new Part(codes, 0, bits));
        };
    }

    /** Writes the group of each of the first {@code count} rows, which are a block at the most. */
    void assign(int[] rows, int count, int[] groups) {
        Arrays.fill(groups, 0, count, 0);
        for (Stage stage : stages) {
            for (int i = 0; i < count; i++) {
                keys[i] = groups[i];
            }
            for (Part part : stage.parts()) {
                append(part, rows, count);
            }
            LongNumbers numbers = stage.groups();
            for (int i = 0; i < count; i++) {
                groups[i] = numbers.number(keys[i]);
            }
        }
        for (int i = 0; i < count; i++) {
            if (groups[i] == size) {
                add(rows[i]);
            }
        }
    }

    private void append(Part part, int[] rows, int count) {
        Gather.read(part.codes(), rows, count, codes);
        long base = part.codes().base();
        long mask = (1L << part.bits()) - 1;
        for (int i = 0; i < count; i++) {
            keys[i] = (keys[i] << part.bits()) | (((codes[i] - base) >>> part.shift()) & mask);
        }
    }

    private void add(int row) {
        if (size == first.length) {
            first = Arrays.copyOf(first, size * 2);
        }
        first[size++] = row;
    }

    /** How many groups there are. */
    int size() {
        return size;
    }

    /** The first row of each group. */
    RowList firsts() {
        return new RowList(first, size);
    }
}
