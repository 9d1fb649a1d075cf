package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.PlatformThread;
import dev.penstock.snapshot.work.WorkerThreads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long work of tables in memory leaves the carriers of virtual threads to short requests. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class WorkerThreadsTest {
    /** So many virtual threads can run at once. */
    private static final int CARRIERS =
            Integer.getInteger(
                    "jdk.virtualThreadScheduler.parallelism",
                    Runtime.getRuntime().availableProcessors());

    /** As many as all carriers together may sort in a heap of 512 MB. */
    private static final int ROWS = Math.min(131_072, 524_288 / CARRIERS);

    private static TestDatabase server;
    private static Database database;
    private static Table table;

    @BeforeAll
    static void load() {
        server = TestDatabase.create(Kind.H2);
        server.execute(
                "create table t (id int primary key, name varchar(60), kind int, n bigint)",
                "insert into t select x, 'name ' || (x * 7919 % 1000003) || ' of a row', x % 300, x"
                        + " * 31 % 1000003 from system_range(1, "
                        + ROWS
                        + ")",
                "create table few (id int primary key, name varchar(60))",
                "insert into few values (1, 'one'), (2, 'two')",
                "create table small (id int primary key, name varchar(60)) as select id, name from t"
                        + " where id <= 20000");
        database = Database.connect(server.dataSource());
        table = database.table("t");
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static SnapshotEngine fresh() {
        return InMemory.of(database, new Memory(Long.MAX_VALUE));
    }

    private static <T> FutureTask<T> onVirtualThread(Supplier<T> work) {
        FutureTask<T> task = new FutureTask<>(work::get);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static List<Item> items(String... columns) {
        return java.util.Arrays.stream(columns).map(column -> new Item(column, column)).toList();
    }

    private static List<Order> by(String column) {
        return List.of(new Order(column, true, false));
    }

    /** Work that keeps a core busy, of each kind there is. */
    static List<String> kinds() {
        return List.copyOf(WORK.keySet());
    }

    private static final Map<String, java.util.function.Consumer<SnapshotEngine>> WORK =
            new LinkedHashMap<>();

    static {
        Predicate matching = new Predicate.Matches("NAME", ".*[13]5 of.*x", 0);
        Predicate containing = new Predicate.Text("NAME", TextOperation.CONTAINS, "99 of", true);
        List<Aggregate> sums =
                List.of(Aggregate.of(Aggregate.Function.SUM, "N", "s"), Aggregate.count("c"));
        plan("regular expression", t -> Plan.of(t).where(matching).count());
        plan("rows that match", t -> Plan.of(t).where(containing).limit(3));
        plan("sort", t -> Plan.of(t).orderBy(by("N")).skip(10).limit(120_000));
        plan("top of a filter", t -> Plan.of(t).where(containing).orderBy(by("KIND")).limit(3));
        plan("groups", t -> Plan.of(t).aggregate(items("N"), sums));
        plan("different rows", t -> Plan.of(t).distinct(items("N", "KIND")));
        plan(
                "groups of groups",
                t -> Plan.of(t).aggregate(items("N"), sums).where(new Predicate.IsNull("s")));
        WORK.put(
                "indexes",
                _ -> {
                    SnapshotEngine engine = fresh();
                    Rows.texts(engine, Plan.of(table).orderBy(by("NAME")).limit(3));
                });
        WORK.put(
                "parallel count",
                engine -> Rows.texts(engine.openParallel(Plan.of(table).where(matching).count())));
        WORK.put(
                "loading",
                _ -> Snapshot.of(database).table(database.table("small")).load().close());
        WORK.put(
                "statistics",
                _ -> {
                    try (Snapshot snapshot =
                            Snapshot.of(database).table(database.table("small")).load()) {
                        assertThat(snapshot.statistics()).isNotEmpty();
                    }
                });
        WORK.put(
                "reading",
                engine -> {
                    try (Cursor cursor = engine.open(Plan.of(table))) {
                        while (cursor.next()) {
                            assertThat(cursor.getInt(0)).isPositive();
                        }
                    }
                });
    }

    private static void plan(String name, java.util.function.Function<Table, Plan> plan) {
        WORK.put(name, engine -> Rows.texts(engine, plan.apply(table)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void virtualThread_besideLongWork_runsBeforeThatEnds(String kind) throws Exception {
        SnapshotEngine engine = fresh();
        CountDownLatch begun = new CountDownLatch(CARRIERS);
        CountDownLatch others = new CountDownLatch(3);
        List<FutureTask<Integer>> busy = new ArrayList<>();
        for (int i = 0; i < CARRIERS; i++) {
            busy.add(
                    onVirtualThread(() -> {
                        begun.countDown();
                        int rounds = 0;
                        // Without end, as long as no other virtual thread gets to run.
                        for (; others.getCount() > 0; rounds++) {
                            WORK.get(kind).accept(engine);
                        }
                        return rounds;
                    }));
        }
        begun.await();
        for (int i = 0; i < 3; i++) {
            onVirtualThread(
                            () -> {
                                others.countDown();
                                return true;
                            })
                    .get();
        }
        for (FutureTask<Integer> each : busy) {
            assertThat(each.get()).isNotNegative();
        }
    }

    /** All workers, busy until they are let go. */
    private static final class BusyWorkers implements AutoCloseable {
        private final CountDownLatch end = new CountDownLatch(1);
        private final List<FutureTask<Boolean>> all = new ArrayList<>();

        BusyWorkers() throws InterruptedException {
            CountDownLatch begun = new CountDownLatch(WorkerThreads.THREADS);
            for (int i = 0; i < WorkerThreads.THREADS; i++) {
                all.add(
                        onVirtualThread(() ->
                                WorkerThreads.call(
                                        Long.MAX_VALUE,
                                        () -> {
                                            begun.countDown();
                                            return await();
                                        })));
            }
            begun.await();
        }

        private boolean await() {
            try {
                end.await();
                return true;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            end.countDown();
            all.forEach(each -> assertThat(each).succeedsWithin(300, TimeUnit.SECONDS));
        }
    }

    @Test
    void shortQuery_whileAllWorkersAreBusy_isAnsweredByItsThread() throws Exception {
        SnapshotEngine engine = fresh();
        Predicate one = new Predicate.Comparison("ID", Comparator.EQUAL, 77);
        Predicate few = new Predicate.Comparison("KIND", Comparator.EQUAL, 7);
        Plan sorted = Plan.of(table).orderBy(by("N")).limit(5);
        Predicate text = new Predicate.Text("NAME", TextOperation.CONTAINS, "o", false);
        List<Plan> plans =
                List.of(
                        Plan.of(table).where(one),
                        Plan.of(table).where(few).count(),
                        Plan.of(table).limit(10),
                        Plan.of(table),
                        sorted,
                        Plan.of(database.table("few")).where(text).orderBy(by("NAME")),
                        Plan.of(database.table("few")).aggregate(items("NAME"), List.of()));
        List<List<List<String>>> expected = new ArrayList<>();
        // By this thread, which also builds the indexes.
        plans.forEach(plan -> expected.add(Rows.texts(engine, plan)));
        try (BusyWorkers _ = new BusyWorkers()) {
            for (int i = 0; i < plans.size(); i++) {
                Plan plan = plans.get(i);
                assertThat(onVirtualThread(() -> Rows.texts(engine, plan)).get())
                        .isEqualTo(expected.get(i));
            }
        }
    }

    /** Plans that wait for a worker: for a scan, an index that is built first, a list of values to be looked up. */
    static List<Plan> waitingPlans() {
        Table small = database.table("small");
        List<Object> values = IntStream.range(0, 50_000).<Object>mapToObj(i -> i).toList();
        return List.of(
                Plan.of(table).where(new Predicate.Text("NAME", TextOperation.CONTAINS, "x", true)),
                Plan.of(small).orderBy(by("NAME")).limit(3),
                Plan.of(table).where(new Predicate.In("KIND", values)));
    }

    @ParameterizedTest
    @MethodSource("waitingPlans")
    void query_thatWaitsForAWorker_canBeCancelled(Plan plan) throws Exception {
        Engine engine = fresh();
        for (boolean waits : List.of(true, false)) {
            try (BusyWorkers _ = new BusyWorkers()) {
                Cursor cursor = engine.open(plan);
                FutureTask<Boolean> task = new FutureTask<>(cursor::next);
                Thread thread = Thread.ofVirtual().start(task);
                while (waits && thread.isAlive() && thread.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
                // Where it was not waited for: before or after it has begun to.
                cursor.cancel();
                assertThatThrownBy(task::get)
                        .cause()
                        .isInstanceOfSatisfying(
                                QueryException.class,
                                e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.CANCELLED));
                cursor.close();
            }
        }
    }

    @Test
    void work_beyondWhatMayWait_isRefused() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        List<FutureTask<Boolean>> waiting = new ArrayList<>();
        CountDownLatch over = new CountDownLatch(20);
        try (BusyWorkers _ = new BusyWorkers()) {
            for (int i = 0; i < WorkerThreads.MOST_WAITING + 20; i++) {
                waiting.add(
                        onVirtualThread(() -> {
                            try {
                                return WorkerThreads.call(Long.MAX_VALUE, () -> true);
                            } catch (QueryException e) {
                                assertThat(e.kind()).isEqualTo(QueryException.Kind.UNAVAILABLE);
                                assertThat(e).hasMessageContaining("10,000 scans, sorts");
                                refused.incrementAndGet();
                                over.countDown();
                                return false;
                            }
                        }));
            }
            over.await();
        }
        for (FutureTask<Boolean> each : waiting) {
            each.get();
        }
        assertThat(refused).hasValue(20);
    }

    @Test
    void work_thatFails_tellsWhereItWasDoneAndWhoAskedForIt() {
        IllegalStateException failure = new IllegalStateException("it fails");
        FutureTask<Boolean> task =
                onVirtualThread(() ->
                        WorkerThreads.call(
                                Long.MAX_VALUE,
                                () -> {
                                    assertThat(Thread.currentThread().getName())
                                            .startsWith("penstock-worker-");
                                    throw failure;
                                }));
        assertThatThrownBy(task::get).cause().isSameAs(failure);
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(failure.getSuppressed()[0])
                .hasMessageStartingWith("the work was asked for by thread ")
                .hasStackTraceContaining("WorkerThreadsTest");
    }

    @Test
    void work_ofAPlatformThread_isDoneByItself() {
        Thread own = Thread.currentThread();
        assertThat(WorkerThreads.call(Long.MAX_VALUE, Thread::currentThread)).isSameAs(own);
        assertThat(PlatformThread.call("other", Thread::currentThread)).isSameAs(own);
    }

    @Test
    void work_ofAVirtualThread_keepsItsInterrupt() throws Exception {
        FutureTask<Boolean> task =
                onVirtualThread(() -> {
                    Thread.currentThread().interrupt();
                    int answer = WorkerThreads.call(Long.MAX_VALUE, () -> 7);
                    return answer == 7 && Thread.interrupted();
                });
        assertThat(task.get()).isTrue();
    }

    @Test
    void indexes_thatManyAskForAtOnce_areBuiltWithoutADeadlock() throws Exception {
        Predicate less = new Predicate.Comparison("NAME", Comparator.LESS, "name 5");
        List<Plan> plans =
                List.of(
                        Plan.of(table).where(less).count(),
                        Plan.of(table).orderBy(by("NAME")).limit(3),
                        Plan.of(table).where(less).orderBy(by("N")).limit(3),
                        Plan.of(table).aggregate(items("NAME", "KIND"), List.of()).count());
        SnapshotEngine engine = fresh();
        List<List<List<String>>> expected = new ArrayList<>();
        plans.forEach(plan -> expected.add(Rows.texts(engine, plan)));
        for (int round = 0; round < 3; round++) {
            SnapshotEngine empty = fresh();
            List<FutureTask<List<List<String>>>> answers = new ArrayList<>();
            for (int i = 0; i < WorkerThreads.THREADS * 4; i++) {
                Plan plan = plans.get(i % plans.size());
                answers.add(onVirtualThread(() -> Rows.texts(empty, plan)));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get()).isEqualTo(expected.get(i % plans.size()));
            }
        }
    }
}
