package dev.penstock.query.sql.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.penstock.query.QueryException;
import dev.penstock.query.sql.UrlDataSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteBudgetTest {
    private static Session session() {
        return new Session(new ConnectionSource(new UrlDataSource("jdbc:none", "", ""), null));
    }

    @ParameterizedTest
    @ValueSource(longs = {16, 64, 96, 128, 192, 255, 256, 257, 512, 1024, 8192})
    void wideCells_haveHalfOfTheHeap_orOfASmallOneAQuarterAtLeast(long mebibytes) {
        long heap = mebibytes << 20;
        long budget = ByteBudget.forWideCells(heap);
        assertThat(budget).isBetween(heap / 4, heap / 2 + (1 << 20));
        if (mebibytes >= 256) {
            assertThat(budget).isGreaterThanOrEqualTo(heap / 2);
        }
        long need = heap / 3;
        assertThat(ByteBudget.forWideCells(ByteBudget.heapFor(need)))
                .as("the heap that is advised is enough")
                .isGreaterThanOrEqualTo(need);
    }

    @Test
    void reserve_whenAllIsTaken_waitsForARelease() throws Exception {
        ByteBudget budget = new ByteBudget(10_240, Duration.ofSeconds(60));
        ByteBudget.Reservation first = budget.reserve(10_000, session());
        CompletableFuture<ByteBudget.Reservation> second =
                CompletableFuture.supplyAsync(
                        () -> budget.reserve(5000, session()), Thread::startVirtualThread);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (budget.waiting() == 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(budget.waiting()).isOne();
        assertThat(second).isNotDone();
        first.release();
        second.get(60, TimeUnit.SECONDS).release();
        assertThat(budget.available()).isEqualTo(10_240);
    }

    /** In turns that lose their place, a large wish would starve. */
    @Test
    void reserve_ofMuch_isNotOvertakenByLittle() throws Exception {
        ByteBudget budget = new ByteBudget(10_240, Duration.ofSeconds(60));
        ByteBudget.Reservation first = budget.reserve(5000, session());
        CompletableFuture<ByteBudget.Reservation> much =
                CompletableFuture.supplyAsync(
                        () -> budget.reserve(10_000, session()), Thread::startVirtualThread);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (budget.waiting() == 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        CompletableFuture<ByteBudget.Reservation> little =
                CompletableFuture.supplyAsync(
                        () -> budget.reserve(1000, session()), Thread::startVirtualThread);
        while (budget.waiting() < 2 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(budget.waiting()).isEqualTo(2);
        assertThat(little).isNotDone();
        first.release();
        ByteBudget.Reservation whole = much.get(60, TimeUnit.SECONDS);
        assertThat(little).isNotDone();
        whole.release();
        little.get(60, TimeUnit.SECONDS).release();
    }

    @Test
    void reserve_whenPatienceEnds_saysSo() {
        ByteBudget budget = new ByteBudget(2048, Duration.ZERO);
        ByteBudget.Reservation hold = budget.reserve(2048, session());
        QueryException failure =
                assertThrows(QueryException.class, () -> budget.reserve(1, session()));
        assertThat(failure.kind()).isEqualTo(QueryException.Kind.UNAVAILABLE);
        assertThat(failure)
                .hasMessage("waited 0 s for 1 bytes of the 2048 that wide rows may take together");
        hold.release();
    }

    @Test
    void reserve_whenCancelled_ends() {
        ByteBudget budget = new ByteBudget(2048, Duration.ofSeconds(10));
        ByteBudget.Reservation hold = budget.reserve(2048, session());
        Session session = session();
        session.cancel();
        QueryException failure =
                assertThrows(QueryException.class, () -> budget.reserve(1, session));
        assertThat(failure.kind()).isEqualTo(QueryException.Kind.CANCELLED);
        hold.release();
    }
}
