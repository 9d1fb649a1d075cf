package dev.penstock.snapshot.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An index that is made of the one before has the rows in the order in which a sort has them. */
class RowIndexMergeTest {
    private static final Memory MEMORY = new Memory(Long.MAX_VALUE);
    private static final Column NUMBER = new Column("n", ColumnType.LONG, "bigint", false, 20);

    /** A way in which rows change from one version to the next. */
    private enum Change {
        UPDATED,
        UPDATED_AND_APPENDED,
        APPENDED,
        DELETED_FROM_THE_END,
        ANY
    }

    private static CodedColumn column(List<Long> codes) {
        long least = codes.stream().mapToLong(Long::longValue).min().orElse(0);
        long greatest = codes.stream().mapToLong(Long::longValue).max().orElse(0);
        Longs all = Longs.allocate(MEMORY, codes.size(), least, greatest);
        for (int row = 0; row < codes.size(); row++) {
            all.set(row, codes.get(row));
        }
        CodeRange values = codes.isEmpty() ? CodeRange.NONE : CodeRange.of(least, greatest);
        return new CodedColumn(NUMBER, all, values, 0, new CodeEncoding.Whole(0));
    }

    private static List<Integer> rows(RowIndex index) {
        return IntStream.range(0, index.size()).map(index::row).boxed().toList();
    }

    /** The next version: each code that is kept in step with the others, twice what it was. */
    private static final class Next {
        private final List<Long> before;
        private final BitSet kept = new BitSet();
        private final List<Integer> positions = new ArrayList<>();
        private final Random random;
        private final int different;

        Next(List<Long> before, Change change, int different, Random random) {
            this.before = before;
            this.random = random;
            this.different = different;
            int size = before.size();
            kept.set(0, size);
            int count = random.nextInt(1 + Math.min(size, 200));
            BitSet changed = new BitSet();
            for (int i = 0; i < count; i++) {
                switch (change) {
                    case UPDATED, UPDATED_AND_APPENDED -> changed.set(random.nextInt(size));
                    case DELETED_FROM_THE_END -> kept.clear(size - 1 - i);
                    case APPENDED -> {}
                    case ANY -> {
                        kept.clear(random.nextInt(size));
                        positions.add(random.nextInt(size + 1));
                    }
                }
            }
            positions.sort(null);
            changed.stream().forEach(positions::add);
            kept.andNot(changed);
            if (change == Change.APPENDED || change == Change.UPDATED_AND_APPENDED) {
                IntStream.range(0, count).forEach(_ -> positions.add(size));
            }
        }

        RowChanges changes() {
            int[] places = positions.stream().mapToInt(Integer::intValue).toArray();
            return new RowChanges(before.size(), kept, places);
        }

        List<Long> codes() {
            RowChanges changes = changes();
            Long[] codes = new Long[changes.rows()];
            changes.each(
                    new RowChanges.Receiver() {
                        @Override
                        public void kept(int old, int now, int count) {
                            for (int i = 0; i < count; i++) {
                                codes[now + i] = 2 * before.get(old + i);
                            }
                        }

                        @Override
                        public void changed(int index, int now) {
                            codes[now] = (long) random.nextInt(-3, 2 * different + 3);
                        }
                    });
            return List.of(codes);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "2, 2",
        "254, 9",
        "255, 300",
        "256, 3",
        "257, 9",
        "4_000, 5_000",
        "65_534, 7",
        "65_535, 50_000",
        "65_536, 3",
        "70_000, 1_000_000"
    })
    void index_ofAnyChanges_hasTheOrderOfASort(String rows, String values) {
        int size = Integer.parseInt(rows.replace("_", ""));
        int different = Integer.parseInt(values.replace("_", ""));
        Random random = new Random(size);
        for (Change change : Change.values()) {
            for (int round = 0; round < (size > 1_000 ? 2 : 40); round++) {
                List<Long> before =
                        random.ints(size, 0, different).mapToObj(code -> (long) code).toList();
                Next next = new Next(before, change, different, random);
                CodedColumn now = column(next.codes());
                try (Memory.Scratch scratch = MEMORY.scratch()) {
                    RowIndex merged =
                            RowIndexMerge.of(
                                    RowIndex.sorted(column(before), MEMORY),
                                    now,
                                    new VersionDifference(next.changes(), scratch),
                                    MEMORY);
                    assertThat(rows(merged))
                            .as("%s, round %d", change, round)
                            .isEqualTo(rows(RowIndex.sorted(now, MEMORY)));
                }
            }
        }
    }

    @Test
    void changes_inPlaceOrBehind_keepTheNumbersOfRows() {
        BitSet all = new BitSet();
        all.set(0, 10);
        BitSet some = BitSet.valueOf(new long[] {0b1111011011});
        assertThat(new RowChanges(10, some, new int[] {2, 5}).isInPlace()).isTrue();
        assertThat(new RowChanges(10, all, new int[] {}).isInPlace()).isTrue();
        RowChanges appended = new RowChanges(10, some, new int[] {2, 5, 10});
        assertThat(appended.keepsNumbers()).isTrue();
        assertThat(appended.isInPlace()).isFalse();
        RowChanges moved = new RowChanges(10, some, new int[] {1, 6});
        assertThat(moved.keepsNumbers()).isFalse();
        assertThat(moved.isInPlace()).isFalse();
        assertThat(new RowChanges(10, some, new int[] {2}).keepsNumbers()).isFalse();
    }
}
