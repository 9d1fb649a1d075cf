package dev.penstock.snapshot.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.query.QueryException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that what queries take of the heap is bounded for all of them together. */
class HeapReservationTest {
    private static final int MEGABYTE = 1 << 20;

    @Test
    void take_ofSeveralQueries_isBoundedTogether() {
        HeapReservation.Heap heap = new HeapReservation.Heap(10 * MEGABYTE);
        HeapReservation one = new HeapReservation(heap);
        try (HeapReservation other = new HeapReservation(heap)) {
            one.take(6 * MEGABYTE);
            assertThatThrownBy(() -> other.take(5 * MEGABYTE))
                    .isInstanceOfSatisfying(
                            QueryException.class,
                            e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.MEMORY_LIMIT))
                    .hasMessage(
                            "rows that queries in memory sort or group would take 11,403,264 bytes"
                                    + " of heap, and all queries together"
                                    + " may take 10,485,760, a quarter of it; add a filter or a"
                                    + " limit, run fewer of them at once, or raise -Xmx");
            other.take(4 * MEGABYTE);
            one.close();
            one.close();
            other.take(5 * MEGABYTE);
        }
        assertThat(heap.taken()).isZero();
    }

    @Test
    void grown_againAndAgain_countsWhatIsReached() {
        HeapReservation.Heap heap = new HeapReservation.Heap(10 * MEGABYTE);
        try (HeapReservation reservation = new HeapReservation(heap)) {
            int[] numbers = reservation.grown(new int[0], 16);
            for (int i = 0; i < 16; i++) {
                numbers = reservation.grown(numbers, numbers.length * 2L);
            }
            assertThat(numbers).hasSize(MEGABYTE);
            assertThat(reservation.taken()).isEqualTo(4L * MEGABYTE);
            assertThat(heap.taken()).isEqualTo(4L * MEGABYTE - HeapReservation.FREE);
            int[] kept = numbers;
            assertThatThrownBy(() -> reservation.grown(kept, 2L * MEGABYTE))
                    .isInstanceOf(QueryException.class);
            reservation.giveBack(4L * MEGABYTE);
            assertThat(heap.taken()).isZero();
        }
    }

    @Test
    void take_ofLittle_isNotCounted() {
        HeapReservation.Heap heap = new HeapReservation.Heap(1);
        try (HeapReservation reservation = new HeapReservation(heap)) {
            reservation.take(HeapReservation.FREE);
            assertThat(heap.taken()).isZero();
            assertThatThrownBy(() -> reservation.take(2)).isInstanceOf(QueryException.class);
        }
    }

    @Test
    void take_ofAQueryThatNobodyCloses_isGivenBackWhenItIsGone() {
        HeapReservation.Heap heap = new HeapReservation.Heap(10 * MEGABYTE);
        new HeapReservation(heap).take(9 * MEGABYTE);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (heap.taken() > 0 && System.nanoTime() < deadline) {
            System.gc();
        }
        assertThat(heap.taken()).isZero();
    }
}
