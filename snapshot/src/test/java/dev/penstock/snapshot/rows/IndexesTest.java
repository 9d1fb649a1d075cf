package dev.penstock.snapshot.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Plan.Order;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.RowIndex;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans, counts and indexes of codes of every width find what a loop over the codes finds. */
class IndexesTest {
    private static final int ROWS = 10_007;
    private static final Memory MEMORY = new Memory(Long.MAX_VALUE);

    /** Codes from {@code least} on, as far as so many bits go, some of them at both ends. */
    private static CodedColumn column(int bits, long least, Random random) {
        long span = bits == Long.SIZE ? -1L : (1L << bits) - 1;
        Longs codes = Longs.allocate(MEMORY, ROWS, least, least + span);
        for (int row = 0; row < ROWS; row++) {
            long distance = random.nextLong() & span;
            codes.set(row, least + (row % 7 == 0 ? 0 : row % 11 == 0 ? span : distance));
        }
        Column column = new Column("n", ColumnType.LONG, "bigint", false, 20);
        return new CodedColumn(
                column, codes, CodeRange.of(least, least + span), 0, new CodeEncoding.Whole(0));
    }

    private static List<CodeRange> ranges(CodedColumn column, Random random) {
        CodeRange all = column.values();
        List<CodeRange> ranges = new ArrayList<>();
        ranges.add(all);
        ranges.add(CodeRange.of(all.least(), all.least()));
        ranges.add(CodeRange.of(all.greatest(), all.greatest()));
        for (int i = 0; i < 20; i++) {
            long one = column.codes().get(random.nextInt(ROWS));
            long other = column.codes().get(random.nextInt(ROWS));
            ranges.add(CodeRange.of(Math.min(one, other), Math.max(one, other)));
        }
        return ranges;
    }

    private static List<Integer> looped(CodedColumn column, CodeRange range, int start, int end) {
        return IntStream.range(start, end)
                .filter(row -> range.contains(column.codes().get(row)))
                .boxed()
                .toList();
    }

    private static List<Integer> all(RowSource source, int most) {
        List<Integer> rows = new ArrayList<>();
        int[] some = new int[most];
        for (int count = source.next(some); count > 0; count = source.next(some)) {
            IntStream.of(some).limit(count).forEach(rows::add);
        }
        return rows;
    }

    private static Filter codes(IndexedColumn column, CodeRange range) {
        return new Filter.InCodes(column, column.coding().codes(), CodeRanges.of(range));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 8, 15, 16, 31, 32, 45, 64})
    void scan_ofAnyWidth_findsWhatALoopFinds(int bits) {
        Random random = new Random(bits);
        for (long least :
                bits == Long.SIZE ? new long[] {Long.MIN_VALUE} : new long[] {0, -70, 1L << 40}) {
            CodedColumn coded = column(bits, least, random);
            IndexedColumn column = new IndexedColumn(coded, "t", MEMORY);
            for (CodeRange range : ranges(coded, random)) {
                Filter filter = codes(column, range);
                List<Integer> expected = looped(coded, range, 0, ROWS);
                QueryContext context = new QueryContext();
                assertThat(all(new TableScan(filter, 0, ROWS, context), 4096)).isEqualTo(expected);
                assertThat(new TableScan(filter, 0, ROWS, context).count())
                        .isEqualTo(expected.size());
                assertThat(all(new TableScan(filter, 4100, 9001, context), 100))
                        .isEqualTo(looped(coded, range, 4100, 9001));
                assertThat(new TableScan(filter, 4100, 9001, context).count())
                        .isEqualTo(looped(coded, range, 4100, 9001).size());
                int skipped = random.nextInt(expected.size() + 1);
                RowSource rest = new TableScan(filter, 0, ROWS, context);
                rest.skip(skipped);
                assertThat(all(rest, 1000)).isEqualTo(expected.subList(skipped, expected.size()));
                List<Integer> others = new ArrayList<>(IntStream.range(0, ROWS).boxed().toList());
                others.removeAll(new java.util.HashSet<>(expected));
                assertThat(all(new TableScan(Filter.not(filter), 0, ROWS, context), 4096))
                        .isEqualTo(others);
            }
        }
    }

    @Test
    void and_rangesOfAColumn_isTheRangeOfBoth() {
        CodedColumn coded = column(8, 0, new Random(1));
        IndexedColumn column = new IndexedColumn(coded, "t", MEMORY);
        IndexedColumn other = new IndexedColumn(coded, "t", MEMORY);
        Filter from = codes(column, CodeRange.of(10, 200));
        Filter to = codes(column, CodeRange.of(0, 20));
        Filter none = codes(column, CodeRange.of(201, 255));
        Filter elsewhere = codes(other, CodeRange.of(5, 6));
        assertThat(Filter.and(from, to)).isEqualTo(codes(column, CodeRange.of(10, 20)));
        assertThat(Filter.and(Filter.and(from, elsewhere), to))
                .isEqualTo(new Filter.All(List.of(codes(column, CodeRange.of(10, 20)), elsewhere)));
        assertThat(Filter.and(Filter.and(from, elsewhere), none)).isEqualTo(Filter.Constant.NONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 8, 15, 16, 31, 32, 45, 64})
    void index_ofAnyWidth_hasTheRowsInOrder(int bits) {
        Random random = new Random(bits);
        CodedColumn coded = column(bits, bits == Long.SIZE ? Long.MIN_VALUE : -70, random);
        IndexedColumn column = new IndexedColumn(coded, "t", MEMORY);
        RowIndex index = column.index();
        Comparator<Integer> byCode = Comparator.comparingLong(row -> coded.codes().get(row));
        List<Integer> sorted = IntStream.range(0, ROWS).boxed().sorted(byCode).toList();
        assertThat(IntStream.range(0, ROWS).map(index::row).boxed().toList()).isEqualTo(sorted);
        for (CodeRange range : ranges(coded, random)) {
            int expected = looped(coded, range, 0, ROWS).size();
            assertThat(column.count(range)).isEqualTo(expected);
            assertThat(index.end(range) - index.ceiling(range.least())).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 16, 45})
    void walk_withSkips_givesTheRowsInOrder(int bits) {
        Random random = new Random(bits);
        CodedColumn coded = column(bits, 5, random);
        IndexedColumn column = new IndexedColumn(coded, "t", MEMORY);
        for (boolean descending : new boolean[] {false, true}) {
            SortKey key =
                    new SortKey(
                            column,
                            new dev.penstock.query.Plan.Order("n", descending, descending),
                            new QueryContext());
            Comparator<Integer> byCode = Comparator.comparingLong(row -> coded.codes().get(row));
            List<Integer> sorted =
                    IntStream.range(0, ROWS)
                            .boxed()
                            .sorted(descending ? byCode.reversed() : byCode)
                            .toList();
            for (int skip : new int[] {0, 1, 2, 745, 1430, 5000, ROWS - 1, ROWS, ROWS + 5}) {
                RowSource walk =
                        new OrderedIndexScan(
                                List.of(key),
                                column.index(),
                                0,
                                coded.all(),
                                Filter.Constant.ALL,
                                new QueryContext());
                walk.skip(skip);
                assertThat(all(walk, 50))
                        .as("%d bits, descending %s, skip %d", bits, descending, skip)
                        .isEqualTo(sorted.subList(Math.min(skip, ROWS), ROWS));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 16, 45})
    void walk_ofAPart_givesTheRowsOfItsCodesInOrderWithTheNullsWhereTheyBelong(int bits) {
        Random random = new Random(bits);
        CodedColumn whole = column(bits, 5, random);
        // The rows of the least code are the NULLs.
        int nulls = looped(whole, CodeRange.of(5, 5), 0, ROWS).size();
        CodeRange values = CodeRange.of(6, whole.values().greatest());
        CodedColumn coded =
                new CodedColumn(whole.column(), whole.codes(), values, nulls, whole.encoding());
        IndexedColumn column = new IndexedColumn(coded, "t", MEMORY);
        QueryContext context = new QueryContext();
        Comparator<Integer> byCode = Comparator.comparingLong(row -> coded.codes().get(row));
        Comparator<Integer> nullsFirst = Comparator.comparing(row -> !coded.isNull(row));
        for (int order = 0; order < 4; order++) {
            boolean descending = order % 2 == 1;
            boolean first = order / 2 == 1;
            SortKey key = new SortKey(column, new Order("n", descending, first), context);
            Comparator<Integer> sorting =
                    (first ? nullsFirst : nullsFirst.reversed())
                            .thenComparing(descending ? byCode.reversed() : byCode);
            for (CodeRange part : ranges(whole, random)) {
                List<Integer> sorted = new ArrayList<>(looped(coded, part, 0, ROWS));
                sorted.sort(sorting);
                for (int skip : new int[] {0, 1, 700, sorted.size()}) {
                    RowSource walk =
                            new OrderedIndexScan(
                                    List.of(key),
                                    column.index(),
                                    nulls,
                                    part,
                                    Filter.Constant.ALL,
                                    context);
                    walk.skip(skip);
                    assertThat(all(walk, 50))
                            .as("%d bits, order %d, %s, skip %d", bits, order, part, skip)
                            .isEqualTo(
                                    sorted.subList(Math.min(skip, sorted.size()), sorted.size()));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 40, 700})
    void scan_ofSeveralRanges_findsWhatALoopFinds(int count) {
        Random random = new Random(count);
        for (int bits : new int[] {8, 13, 31, 45}) {
            CodedColumn coded = column(bits, -70, random);
            IndexedColumn column = new IndexedColumn(coded, "t", MEMORY);
            CodeRanges ranges = CodeRanges.union(several(coded, random, count));
            List<Integer> expected =
                    IntStream.range(0, ROWS)
                            .filter(row -> ranges.contains(coded.codes().get(row)))
                            .boxed()
                            .toList();
            Filter filter = new Filter.InCodes(column, coded.codes(), ranges);
            QueryContext context = new QueryContext();
            assertThat(all(new TableScan(filter, 0, ROWS, context), 4096)).isEqualTo(expected);
            assertThat(new TableScan(filter, 0, ROWS, context).count()).isEqualTo(expected.size());
            long counted =
                    ranges.list().stream()
                            .mapToLong(r -> column.index() == null ? 0 : column.count(r))
                            .sum();
            assertThat(counted).isEqualTo(expected.size());
            assertThat(column.extent(ranges))
                    .isEqualTo(
                            expected.isEmpty()
                                    ? CodeRange.NONE
                                    : CodeRange.of(
                                            expected.stream()
                                                    .mapToLong(coded.codes()::get)
                                                    .min()
                                                    .orElseThrow(),
                                            expected.stream()
                                                    .mapToLong(coded.codes()::get)
                                                    .max()
                                                    .orElseThrow()));
        }
    }

    private static List<CodeRange> several(CodedColumn coded, Random random, int count) {
        List<CodeRange> several = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long code = coded.codes().get(random.nextInt(ROWS));
            long end = random.nextBoolean() ? code : code + random.nextInt(9);
            several.add(CodeRange.of(code, Math.min(end, coded.values().greatest())));
        }
        return several;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 30, 900})
    void indexedRows_ofOneAndTwoIndexes_areThoseThatPassInTheirOrder(int count) {
        Random random = new Random(count);
        for (int bits : new int[] {8, 13, 45}) {
            CodedColumn a = column(bits, -70, random);
            CodedColumn b = column(13, 5, random);
            IndexedColumn one = new IndexedColumn(a, "t", MEMORY);
            IndexedColumn other = new IndexedColumn(b, "t", MEMORY);
            CodeRanges ofOne = CodeRanges.union(several(a, random, count));
            CodeRanges ofOther = CodeRanges.union(several(b, random, count));
            List<IndexedRows.Places> places =
                    List.of(
                            new IndexedRows.Places(one.index(), ofOne),
                            new IndexedRows.Places(other.index(), ofOther));
            for (int from : new int[] {0, 4096, ROWS - 1}) {
                for (int used = 1; used <= 2; used++) {
                    boolean both = used == 2;
                    List<Integer> expected =
                            IntStream.range(from, ROWS)
                                    .filter(row ->
                                            ofOne.contains(a.codes().get(row))
                                                    || (both
                                                            && ofOther.contains(
                                                                    b.codes().get(row))))
                                    .boxed()
                                    .toList();
                    RowList found =
                            new IndexedRows(
                                            places.subList(0, used),
                                            2 * ROWS,
                                            ROWS,
                                            new QueryContext())
                                    .from(from);
                    assertThat(IntStream.range(0, found.size()).map(found::get).boxed().toList())
                            .isEqualTo(expected);
                    // As a list that is sorted, where a bitmap is not worth it.
                    RowList few =
                            new IndexedRows(
                                            places.subList(0, used),
                                            2 * ROWS,
                                            3000 * ROWS,
                                            new QueryContext())
                                    .from(from);
                    assertThat(IntStream.range(0, few.size()).map(few::get).boxed().toList())
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void walk_ofTwoColumnsWithSkips_givesTheRowsInOrder() {
        Random random = new Random(8);
        CodedColumn a = column(5, 0, random);
        CodedColumn b = column(8, 0, random);
        IndexedColumn one = new IndexedColumn(a, "t", MEMORY);
        IndexedColumn other = new IndexedColumn(b, "t", MEMORY);
        for (boolean descending : new boolean[] {false, true}) {
            List<SortKey> keys =
                    List.of(
                            new SortKey(
                                    one,
                                    new Order("n", descending, descending),
                                    new QueryContext()),
                            new SortKey(other, new Order("m", true, true), new QueryContext()));
            Comparator<Integer> byOne = Comparator.comparingLong(row -> a.codes().get(row));
            Comparator<Integer> byOther = Comparator.comparingLong(row -> b.codes().get(row));
            List<Integer> sorted =
                    IntStream.range(0, ROWS)
                            .boxed()
                            .sorted(
                                    (descending ? byOne.reversed() : byOne)
                                            .thenComparing(byOther.reversed()))
                            .toList();
            for (int skip : new int[] {0, 1, 300, 745, 5000, ROWS - 1, ROWS, ROWS + 5}) {
                RowSource walk =
                        new OrderedIndexScan(
                                keys,
                                one.index(),
                                0,
                                a.all(),
                                Filter.Constant.ALL,
                                new QueryContext());
                int before = Math.min(skip, 70);
                int[] some = new int[50];
                int read = before == 0 ? 0 : walk.next(some, Math.min(before, 50));
                walk.skip(skip - read);
                assertThat(all(walk, 50))
                        .as("descending %s, skip %d", descending, skip)
                        .isEqualTo(sorted.subList(Math.min(skip, ROWS), ROWS));
            }
        }
    }
}
