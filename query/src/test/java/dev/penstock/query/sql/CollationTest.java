package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.TextOperation;
import dev.penstock.query.Table;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts are equal where every character is and ordered by code point, whatever is declared of their column. */
class CollationTest {
    private static final List<String> TEXTS =
            Arrays.asList(
                    "b", "a", "A", "é", "e", "a-b", "ab", "_", "10", "9", "", "\\", null, "ÿ", "i",
                    "j", "ch", "c", "'", "a", "a ", " a");

    /** Of these, what one that is fixed in width, or an enum of plain labels, may hold. */
    private static final List<String> PLAIN = Arrays.asList("b", "a", "A b", "10", "9", null, "a");

    private static final List<String> ODD =
            Arrays.asList("b", "a", "é", "A b", "\\", "a\\b", null, "ÿ", "'", "b");

    private static final List<String> SETS =
            Arrays.asList("b", "a", "b,a", "z", "", "A b", "b,z", null);

    /** Some that no column here has, or can have in its character set. */
    private static final List<String> OTHERS =
            List.of("nothing", "z ", "B", "ä", "Я", "\uD83D\uDE00", "a\\\\b", ",");

    private static final Comparator<String> BY_CODE_POINT =
            (one, other) ->
                    Arrays.compareUnsigned(
                            one.getBytes(StandardCharsets.UTF_8),
                            other.getBytes(StandardCharsets.UTF_8));

    /** A type, and what a column of it holds. */
    private record Declared(String type, List<String> cells) {}

    private static List<Declared> declared(Kind kind) {
        return switch (kind) {
            case POSTGRESQL ->
                    List.of(
                            new Declared("text", TEXTS),
                            new Declared("text collate \"C\"", TEXTS),
                            new Declared("varchar(20) collate odd.\"C\"", TEXTS),
                            new Declared("text collate odd.folding", TEXTS),
                            new Declared("text collate pg_c_utf8", TEXTS),
                            new Declared("odd.exact", TEXTS),
                            new Declared("char(8)", PLAIN),
                            new Declared("odd.\"Grade's\"", ODD),
                            new Declared("odd.graded", ODD));
            case MARIADB, MYSQL -> {
                String plain = "enum('b','a','A b','10','9')";
                String odd = "enum('b','a','é','A b','\\\\','a\\\\b','ÿ','''')";
                yield List.of(
                        new Declared("varchar(20) collate utf8mb4_nopad_bin", TEXTS),
                        new Declared("varchar(20) collate utf8mb4_spanish2_ci", TEXTS),
                        new Declared("varchar(20) character set latin1", TEXTS),
                        new Declared(
                                "varchar(20) character set utf8mb3 collate utf8mb3_nopad_bin",
                                TEXTS),
                        new Declared("varchar(20) character set ucs2", TEXTS),
                        new Declared("char(8) collate utf8mb4_nopad_bin", PLAIN),
                        new Declared(plain + " collate utf8mb4_nopad_bin", PLAIN),
                        new Declared(plain + " character set latin1", PLAIN),
                        new Declared(odd + " collate utf8mb4_nopad_bin", ODD),
                        new Declared(odd + " character set latin1 collate latin1_bin", ODD),
                        new Declared("set('b','a','z','A b') collate utf8mb4_nopad_bin", SETS));
            }
            case H2 ->
                    List.of(
                            new Declared("varchar(20)", TEXTS),
                            new Declared("varchar_ignorecase(20)", TEXTS),
                            new Declared("char(8)", PLAIN),
                            new Declared("enum('b','a','é','A b','\\','a\\b','ÿ','''')", ODD));
        };
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void texts_ofAnyColumn_compareByCodePoint(Kind kind) throws SQLException {
        try (TestDatabase server = TestDatabase.create(kind)) {
            if (kind == Kind.POSTGRESQL) {
                String labels = "'b', 'a', 'é', 'A b', '\\', 'a\\b', 'ÿ', ''''";
                server.execute(
                        "create schema odd",
                        "create collation odd.\"C\" (provider = icu, locale = 'und')",
                        "create collation odd.folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
                        "create domain odd.exact as text collate \"C\"",
                        "create type odd.\"Grade's\" as enum (" + labels + ")",
                        "create domain odd.graded as odd.\"Grade's\"");
            }
            List<Declared> all = declared(kind);
            for (int i = 0; i < all.size(); i++) {
                create(server, "texts" + i, all.get(i));
            }
            Database database = Database.connect(server.pooled());
            for (int i = 0; i < all.size(); i++) {
                new Check(database, database.table("texts" + i), all.get(i)).all();
            }
        }
    }

    private static void create(TestDatabase server, String table, Declared declared)
            throws SQLException {
        server.execute(
                "create table %s (id int primary key, x %s)".formatted(table, declared.type()));
        String cast = declared.type().startsWith("odd.") ? "::" + declared.type() : "";
        try (Connection connection = server.connect();
                PreparedStatement insert =
                        connection.prepareStatement(
                                "insert into " + table + " values (?, ?" + cast + ")")) {
            for (int id = 0; id < declared.cells().size(); id++) {
                insert.setInt(1, id);
                insert.setString(2, declared.cells().get(id));
                insert.execute();
            }
        }
        server.execute("create index %s_x on %s (x)".formatted(table, table));
    }

    /** A question about one column. */
    private static final class Check {
        private final Database database;
        private final Table table;
        private final String column;
        private final Declared declared;
        private final List<String> cells;

        Check(Database database, Table table, Declared declared) {
            this.database = database;
            this.table = table;
            this.column = table.columns().get(1).name();
            this.declared = declared;
            this.cells = declared.cells();
        }

        void all() {
            Set<String> compared = new LinkedHashSet<>(cells);
            compared.addAll(OTHERS);
            compared.remove(null);
            for (String value : compared) {
                comparisons(value);
                for (TextOperation operation : TextOperation.values()) {
                    holds(
                            new Predicate.Text(column, operation, value, false),
                            cell -> cell != null && matches(cell, operation, value));
                }
                List<Object> values = List.of(value, "b", "none");
                Predicate in = new Predicate.In(column, values);
                holds(in, cell -> cell != null && values.contains(cell));
                holds(new Predicate.Not(in), cell -> cell == null || !values.contains(cell));
            }
            orders();
            extremes();
        }

        private void comparisons(String value) {
            for (Predicate.Comparator by : Predicate.Comparator.values()) {
                holds(
                        new Predicate.Comparison(column, by, value),
                        cell -> {
                            int order = cell == null ? 0 : BY_CODE_POINT.compare(cell, value);
                            return switch (by) {
                                case EQUAL -> cell != null && order == 0;
                                case NOT_EQUAL -> cell == null || order != 0;
                                case LESS -> order < 0;
                                case LESS_OR_EQUAL -> cell != null && order <= 0;
                                case GREATER -> order > 0;
                                case GREATER_OR_EQUAL -> cell != null && order >= 0;
                            };
                        });
            }
        }

        private static boolean matches(String cell, TextOperation operation, String value) {
            return switch (operation) {
                case EQUAL -> cell.equals(value);
                case STARTS_WITH -> cell.startsWith(value);
                case ENDS_WITH -> cell.endsWith(value);
                case CONTAINS -> cell.contains(value);
            };
        }

        private void holds(Predicate predicate, java.util.function.Predicate<String> expected) {
            List<String> found = texts(Plan.of(table).where(predicate).count());
            assertThat(found)
                    .as("%s: %s", declared.type(), predicate)
                    .containsExactly(Long.toString(cells.stream().filter(expected).count()));
        }

        private void orders() {
            for (int i = 0; i < 4; i++) {
                boolean descending = i % 2 == 1;
                boolean nullsFirst = i > 1;
                Comparator<String> order = descending ? BY_CODE_POINT.reversed() : BY_CODE_POINT;
                List<String> sorted = new ArrayList<>(cells);
                sorted.sort(
                        nullsFirst ? Comparator.nullsFirst(order) : Comparator.nullsLast(order));
                List<Plan.Order> by = List.of(new Plan.Order(column, descending, nullsFirst));
                List<Plan.Item> items = List.of(new Plan.Item(column, column));
                Plan rows = Plan.of(table).select(items).orderBy(by);
                assertThat(texts(rows)).as(declared.type()).isEqualTo(sorted);
                assertThat(texts(rows.limit(3))).isEqualTo(sorted.subList(0, 3));
                List<String> distinct = sorted.stream().distinct().toList();
                for (Plan plan :
                        List.of(Plan.of(table).distinct(items).orderBy(by), rows.distinct(items))) {
                    assertThat(texts(plan)).as(declared.type()).isEqualTo(distinct);
                }
            }
        }

        private void extremes() {
            Expression of = new Expression.ColumnValue(column);
            Plan plan =
                    Plan.of(table)
                            .aggregate(
                                    List.of(),
                                    List.of(
                                            new Aggregate(Aggregate.Function.MIN, of, null, "a"),
                                            new Aggregate(Aggregate.Function.MAX, of, null, "b")));
            List<String> sorted =
                    cells.stream().filter(Objects::nonNull).sorted(BY_CODE_POINT).toList();
            assertThat(Rows.texts(database, plan))
                    .as(declared.type())
                    .containsExactly(List.of(sorted.getFirst(), sorted.getLast()));
        }

        /** The first cell of each row. */
        private List<String> texts(Plan plan) {
            return Rows.texts(database, plan).stream().map(List::getFirst).toList();
        }
    }
}
