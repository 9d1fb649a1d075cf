package dev.penstock.snapshot.index;

import dev.penstock.snapshot.memory.Longs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a column that are there, as the numbers that a file keeps of them.
 *
 * @param texts the order of texts that are kept by themselves: a rank for each row, the first row of each rank, and the
 *     heads of some texts; empty where it is not there
 * @param counts how many rows there are of each code; null where they are not there
 * @param order the rows in the order of the codes; null where it is not there, or the rows are in that order
 */
public record StoredIndexes(
        List<Longs> texts, @Nullable CumulativeCounts counts, @Nullable Longs order) {
    public StoredIndexes {
        texts = List.copyOf(texts);
    }
}
