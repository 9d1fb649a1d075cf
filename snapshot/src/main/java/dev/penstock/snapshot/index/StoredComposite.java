package dev.penstock.snapshot.index;

import dev.penstock.snapshot.memory.Longs;
import java.util.List;

/**
 * An index of several columns as the numbers that a file keeps of it.
 *
 * @param columns the places of the columns in the table, in order
 * @param codes those of each column, in the index's rows
 * @param weights how many of the table's rows each of these stands for
 */
public record StoredComposite(List<Integer> columns, List<Longs> codes, Longs weights) {
    public StoredComposite {
        columns = List.copyOf(columns);
        codes = List.copyOf(codes);
    }
}
