package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A table with the indexes of its columns. Thread-safe. */
final class IndexedTable {
    /** Indexes of several columns there may be. */
    private static final int MOST_SUMMARIES = 64;

    private final StoredTable stored;
    private final List<IndexedColumn> columns;
    private final Names names;
    private final Memory memory;
    private final Map<List<IndexedColumn>, Lazy<Summary>> summaries = new ConcurrentHashMap<>();

    IndexedTable(StoredTable stored, Memory memory) {
        this.stored = requireNonNull(stored);
        this.memory = requireNonNull(memory);
        String name = stored.table().name();
        columns =
                stored.columns().stream()
                        .map(column -> new IndexedColumn(column, name, memory))
                        .toList();
        names = new Names(stored.table().columns().stream().map(Column::name).toList(), columns);
    }

    StoredTable stored() {
        return stored;
    }

    /** One for each of the table's. */
    List<IndexedColumn> columns() {
        return columns;
    }

    /** The columns under their own names. */
    Names names() {
        return names;
    }

    int rows() {
        return stored.rows();
    }

    /** The index of these columns, which is built if need be; null where they have too many different values, or there is no memory. */
    @Nullable Summary summary(List<IndexedColumn> of) {
        if (stored.rows() <= Filter.BLOCK || !Summary.fits(of, stored.rows())) {
            return null;
        }
        Lazy<Summary> known = summaries.get(of);
        if (known == null) {
            if (summaries.size() >= MOST_SUMMARIES) {
                return null;
            }
            known =
                    summaries.computeIfAbsent(
                            of, key -> new Lazy<>(() -> Summary.of(key, stored.rows(), memory)));
        }
        return known.get();
    }
}
