package dev.penstock.snapshot.index;

import dev.penstock.query.QueryException;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.DistinctCounter;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.memory.Lifetime;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.IndexesToBuild;
import dev.penstock.snapshot.work.WorkerThreads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column with its indexes, each of which is built when it is first needed, once. Thread-safe. */
public final class IndexedColumn {
    /** About how long it takes to sort one text among others, to count one code, and to sort it. */
    private static final long TEXT_NANOS = 500;

    private static final long CODE_NANOS = 2;
    private static final long SORT_NANOS = 20;

    private final StoredColumn stored;
    private final String table;
    private final Memory memory;
    private final Lifetime lifetime = new Lifetime(this::free);
    private final @Nullable OrderedCodes stands;
    private final LazyIndex<TextRanks> ranks;
    private final LazyIndex<CumulativeCounts> counts;
    private final LazyIndex<RowIndex> index;
    private volatile @Nullable Boolean sorted;

    /** The number of different values; negative until they are counted. */
    private volatile long distinct = -1;

    /** The result of {@link #knownOrder}, which is the same for threads that look at the same time. */
    private volatile @Nullable RowIndex ordered;

    private volatile boolean asked;

    public IndexedColumn(StoredColumn stored, String table, Memory memory) {
        this.stored = stored;
        this.table = table;
        this.memory = memory;
        stands = stored instanceof CodedColumn coded ? coded : null;
        ranks =
                new LazyIndex<>(
                        () -> "the order of the texts of " + name(),
                        TEXT_NANOS * stored.rows(),
                        List.of(lifetime),
                        () -> TextRanks.of((TextColumn) stored, memory));
        counts =
                new LazyIndex<>(
                        () -> "counts of the values of " + name(),
                        CODE_NANOS * stored.rows(),
                        List.of(lifetime),
                        () -> CumulativeCounts.of(coding(), memory));
        index =
                new LazyIndex<>(
                        () -> "the index of " + name(),
                        SORT_NANOS * stored.rows(),
                        List.of(lifetime),
                        () -> RowIndex.sorted(coding(), memory));
    }

    /** Returns the lifetime of its codes and indexes: whoever reads them uses a table that has it. */
    Lifetime lifetime() {
        return lifetime;
    }

    /** Gives back the codes and indexes, and leaves texts and lists of values, which others have too. */
    private void free() {
        if (stored instanceof CodedColumn coded) {
            coded.codes().free();
        }
        RowIndex rows = index.known();
        if (rows != null && rows.rows() != null) {
            rows.rows().free();
        }
        CumulativeCounts counted = counts.known();
        if (counted != null) {
            counted.below().free();
        }
        TextRanks texts = ranks.known();
        if (texts != null) {
            texts.free();
        }
    }

    /** Returns how many different values it has, by {@link DistinctCounter}: the first call looks at every cell. */
    public long distinct() {
        long known = distinct;
        if (known < 0) {
            known = DistinctCounter.count(stored);
            distinct = known;
        }
        return known;
    }

    /** Returns whether {@link #distinct} is known. */
    public boolean isCounted() {
        return distinct >= 0;
    }

    /**
     * Builds the indexes that the column of the version before has by now.
     *
     * @param difference what is between both; null where it is not known
     */
    void buildIndexesOf(IndexedColumn before, @Nullable VersionDifference difference) {
        asked = before.asked;
        TextRanks texts = before.ranks.known();
        if (texts != null && stored instanceof TextColumn column) {
            ranks.buildEarly(() -> textRanks(column, texts, difference, memory));
        }
        if (stands == null && ranks.known() == null) {
            return;
        }
        if (before.counts.known() != null && CumulativeCounts.fit(coding())) {
            counts.buildEarly(() -> counted(before, difference, memory));
        }
        RowIndex rows = before.index.known();
        if (rows != null && !isSorted()) {
            index.buildEarly(() -> rowIndex(rows, difference, memory));
        }
    }

    /**
     * Builds every index that a query of it may use: the order of its texts, counts where they fit, and its rows in
     * order where they are not.
     *
     * @param before the column of the version before; null where there is none
     * @param difference as above
     * @param from the memory that they take, for they have to be had
     * @throws QueryException of kind {@code MEMORY_LIMIT} if there is too little
     */
    void buildDeclared(
            @Nullable IndexedColumn before, @Nullable VersionDifference difference, Memory from) {
        TextRanks texts = before == null ? null : before.ranks.known();
        if (stored instanceof TextColumn column) {
            ranks.buildNow(() -> textRanks(column, texts, difference, from));
        }
        if (CumulativeCounts.fit(coding())) {
            counts.buildNow(() -> counted(before, difference, from));
        }
        RowIndex rows = before == null ? null : before.index.known();
        if (!isSorted()) {
            index.buildNow(() -> rowIndex(rows, difference, from));
        }
    }

    private static TextRanks textRanks(
            TextColumn column,
            @Nullable TextRanks before,
            @Nullable VersionDifference difference,
            Memory from) {
        return before == null || difference == null
                ? TextRanks.of(column, from)
                : before.next(column, difference.changes(), difference.now(), from);
    }

    private CumulativeCounts counted(
            @Nullable IndexedColumn before, @Nullable VersionDifference difference, Memory from) {
        CumulativeCounts known = before == null ? null : before.counts.known();
        if (before != null
                && known != null
                && difference != null
                && before.stored instanceof CodedColumn old
                && stored instanceof CodedColumn now
                && now.hasCodesOf(old)) {
            return known.next(old, now, difference.changes(), from);
        }
        return CumulativeCounts.of(coding(), from);
    }

    private RowIndex rowIndex(
            @Nullable RowIndex before, @Nullable VersionDifference difference, Memory from) {
        return before == null || difference == null
                ? RowIndex.sorted(coding(), from)
                : RowIndexMerge.of(before, coding(), difference, from);
    }

    /** Returns the indexes that are there. */
    public StoredIndexes storedIndexes() {
        // Those first that are made of others, so that none is without what it was made of.
        RowIndex rows = index.known();
        CumulativeCounts counted = counts.known();
        TextRanks texts = ranks.known();
        return new StoredIndexes(
                texts == null ? List.of() : List.of(texts.codes(), texts.rows(), texts.heads()),
                counted,
                rows == null ? null : rows.rows());
    }

    /** Has these indexes, which were stored of the same cells. */
    void restore(StoredIndexes from) {
        List<Longs> texts = from.texts();
        if (stored instanceof TextColumn column && !texts.isEmpty()) {
            ranks.buildNow(() -> new TextRanks(column, texts.get(0), texts.get(1), texts.get(2)));
        }
        CumulativeCounts counted = from.counts();
        if (counted != null) {
            counts.buildNow(() -> counted);
        }
        Longs rows = from.order();
        if (rows != null) {
            index.buildNow(() -> new RowIndex(coding().codes(), rows));
        }
    }

    /** Returns whether an index is being built beside those who ask. */
    public boolean isBuilding() {
        return ranks.isBuilding() || counts.isBuilding() || index.isBuilding();
    }

    /** Returns what it is called in explanations. */
    public String name() {
        return "column " + stored.column().name();
    }

    public StoredColumn stored() {
        return stored;
    }

    /** Returns a reader of its cells for one thread. */
    public CellReader reader() {
        return new CellReader(stored, table);
    }

    /**
     * Its codes. Those of a column without are the order of its texts, which takes a while when it is first asked for.
     *
     * @throws QueryException of kind {@code MEMORY_LIMIT} if there is no memory for them
     */
    public OrderedCodes coding() {
        if (stands != null) {
            return stands;
        }
        TextRanks built = ranks.get();
        if (built == null && isOnlyNoted()) {
            return new AssumedTextOrder((TextColumn) stored);
        }
        // By now another query may have built it.
        built = built == null ? ranks.known() : built;
        if (built == null) {
            throw new QueryException(
                    QueryException.Kind.MEMORY_LIMIT,
                    ("column %s of table %s is compared or sorted by, and there is no memory left for the order of its"
                                    + " texts; raise the limit, or load fewer tables")
                            .formatted(stored.column().name(), table));
        }
        return built;
    }

    /** Returns whether it has codes, or there is memory for them. */
    public boolean hasCoding() {
        return stands != null || ranks.isHad();
    }

    /** Returns whether an explanation takes it that the order of its texts is there, which is not. */
    private boolean isOnlyNoted() {
        return IndexesToBuild.areOnlyNoted()
                && stands == null
                && ranks.known() == null
                && !ranks.isRefused();
    }

    /** Returns whether the rows are in the order of the codes as they are. */
    public boolean isSorted() {
        if (isOnlyNoted()) {
            return false;
        }
        Boolean known = sorted;
        if (known == null) {
            Longs codes = coding().codes();
            known = WorkerThreads.call(codes.size(), () -> RowIndex.isSorted(codes));
            sorted = known;
        }
        return known;
    }

    /** Returns how many rows there are of each code; null where there are too many codes, or no memory. */
    public @Nullable CumulativeCounts counts() {
        return CumulativeCounts.fit(coding()) ? counts.get() : null;
    }

    /** Returns the rows in the order of the codes; null where there is no memory. */
    public @Nullable RowIndex index() {
        return isSorted() ? new RowIndex(coding().codes(), null) : index.get();
    }

    /** Returns the rows in the order of the codes, where that is there by now; only of a column that has codes. */
    public @Nullable RowIndex knownOrder() {
        RowIndex known = ordered;
        if (known == null) {
            known = isSorted() ? new RowIndex(coding().codes(), null) : index.known();
            ordered = known;
        }
        return known;
    }

    /** Returns whether {@link #index} gives one; in an explanation, whether it would. */
    public boolean hasIndex() {
        return isSorted() || index.isHad();
    }

    /** Returns whether the index is there, or may be had. */
    public boolean mayHaveIndex() {
        return !index.isRefused();
    }

    /**
     * Returns whether it was asked for a range of codes before that only a scan could tell: then its index, which takes
     * a sort, is worth it.
     */
    public boolean isAskedAgain() {
        boolean before = asked;
        if (!IndexesToBuild.areOnlyNoted()) {
            asked = true;
        }
        return before;
    }

    /**
     * Returns how many rows have a code of the range, by counts or by an index that is there; negative where only a
     * scan would tell.
     */
    public long count(CodeRange range) {
        if (isOnlyNoted()) {
            OrderedCodes texts = coding();
            return CumulativeCounts.fit(texts) ? looked(texts, range) : -1;
        }
        if (isSorted()) {
            return new RowIndex(coding().codes(), null).count(range);
        }
        CumulativeCounts known = counts();
        if (known != null) {
            return known.count(range);
        }
        if (IndexesToBuild.areOnlyNoted()
                && CumulativeCounts.fit(coding())
                && !counts.isRefused()) {
            return looked(coding(), range);
        }
        RowIndex rows = index.known();
        return rows == null ? -1 : rows.count(range);
    }

    /** Returns the same by the index, which is there; in an explanation perhaps not. */
    public long countByIndex(CodeRange range) {
        return IndexesToBuild.areOnlyNoted() && index.known() == null
                ? looked(coding(), range)
                : count(range);
    }

    /** Returns how many rows have a code of the range, by looking at all codes; a guess where there are none. */
    private long looked(OrderedCodes coding, CodeRange range) {
        if (coding instanceof AssumedTextOrder || range.isEmpty()) {
            return range.isEmpty() ? 0 : range.greatest() - range.least() + 1;
        }
        return new RangeSelection(coding.codes(), range).count(0, coding.codes().size());
    }

    /**
     * Returns the least and the greatest code of some ranges that rows have, without NULL's; none where no row has any,
     * and null where only a scan would tell.
     */
    public @Nullable CodeRange extent(CodeRanges ranges) {
        CodeRange values = coding().values();
        CodeRanges some = ranges.intersect(CodeRanges.of(values));
        if (some.isEmpty() || some.containsAll(values)) {
            return some.isEmpty() ? CodeRange.NONE : values;
        }
        RowIndex rows = isOnlyNoted() ? null : isSorted() ? index() : index.known();
        return rows == null ? null : rows.extent(some);
    }

    /** Returns the indexes that are there. */
    List<BuiltIndex> indexes() {
        List<BuiltIndex> all = new ArrayList<>();
        TextRanks order = ranks.known();
        if (order != null) {
            all.add(index(BuiltIndex.Kind.TEXTS, order.bytes()));
        }
        CumulativeCounts counted = counts.known();
        if (counted != null) {
            all.add(index(BuiltIndex.Kind.COUNTS, counted.below().bytes()));
        }
        RowIndex rows = index.known();
        if (rows != null && rows.rows() != null) {
            all.add(index(BuiltIndex.Kind.ORDER, rows.rows().bytes()));
        }
        return all;
    }

    private BuiltIndex index(BuiltIndex.Kind kind, long bytes) {
        return new BuiltIndex(List.of(stored.column().name()), kind, bytes);
    }

    /** Returns how many bytes it takes outside the heap of the indexes that are there. */
    public long indexBytes() {
        return indexes().stream().mapToLong(BuiltIndex::bytes).sum();
    }
}
