package dev.penstock.gateway.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.page.RowCount;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RowTotalTest {
    private static final Plan PLAN =
            Plan.of(
                            new Table(
                                    null,
                                    "t",
                                    List.of(new Column("a", ColumnType.INT, "int", false, 11)),
                                    List.of("a"),
                                    false))
                    .limit(5);

    private final AtomicInteger counts = new AtomicInteger();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

    /** An engine whose counts end when they are cancelled; and a cursor that has 7. */
    private Engine engine(boolean slow) {
        Cursor cursor =
                proxy(
                        Cursor.class,
                        (method, _) ->
                                switch (method) {
                                    case "next" -> {
                                        if (slow) {
                                            cancelled.await();
                                            throw new QueryException(
                                                    QueryException.Kind.CANCELLED, "cancelled");
                                        }
                                        yield true;
                                    }
                                    case "getLong" -> 7L;
                                    case "cancel" -> {
                                        cancelled.countDown();
                                        yield true;
                                    }
                                    default -> true;
                                });
        return proxy(
                Engine.class,
                (method, arguments) -> {
                    if (method.equals("estimate")) {
                        return OptionalLong.of(1_234_567);
                    }
                    assertThat(((Plan) arguments[0]).slices()).isEmpty();
                    counts.incrementAndGet();
                    return cursor;
                });
    }

    private interface Call {
        Object answer(String method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            Object answer = call.answer(method.getName(), arguments);
                            return method.getReturnType() == void.class ? null : answer;
                        }));
    }

    @Test
    void count_thatIsQuick_isExact() {
        RowTotal totals = new RowTotal(now::get, Duration.ofMinutes(1));
        assertThat(totals.of(engine(false), PLAN)).isEqualTo(new RowTotal.Total(7, true));
        assertThat(totals.of(engine(false), PLAN)).isEqualTo(new RowTotal.Total(7, true));
        assertThat(counts).hasValue(2);
    }

    @Test
    void count_thatIsSlow_isAnEstimateAndNotTriedAgainForAWhile() {
        RowTotal totals = new RowTotal(now::get, Duration.ofMillis(1));
        Engine engine = engine(true);
        assertThat(totals.of(engine, PLAN)).isEqualTo(new RowTotal.Total(1_234_567, false));
        assertThat(totals.of(engine, PLAN)).isEqualTo(new RowTotal.Total(1_234_567, false));
        assertThat(counts).hasValue(1);
        now.set(now.get().plus(Duration.ofMinutes(6)));
        assertThat(totals.of(engine, PLAN)).isEqualTo(new RowTotal.Total(1_234_567, false));
        assertThat(counts).hasValue(2);
    }

    @Test
    void counts_thatAreSlow_areToldApartByTheirValuesAndHoldNoneOfThem() throws Exception {
        RowTotal totals = new RowTotal(now::get, Duration.ofMillis(1));
        Engine engine = engine(true);
        ReferenceQueue<Object> gone = new ReferenceQueue<>();
        Reference<Object> value = countOf("1".repeat(100_000), totals, engine, gone);
        // What is remembered may be 256 of these.
        boolean held = true;
        for (int i = 0; i < 300 && held; i++) {
            System.gc();
            held = gone.remove(100) == null;
        }
        assertThat(held).isFalse();
        assertThat(value.refersTo(null)).isTrue();
        assertThat(counts).hasValue(1);
        var _ = countOf("1".repeat(100_000), totals, engine, gone);
        assertThat(counts).hasValue(1);
        var _ = countOf("2".repeat(100_000), totals, engine, gone);
        assertThat(counts).hasValue(2);
    }

    /** Counts the rows with a value, and returns a reference to that value that holds it not. */
    private static Reference<Object> countOf(
            String value, RowTotal totals, Engine engine, ReferenceQueue<Object> queue) {
        Predicate equal = new Predicate.Comparison("a", Predicate.Comparator.EQUAL, value);
        var _ = totals.of(engine, Plan.of(PLAN.table()).where(equal).limit(5));
        return new WeakReference<>(value, queue);
    }

    @Test
    void count_ofAPage_saysWhatIsKnown() {
        RowCount page = RowCount.of(100, 100, 100, true);
        assertThat(page).hasToString("Rows 101\u2013200 of more");
        assertThat(page.withTotal(new RowTotal.Total(1_234_567, false)))
                .hasToString("Rows 101\u2013200 of about 1.2 million");
        assertThat(page.withTotal(new RowTotal.Total(1_234_567, true)))
                .hasToString("Rows 101\u2013200 of 1,234,567");
        assertThat(page.withTotal(new RowTotal.Total(7, false)))
                .hasToString("Rows 101\u2013200 of more");
        assertThat(RowCount.about(45_678)).isEqualTo("about 46,000");
        assertThat(RowCount.about(999_499)).isEqualTo("about 1,000,000");
        assertThat(RowCount.about(999_500)).isEqualTo("about 1.0 million");
        assertThat(RowCount.about(12)).isEqualTo("about 12");
        assertThat(RowCount.about(7_900_000_000L)).isEqualTo("about 7.9 billion");
        assertThat(RowCount.of(0, 3, 100, false)).hasToString("3 rows");
        assertThat(RowCount.of(0, 1, 100, false)).hasToString("1 row");
        assertThat(RowCount.of(0, 0, 100, false)).hasToString("No rows");
    }
}
