package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.Snapshot;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever reads a snapshot while it is refreshed gets, for each plan, the answer of a version as a whole; others each
 * time with {@code -Dpenstock.soak=true}.
 */
class SnapshotRefreshTest {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int VERSIONS = SOAK ? 200 : 12;
    private static final int READERS = 2;

    /** Answers that are waited for between two refreshes. */
    private static final int ANSWERS = 30;

    private static final List<Integer> SIZES = List.of(0, 1, 60, 700, 4_096, 5_000);

    /** The column that grows where a refresh reads what has changed. */
    private static final int GROWING = 9;

    /** What is put for numbers whose sums are rounded. */
    private static final Map<String, Object> EXACT =
            Map.of(
                    "1.0E300",
                    1000.0,
                    "1.0E-307",
                    0.25,
                    "1.51",
                    new BigDecimal("1.75"),
                    "99999999.99",
                    new BigDecimal("99999999.75"),
                    "1.5001",
                    new BigDecimal("1.5625"),
                    "5000000000000000000",
                    4_000_000_000L);

    private final long seed = Long.getLong("penstock.seed", SOAK ? System.nanoTime() : 1);
    private final Map<Long, PlanModel> models = new ConcurrentHashMap<>();
    private final Semaphore answers = new Semaphore(0);
    private volatile boolean over;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void plan_whileTheSnapshotIsRefreshed_answersFromOneVersion(boolean incremental)
            throws Exception {
        Random random = new Random(seed);
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            List<Object[]> rows = data(random, 700, 1);
            DifferentialTest.fill(server, rows);
            models.put(1L, new PlanModel(rows));
            Database database = Database.connect(server.dataSource());
            Table table = database.schema().table("facts").orElseThrow();
            Snapshot.Builder builder = Snapshot.of(database);
            String growing = table.columns().get(GROWING).name();
            try (Snapshot snapshot =
                            (incremental
                                            ? builder.incremental(table, growing, true)
                                            : builder.table(table))
                                    .load();
                    ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
                List<Future<?>> readers = new ArrayList<>();
                for (int i = 0; i < READERS; i++) {
                    long own = seed + i;
                    readers.add(threads.submit(() -> read(snapshot, table, own)));
                }
                try {
                    for (int version = 2; version <= VERSIONS; version++) {
                        rows = incremental ? changed(random, rows, version) : whole(random);
                        models.put((long) version, new PlanModel(rows));
                        replace(server, rows);
                        assertThat(snapshot.refresh().rows()).isEqualTo(rows.size());
                        awaitAnswers(readers);
                    }
                } finally {
                    over = true;
                }
                for (Future<?> reader : readers) {
                    reader.get();
                }
            }
        }
    }

    private void awaitAnswers(List<Future<?>> readers) throws Exception {
        while (!answers.tryAcquire(ANSWERS, 100, TimeUnit.MILLISECONDS)) {
            for (Future<?> reader : readers) {
                if (reader.isDone()) {
                    reader.get();
                }
            }
        }
    }

    /** Whose sums do not depend on the order of addition, which depends on the version's indexes. */
    private static List<Object[]> data(Random random, int size) {
        List<Object[]> rows = DifferentialTest.data(Kind.H2, random, size);
        for (Object[] row : rows) {
            for (int column = 0; column < row.length; column++) {
                row[column] = EXACT.getOrDefault(String.valueOf(row[column]), row[column]);
            }
        }
        return rows;
    }

    private static List<Object[]> data(Random random, int size, int version) {
        List<Object[]> rows = data(random, size);
        rows.forEach(row -> row[GROWING] = version);
        return rows;
    }

    private static List<Object[]> whole(Random random) {
        return data(random, SIZES.get(random.nextInt(SIZES.size())));
    }

    /** Some rows go, some change, some come. */
    private static List<Object[]> changed(Random random, List<Object[]> rows, int version) {
        Map<Object, Object[]> byId = new TreeMap<>();
        rows.forEach(row -> byId.put(row[0], row));
        if (random.nextBoolean()) {
            return fewChanged(random, byId, version);
        }
        int gone = random.nextInt(4);
        byId.values().removeIf(_ -> random.nextInt(10) < gone);
        for (Object[] row : data(random, SIZES.get(random.nextInt(SIZES.size())), version)) {
            if (random.nextInt(10) == 0 || !byId.containsKey(row[0])) {
                byId.put(row[0], row);
            }
        }
        return List.copyOf(byId.values());
    }

    /** So few that most of the version before is kept as it is. */
    private static List<Object[]> fewChanged(
            Random random, Map<Object, Object[]> byId, int version) {
        byId.values().removeIf(_ -> random.nextInt(400) == 0);
        List<Object[]> others = data(random, SIZES.getLast(), version);
        for (int i = random.nextInt(40); i > 0; i--) {
            Object[] row = others.get(random.nextInt(others.size()));
            byId.put(row[0], row);
        }
        return List.copyOf(byId.values());
    }

    private static void replace(TestDatabase server, List<Object[]> rows) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("delete from facts");
            DifferentialTest.insert(connection, rows);
            connection.commit();
        }
    }

    private void read(Snapshot snapshot, Table table, long own) {
        Random random = new Random(own);
        List<Object[]> values = data(random, 60);
        RandomPlans plans = new RandomPlans(random, table, values);
        for (int i = 0; !over; i++) {
            Plan plan = plans.plan();
            String shown =
                    "-Dpenstock.seed=%d, reader %d, plan %d: %s".formatted(seed, own, i, plan);
            long first = snapshot.version().number();
            try (Cursor cursor = snapshot.engine().open(plan)) {
                long last = snapshot.version().number();
                requireOneOf(plan, first, last, answered(cursor), shown);
            }
            answers.release();
        }
    }

    /** Null where a sum is beyond what it may be. */
    private static List<Object[]> answered(Cursor cursor) {
        List<Object[]> answered = new ArrayList<>();
        try {
            while (cursor.next()) {
                Object[] row = new Object[cursor.columns().size()];
                Arrays.setAll(row, column -> Rows.value(cursor, column));
                answered.add(row);
            }
            return answered;
        } catch (QueryException e) {
            assertThat(e).hasMessageContaining("is beyond what its type holds");
            return null;
        }
    }

    private void requireOneOf(
            Plan plan, long first, long last, List<Object[]> answered, String shown) {
        AssertionError failure = null;
        for (long version = first; version <= last; version++) {
            try {
                require(plan, models.get(version), answered, shown + ", version " + version);
                return;
            } catch (AssertionError e) {
                failure = e;
            }
        }
        throw new AssertionError(failure);
    }

    private static void require(Plan plan, PlanModel model, List<Object[]> answered, String shown) {
        boolean beyond = model.overflows(plan);
        if (answered == null) {
            assertThat(beyond || model.overflowsWithin(plan)).as(shown).isTrue();
        } else {
            assertThat(beyond).as(shown).isFalse();
            DifferentialTest.compare(plan, model.rows(plan), answered, shown);
        }
    }
}
