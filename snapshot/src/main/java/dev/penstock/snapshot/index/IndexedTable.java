package dev.penstock.snapshot.index;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.IndexesToBuild;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table with the indexes of its columns. Thread-safe. */
public final class IndexedTable {
    /** Indexes of several columns there may be. */
    private static final int MOST_SUMMARIES = 64;

    /** About how long it takes to count a row by one of its columns. */
    private static final long SUMMARY_NANOS = 4;

    private final StoredTable stored;
    private final List<IndexedColumn> columns;
    private final ColumnNames names;
    private final Memory memory;
    private final Map<List<IndexedColumn>, LazyIndex<CompositeIndex>> summaries =
            new ConcurrentHashMap<>();

    public IndexedTable(StoredTable stored, Memory memory) {
        this.stored = requireNonNull(stored);
        this.memory = requireNonNull(memory);
        String name = stored.table().name();
        columns =
                stored.columns().stream()
                        .map(column -> new IndexedColumn(column, name, memory))
                        .toList();
        names =
                new ColumnNames(
                        stored.table().columns().stream().map(Column::name).toList(), columns);
    }

    public StoredTable stored() {
        return stored;
    }

    /** One for each of the table's. */
    public List<IndexedColumn> columns() {
        return columns;
    }

    /** The columns under their own names. */
    public ColumnNames names() {
        return names;
    }

    public int rows() {
        return stored.rows();
    }

    /** The index of these columns, which is built if need be; null where they have too many different values, or there is no memory. */
    public @Nullable CompositeIndex summary(List<IndexedColumn> of) {
        if (stored.rows() <= StoredTable.BLOCK_ROWS || !CompositeIndex.fits(of, stored.rows())) {
            return null;
        }
        List<IndexedColumn> key = of.stream().sorted(comparingInt(columns::indexOf)).toList();
        LazyIndex<CompositeIndex> known = summaries.get(key);
        if (IndexesToBuild.areOnlyNoted()) {
            return noted(key, known);
        }
        if (known == null) {
            if (summaries.size() >= MOST_SUMMARIES) {
                return null;
            }
            known =
                    summaries.computeIfAbsent(
                            key,
                            _ ->
                                    new LazyIndex<>(
                                            () -> name(key),
                                            SUMMARY_NANOS * key.size() * stored.rows(),
                                            () -> CompositeIndex.of(key, stored.rows(), memory)));
        }
        return known.get();
    }

    private static String name(List<IndexedColumn> columns) {
        return "the index of columns "
                + columns.stream()
                        .map(column -> column.stored().column().name())
                        .collect(Collectors.joining(", "));
    }

    /** The index of some columns, for an explanation. */
    private @Nullable CompositeIndex noted(
            List<IndexedColumn> columns, @Nullable LazyIndex<CompositeIndex> known) {
        CompositeIndex summary = known == null ? null : known.known();
        boolean mayBe = known == null ? summaries.size() < MOST_SUMMARIES : !known.isRefused();
        if (summary == null && mayBe) {
            IndexesToBuild.note(name(columns));
            IndexesToBuild.noteInstead(name(columns));
        }
        return summary;
    }

    /** The indexes that are there, of single columns and of several. */
    public List<BuiltIndex> indexes() {
        List<BuiltIndex> all = new ArrayList<>();
        columns.forEach(column -> all.addAll(column.indexes()));
        List<BuiltIndex> several = new ArrayList<>();
        summaries.forEach((key, each) -> {
            CompositeIndex summary = each.known();
            if (summary != null) {
                List<String> names = key.stream().map(c -> c.stored().column().name()).toList();
                several.add(new BuiltIndex(names, BuiltIndex.Kind.DIFFERENT, summary.bytes()));
            }
        });
        several.sort(comparing(index -> index.columns().toString()));
        all.addAll(several);
        return all;
    }
}
