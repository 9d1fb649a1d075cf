package dev.penstock.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Plan.Slice;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WindowTest {
    private static final long ROWS = 50;

    /** Every sequence of up to three slices of a few sizes around the number of rows. */
    @Test
    void window_ofAnySlices_cutsAsAStreamDoes() {
        requireSame(List.of(), 3);
    }

    private static void requireSame(List<Slice> slices, int more) {
        assertThat(windowed(slices)).as("%s", slices).isEqualTo(cut(slices));
        if (more == 0) {
            return;
        }
        for (long n : new long[] {0, 1, 7, ROWS - 1, ROWS, ROWS + 1, Long.MAX_VALUE}) {
            requireSame(with(slices, new Slice.Skip(n)), more - 1);
            requireSame(with(slices, new Slice.Limit(n)), more - 1);
        }
    }

    private static List<Slice> with(List<Slice> slices, Slice slice) {
        return Stream.concat(slices.stream(), Stream.of(slice)).toList();
    }

    @Test
    void window_ofHugeSkips_doesNotOverflow() {
        List<Slice> slices =
                List.of(new Slice.Skip(Long.MAX_VALUE), new Slice.Skip(5), new Slice.Limit(3));
        assertThat(Window.of(slices)).isEqualTo(new Window(Long.MAX_VALUE, 3));
    }

    private static List<Long> cut(List<Slice> slices) {
        LongStream rows = LongStream.range(0, ROWS);
        for (Slice slice : slices) {
            rows =
                    switch (slice) {
                        case Slice.Skip(long n) -> rows.skip(n);
                        case Slice.Limit(long n) -> rows.limit(n);
                    };
        }
        return rows.boxed().toList();
    }

    private static List<Long> windowed(List<Slice> slices) {
        Window window = Window.of(slices);
        long limit = Math.min(window.limit(), ROWS);
        long end = Math.min(window.offset(), ROWS) + limit;
        return LongStream.range(Math.min(window.offset(), ROWS), Math.min(end, ROWS))
                .boxed()
                .toList();
    }
}
