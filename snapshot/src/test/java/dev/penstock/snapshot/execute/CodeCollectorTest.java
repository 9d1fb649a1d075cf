package dev.penstock.snapshot.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.work.QueryContext;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The codes of many rows, and what they take while they are collected. */
class CodeCollectorTest {
    private static final Memory MEMORY = new Memory(Long.MAX_VALUE);

    private static CodedColumn column(int rows, int different, long apart) {
        long greatest = (different - 1) * apart;
        Longs codes = Longs.allocate(MEMORY, rows, 0, greatest);
        for (int row = 0; row < rows; row++) {
            // In no order.
            codes.set(row, row * 7919L % different * apart);
        }
        return new CodedColumn(
                new Column("n", ColumnType.LONG, "bigint", false, 20),
                codes,
                CodeRange.of(0, greatest),
                0,
                new CodeEncoding.Whole(0));
    }

    /** All rows, of which it is noted what the heap has taken when the next ones are read. */
    private static final class Watched implements RowSource {
        private final RowSource all;
        private final HeapReservation heap;
        private long most;

        Watched(RowSource all, HeapReservation heap) {
            this.all = all;
            this.heap = heap;
        }

        @Override
        public int next(int[] rows, int wanted) {
            most = Math.max(most, heap.taken());
            return all.next(rows, wanted);
        }

        @Override
        public void skip(long count) {
            all.skip(count);
        }

        @Override
        public long count() {
            return all.count();
        }

        @Override
        public long nanos() {
            return all.nanos();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "300000, 1, 1",
        "300000, 3, 100",
        "300000, 3, 4000000000",
        "300000, 1000, 4000000000",
        "300000, 40000, 60000",
        "300000, 300000, 1",
        "300000, 300000, 4000000000"
    })
    void codes_ofManyRows_takeWhatIsDifferentOfThem(int rows, int different, long apart) {
        CodedColumn column = column(rows, different, apart);
        try (QueryContext context = new QueryContext();
                HeapReservation heap = new HeapReservation()) {
            Watched source = new Watched(new RowSource.Range(rows, context), heap);
            CodeRanges codes = CodeCollector.codes(column, source, heap);
            assertThat(codes)
                    .isEqualTo(
                            CodeRanges.of(
                                    LongStream.range(0, different).map(i -> i * apart).toArray()));
            assertThat(heap.taken()).isEqualTo(codes.bytes());
            // A list is four times as long as what is different at the most.
            assertThat(source.most).isBetween(1L, 1024 + 4L * Long.BYTES * different);
        }
    }
}
