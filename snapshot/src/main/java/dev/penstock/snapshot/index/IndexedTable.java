package dev.penstock.snapshot.index;

import static java.util.Comparator.comparing;

import dev.penstock.query.Column;
import dev.penstock.query.QueryException;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.Lifetime;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.IndexThreads;
import dev.penstock.snapshot.work.IndexesToBuild;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table with the indexes of its columns. Thread-safe. */
public final class IndexedTable {
    /** Indexes of several columns there may be. */
    private static final int MOST_COMPOSITES = 64;

    /** So many of them are had from a file, so that there is room for what is asked then. */
    private static final int MOST_RESTORED = MOST_COMPOSITES / 2;

    /** The memory for each row that building takes meanwhile. */
    private static final int SCRATCH_BYTES = 2 * Integer.BYTES;

    /** About how long it takes to count a row by one of its columns. */
    private static final long COMPOSITE_NANOS = 4;

    private static final System.Logger LOG = System.getLogger("dev.penstock.snapshot");

    private final StoredTable stored;
    private final List<IndexedColumn> columns;
    private final Lifetime lifetime = new Lifetime(this::release);
    private final ColumnNames names;
    private final Memory memory;
    private final Map<List<IndexedColumn>, LazyIndex<CompositeIndex>> composites =
            new ConcurrentHashMap<>();

    public IndexedTable(StoredTable stored, Memory memory) {
        this(stored, memory, null);
    }

    /**
     * @param before the table of the version before, with which it has the indexes of those columns in common that have
     *     not changed, and which has not ended; null for none
     */
    public IndexedTable(StoredTable stored, Memory memory, @Nullable IndexedTable before) {
        this.stored = stored;
        this.memory = memory;
        columns = columns(stored, memory, before);
        names =
                new ColumnNames(
                        stored.table().columns().stream().map(Column::name).toList(), columns);
        if (before != null) {
            before.composites.forEach((key, index) -> {
                if (columns.containsAll(key)) {
                    composites.put(key, index);
                }
            });
        }
    }

    @SuppressWarnings("ReferenceEquality") // what was made again is another column
    private static List<IndexedColumn> columns(
            StoredTable stored, Memory memory, @Nullable IndexedTable before) {
        List<IndexedColumn> known = before == null ? List.of() : before.columns;
        List<IndexedColumn> columns = new ArrayList<>();
        for (StoredColumn column : stored.columns()) {
            int place = columns.size();
            boolean isKnown = place < known.size() && known.get(place).stored() == column;
            if (isKnown) {
                known.get(place).lifetime().acquireHeld();
            }
            columns.add(
                    isKnown
                            ? known.get(place)
                            : new IndexedColumn(column, stored.table().name(), memory));
        }
        return List.copyOf(columns);
    }

    private void release() {
        columns.forEach(column -> column.lifetime().release());
    }

    /** Returns its lifetime: whoever reads its columns is one of its users. */
    public Lifetime lifetime() {
        return lifetime;
    }

    /**
     * Has indexes that were stored of the same rows.
     *
     * @param indexes those of each column
     * @param several those of several columns
     */
    public void restore(List<StoredIndexes> indexes, List<StoredComposite> several) {
        for (int i = 0; i < columns.size(); i++) {
            columns.get(i).restore(indexes.get(i));
        }
        for (StoredComposite each : several) {
            List<IndexedColumn> key = each.columns().stream().map(columns::get).toList();
            // Where it would not be looked for, it is of no use.
            if (isWorth(key) && composites.size() < MOST_RESTORED) {
                lazyComposite(key).buildNow(() -> CompositeIndex.restored(key, each, memory));
            }
        }
    }

    /** Returns the indexes of several columns that are there, in an order that depends on nothing else. */
    public List<StoredComposite> storedComposites() {
        List<StoredComposite> all = new ArrayList<>();
        composites.forEach((key, index) -> {
            CompositeIndex known = index.known();
            if (known != null) {
                all.add(known.stored(key, key.stream().map(columns::indexOf).toList()));
            }
        });
        all.sort(comparing(each -> each.columns().toString()));
        return all;
    }

    /**
     * Builds the indexes that the table of the version before has by now, by several threads.
     *
     * @param changes the difference between both; null where it is not known
     */
    public void buildIndexesOf(IndexedTable before, @Nullable RowChanges changes) {
        List<BuiltIndex> own = indexes();
        long bytes =
                before.indexes().stream()
                        .filter(index -> own.stream().noneMatch(index::isLike))
                        .mapToLong(BuiltIndex::bytes)
                        .sum();
        long scratch = (long) SCRATCH_BYTES * stored.rows();
        // Where there is too little memory, the version before has to go first.
        if (!stored.table().columns().equals(before.stored.table().columns())
                || bytes == 0
                || !memory.hasRoom(bytes + bytes / 4 + scratch)) {
            return;
        }
        buildEarly(before, changes);
    }

    private void buildEarly(IndexedTable before, @Nullable RowChanges changes) {
        try (Memory.Scratch scratch = memory.scratch()) {
            VersionDifference difference = difference(changes, scratch);
            List<Runnable> work = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                IndexedColumn own = columns.get(i);
                IndexedColumn other = before.columns.get(i);
                work.add(() -> own.buildIndexesOf(other, difference));
            }
            before.composites.forEach((key, built) -> {
                List<IndexedColumn> own =
                        key.stream().map(before.columns::indexOf).map(columns::get).toList();
                if (own.equals(key)) {
                    composites.putIfAbsent(own, built);
                    return;
                }
                CompositeIndex last = built.known();
                if (last != null && isWorth(own)) {
                    work.add(() ->
                            lazyComposite(own).buildEarly(() -> next(last, key, own, changes)));
                }
            });
            IndexThreads.all(work);
        } catch (QueryException e) {
            // They are built when they are asked for, where there is memory then.
            if (e.kind() != QueryException.Kind.MEMORY_LIMIT) {
                throw e;
            }
        }
    }

    private CompositeIndex next(
            CompositeIndex last,
            List<IndexedColumn> key,
            List<IndexedColumn> own,
            @Nullable RowChanges changes) {
        return changes == null
                ? CompositeIndex.of(own, stored.rows(), memory)
                : last.next(key, own, changes, memory);
    }

    private static @Nullable VersionDifference difference(
            @Nullable RowChanges changes, Memory.Scratch scratch) {
        return changes == null ? null : new VersionDifference(changes, scratch);
    }

    /**
     * Builds indexes that the version is to have from the beginning, by several threads; those that the version before
     * has are made of these. One of several columns is left out where it {@linkplain CompositeIndex#fits does not fit}.
     *
     * @param declared the names of each one's columns, in the table's order
     * @param before the table of the version before; null where there is none
     * @param changes the difference between both; null where it is not known
     * @param from the memory that they take, for they have to be had
     * @throws QueryException of kind {@code MEMORY_LIMIT} if there is too little
     */
    public void buildDeclared(
            Set<List<String>> declared,
            @Nullable IndexedTable before,
            @Nullable RowChanges changes,
            Memory from) {
        if (declared.isEmpty()) {
            return;
        }
        // Not thrown where they occur, so that nothing is read any more when the scratch memory
        // goes.
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        try (Memory.Scratch scratch = from.scratch()) {
            VersionDifference difference = difference(changes, scratch);
            List<Runnable> work = new ArrayList<>();
            for (List<String> each : declared) {
                work.add(() -> {
                    try {
                        buildDeclared(each, before, difference, from);
                    } catch (RuntimeException | Error e) {
                        failures.add(e);
                    }
                });
            }
            IndexThreads.all(work);
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
        switch (failures.peek()) {
            case null -> {}
            case QueryException first ->
                    throw new QueryException(
                            first.kind(),
                            "building the declared indexes of table %s failed: %s, or declare fewer indexes"
                                    .formatted(stored.table().name(), first.getMessage()),
                            first);
            case RuntimeException first -> throw first;
            case Throwable first -> throw (Error) first;
        }
    }

    private void buildDeclared(
            List<String> declared,
            @Nullable IndexedTable before,
            @Nullable VersionDifference difference,
            Memory from) {
        List<IndexedColumn> own = declared.stream().map(names::column).toList();
        if (own.size() == 1) {
            String name = declared.getFirst();
            own.getFirst()
                    .buildDeclared(
                            before == null ? null : before.names.column(name), difference, from);
        } else if (isWorth(own)) {
            lazyComposite(own).buildNow(() -> CompositeIndex.of(own, stored.rows(), from));
        } else if (!hasFewRows()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "table {0} is without {1}, which was declared: their values are too many for its rows,"
                            + " too far apart, or texts kept by themselves",
                    stored.table().name(),
                    name(own));
        }
    }

    /** Returns how many bytes outside the heap the declared indexes take that are there. */
    public long declaredBytes(Set<List<String>> declared) {
        return indexes().stream()
                .filter(index -> declared.contains(index.columns()))
                .mapToLong(BuiltIndex::bytes)
                .sum();
    }

    public StoredTable stored() {
        return stored;
    }

    /** Returns one for each of the table's. */
    public List<IndexedColumn> columns() {
        return columns;
    }

    /** Returns the columns under their own names. */
    public ColumnNames names() {
        return names;
    }

    public int rows() {
        return stored.rows();
    }

    /**
     * Returns the index of these columns, which is built if need be; null where they have too many different values, or
     * there is no memory, and in an explanation where it is not there.
     *
     * @param of in any order, each once or several times
     */
    public @Nullable CompositeIndex composite(List<IndexedColumn> of) {
        List<IndexedColumn> key = key(of);
        if (key == null) {
            return null;
        }
        LazyIndex<CompositeIndex> known = composites.get(key);
        if (IndexesToBuild.areOnlyNoted()) {
            return known == null ? null : known.known();
        }
        if (known == null) {
            if (composites.size() >= MOST_COMPOSITES) {
                return null;
            }
            known = lazyComposite(key);
        }
        return known.get();
    }

    /** Returns whether these columns may have an index, now or later. */
    public boolean mayHaveComposite(List<IndexedColumn> of) {
        return key(of) != null;
    }

    /** Returns the index of these columns where it is there by now. */
    public @Nullable CompositeIndex knownComposite(List<IndexedColumn> of) {
        List<IndexedColumn> key = key(of);
        LazyIndex<CompositeIndex> known = key == null ? null : composites.get(key);
        return known == null ? null : known.known();
    }

    private long nanos(List<IndexedColumn> key) {
        return COMPOSITE_NANOS * key.size() * stored.rows();
    }

    /** It keeps the columns, and not this table: a later version that has the same columns has it too. */
    private LazyIndex<CompositeIndex> lazyComposite(List<IndexedColumn> key) {
        long nanos = nanos(key);
        int rows = stored.rows();
        Memory from = memory;
        return composites.computeIfAbsent(
                key,
                _ ->
                        new LazyIndex<>(
                                () -> name(key),
                                nanos,
                                key.stream().map(IndexedColumn::lifetime).toList(),
                                () -> CompositeIndex.of(key, rows, from)));
    }

    /**
     * Returns the name of the index of these columns, which is noted, where a plan that is only explained would build
     * it; else null.
     */
    public @Nullable String compositeToBuild(List<IndexedColumn> of) {
        List<IndexedColumn> key = IndexesToBuild.areOnlyNoted() ? key(of) : null;
        if (key == null) {
            return null;
        }
        LazyIndex<CompositeIndex> known = composites.get(key);
        boolean isToBuild =
                known == null
                        ? composites.size() < MOST_COMPOSITES
                        : known.known() == null && !known.isRefused();
        if (!isToBuild) {
            return null;
        }
        IndexesToBuild.note(name(key), nanos(key) > LazyIndex.MOMENT_NANOS);
        return name(key);
    }

    private boolean isWorth(List<IndexedColumn> of) {
        return !hasFewRows() && CompositeIndex.fits(of, stored.rows());
    }

    /** Returns whether all rows are looked at as quickly as an index. */
    private boolean hasFewRows() {
        return stored.rows() <= StoredTable.BLOCK_ROWS;
    }

    /** Returns columns in the table's order, each once; null where an index of them is not worth it. */
    private @Nullable List<IndexedColumn> key(List<IndexedColumn> of) {
        if (hasFewRows()) {
            return null;
        }
        List<IndexedColumn> ordered = new ArrayList<>(of.size());
        for (IndexedColumn column : columns) {
            if (of.contains(column)) {
                ordered.add(column);
            }
        }
        return isWorth(ordered) ? ordered : null;
    }

    private static String name(List<IndexedColumn> columns) {
        return "the index of columns "
                + columns.stream()
                        .map(column -> column.stored().column().name())
                        .collect(Collectors.joining(", "));
    }

    /** Returns the indexes that are there, of single columns and of several. */
    public List<BuiltIndex> indexes() {
        List<BuiltIndex> all = new ArrayList<>();
        columns.forEach(column -> all.addAll(column.indexes()));
        List<BuiltIndex> several = new ArrayList<>();
        composites.forEach((key, each) -> {
            CompositeIndex composite = each.known();
            if (composite != null) {
                List<String> names = key.stream().map(c -> c.stored().column().name()).toList();
                several.add(new BuiltIndex(names, BuiltIndex.Kind.COMPOSITE, composite.bytes()));
            }
        });
        several.sort(comparing(index -> index.columns().toString()));
        all.addAll(several);
        return all;
    }
}
