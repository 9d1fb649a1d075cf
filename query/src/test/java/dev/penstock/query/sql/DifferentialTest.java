package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.Window;
import dev.penstock.query.sql.render.PlanNormalizer;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import dev.penstock.query.typed.Lengths;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random plans mean on every database what they mean on a list of the same rows; others each time with {@code
 * -Dpenstock.soak=true}.
 */
class DifferentialTest {
    private static final int PLANS = Integer.getInteger("penstock.plans", 200);

    private static final List<String> ODD_TEXTS =
            List.of(
                    "",
                    " ",
                    "a",
                    "a ",
                    "A",
                    "á",
                    "a\u0301",
                    "ß",
                    "ss",
                    "S",
                    "\u017F",
                    "\u212A",
                    "k",
                    "\u0130",
                    "i",
                    "\u0131",
                    "\uD801\uDC00",
                    "\uD801\uDC28x",
                    "50%",
                    "a_b|",
                    "%",
                    "_",
                    "\\",
                    "\\\\",
                    "'",
                    "\uFFFD",
                    "\uD83D\uDE00",
                    "\uE000",
                    "ab",
                    "a\tb",
                    "z",
                    "Z",
                    "0");

    /** Odd ones, and some whose lengths are around the sizes of arrays. */
    private static final List<String> TEXTS =
            Stream.of(ODD_TEXTS, ODD_TEXTS, longTexts()).flatMap(List::stream).toList();

    private static List<String> longTexts() {
        return Lengths.around(Lengths.CELLS).stream()
                .map(length -> Lengths.text(length, length % 2 == 0 ? 'a' : 'b'))
                .toList();
    }

    /** So many rows for {@link #fill}. */
    static List<Object[]> data(Kind kind, Random random, int count) {
        List<Object> doubles = new ArrayList<>(List.of(0.0, 1.5, -1.5, 1e300, 1e-307));
        if (kind == Kind.POSTGRESQL || kind == Kind.H2) {
            doubles.addAll(List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
        }
        if (kind != Kind.H2) {
            doubles.add(-0.0);
        }
        List<Object> decimals =
                Stream.of("0.00", "1.50", "-1.50", "1.51", "99999999.99")
                        .map(s -> (Object) new BigDecimal(s))
                        .toList();
        List<Object> finer =
                Stream.of("0.0000", "1.5000", "1.5001", "-3.0000")
                        .map(s -> (Object) new BigDecimal(s))
                        .toList();
        List<Object> dates =
                List.of(
                        LocalDate.of(2026, 11, 21),
                        LocalDate.of(1970, 1, 1),
                        LocalDate.of(1, 1, 1));
        List<Object> times =
                List.of(
                        LocalDateTime.of(2026, 11, 21, 13, 45),
                        LocalDateTime.of(2026, 11, 21, 13, 45, 0, 1000),
                        LocalDateTime.of(1970, 1, 1, 0, 0, 0, 250_000_000));
        List<Object[]> rows = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            rows.add(
                    new Object[] {
                        (long) id,
                        pick(random, new ArrayList<>(TEXTS)),
                        pick(random, doubles),
                        pick(random, decimals),
                        pick(random, dates),
                        pick(
                                random,
                                List.of(-1L, 0L, 1L, 9_000_000_000L, 5_000_000_000_000_000_000L)),
                        pick(random, new ArrayList<>(TEXTS)),
                        pick(random, doubles),
                        pick(random, finer),
                        random.nextInt(4) - 1,
                        pick(random, List.of(0, 7, Integer.MAX_VALUE, Integer.MIN_VALUE)),
                        pick(random, List.of(true, false)),
                        pick(random, times)
                    });
        }
        return rows;
    }

    static Object pick(Random random, List<Object> values) {
        int index = random.nextInt(values.size() + 1);
        return index == values.size() ? null : values.get(index);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void plan_atRandom_answersAsAListDoes(Kind kind) throws SQLException {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        Random random = new Random(seed);
        List<Object[]> rows = data(kind, random, 60);
        try (TestDatabase server = TestDatabase.create(kind)) {
            fill(server, rows);
            RecordingDataSource source = new RecordingDataSource(server.pooled());
            Database database = Database.connect(source);
            Table table = database.table("facts");
            PlanModel model = new PlanModel(rows);
            RandomPlans plans = new RandomPlans(random, table, rows);
            int refused = 0;
            for (int i = 0; i < PLANS; i++) {
                Plan plan = plans.plan();
                String shown = "-Dpenstock.seed=%d, plan %d".formatted(seed, i);
                if (database.refusal(plan).isPresent()) {
                    assertThatThrownBy(() -> database.open(plan))
                            .as(shown)
                            .isInstanceOf(UnsupportedPlanException.class);
                    refused++;
                } else {
                    check(database, plan, model, shown);
                    // A shape that is known to have short answers may be asked in another way.
                    check(database, plan, model, shown + ", again");
                    check(database, plan.count(), model, shown);
                }
            }
            assertThat(refused).as("plans refused").isLessThan(PLANS / 5);
            assertThat(source.open).isEmpty();
        }
    }

    /** That an engine answers the plan as the model does, or fails where that overflows. */
    static void check(Engine engine, Plan plan, PlanModel model, String shown) {
        String about = shown + System.lineSeparator() + engine.explain(plan).text();
        answer(engine, plan, model, about)
                .ifPresent(answered -> compare(plan, model.rows(plan), answered, about));
    }

    /**
     * None where a sum of whole numbers is beyond 64 bits, as it must be where the sum is answered; one that is only
     * read from may as well be left out by the database, or be exact.
     */
    private static Optional<List<Object[]>> answer(
            Engine engine, Plan plan, PlanModel model, String about) {
        List<Object[]> answered = new ArrayList<>();
        try (Cursor cursor = engine.open(plan)) {
            while (cursor.next()) {
                Object[] row = new Object[cursor.columns().size()];
                Arrays.setAll(row, column -> Rows.value(cursor, column));
                answered.add(row);
            }
        } catch (QueryException e) {
            if (!model.overflows(plan) && !model.overflowsWithin(plan)) {
                throw new AssertionError(about, e);
            }
            assertThat(e).as(about).hasMessageContaining("is beyond what its type holds");
            return Optional.empty();
        }
        assertThat(model.overflows(plan)).as("%s%nanswered a sum beyond 64 bits", about).isFalse();
        return Optional.of(answered);
    }

    static void compare(Plan plan, List<Object[]> expected, List<Object[]> answered, String about) {
        assertThat(answered).as(about).hasSameSizeAs(expected);
        List<ColumnType> types = plan.columns().stream().map(Column::type).toList();
        boolean sliced =
                plan.output() instanceof Plan.Output.Columns
                        && !Window.of(plan.slices()).equals(Window.ALL);
        boolean kept =
                switch (plan.output()) {
                    case Plan.Output.Columns _, Plan.Output.Distinct _ ->
                            !PlanNormalizer.order(PlanNormalizer.flat(plan)).isEmpty();
                    case Plan.Output.Count _, Plan.Output.Aggregation _ -> false;
                };
        boolean ordered = sliced || kept;
        Deque<Object[]> left = new ArrayDeque<>(ordered ? answered : byText(answered));
        for (Object[] row : ordered ? expected : byText(expected)) {
            if (!take(row, left, ordered, types)) {
                throw new AssertionError(
                        "%s%nno %s; expected %s, answered %s"
                                .formatted(
                                        about,
                                        Arrays.toString(row),
                                        texts(expected),
                                        texts(answered)));
            }
        }
    }

    /**
     * Nearly the same sequence for answers that are the same, so that not all of one are compared with all of the
     * other.
     */
    private static List<Object[]> byText(List<Object[]> rows) {
        return rows.stream()
                .map(row -> Map.entry(Arrays.toString(row), row))
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    private static boolean take(
            Object[] row, Deque<Object[]> from, boolean onlyFirst, List<ColumnType> types) {
        for (Iterator<Object[]> each = from.iterator(); each.hasNext(); ) {
            if (same(row, each.next(), types)) {
                each.remove();
                return true;
            }
            if (onlyFirst) {
                return false;
            }
        }
        return false;
    }

    private static boolean same(Object[] expected, Object[] answered, List<ColumnType> types) {
        for (int i = 0; i < expected.length; i++) {
            if (!PlanModel.same(expected[i], answered[i], types.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static List<String> texts(List<Object[]> rows) {
        return rows.stream().map(Arrays::toString).toList();
    }

    /** Makes the table {@code facts} with these rows. */
    static void fill(TestDatabase server, List<Object[]> rows) throws SQLException {
        String text =
                server.kind() == Kind.H2
                        ? "varchar(200)"
                        : server.kind() == Kind.POSTGRESQL
                                ? "text"
                                : "varchar(200) character set utf8mb4";
        String ofCodePoints =
                switch (server.kind()) {
                    case H2 -> "";
                    case POSTGRESQL -> " collate \"C\"";
                    case MARIADB, MYSQL -> " collate utf8mb4_nopad_bin";
                };
        boolean isMariaDb = server.kind() == Kind.MARIADB || server.kind() == Kind.MYSQL;
        String time = isMariaDb ? "datetime(6)" : "timestamp(6)";
        server.execute(
                "create table facts (id bigint primary key, s "
                        + text
                        + ", d double precision, n decimal(12,2), day_of date, i bigint, s2 "
                        + text
                        + ofCodePoints
                        + ", d2 double precision, n2 decimal(10,4), k int not null, k2 int, b boolean, at "
                        + time
                        + ")");
        try (Connection connection = server.connect()) {
            insert(connection, rows);
        }
        if (isMariaDb) {
            negateZeros(server, rows);
        }
    }

    static void insert(Connection connection, List<Object[]> rows) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "insert into facts values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (Object[] row : rows) {
                for (int i = 0; i < row.length; i++) {
                    insert.setObject(i + 1, row[i]);
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** The drivers write −0.0 as a decimal, which has no such zero. */
    private static void negateZeros(TestDatabase server, List<Object[]> rows) {
        for (Object[] row : rows) {
            for (int column : new int[] {2, 7}) {
                if (row[column] != null && ((Double) row[column]).equals(-0.0)) {
                    String name = column == 2 ? "d" : "d2";
                    server.execute("update facts set " + name + " = -0e0 where id = " + row[0]);
                }
            }
        }
    }
}
