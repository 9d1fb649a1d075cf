package dev.penstock.query.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import dev.penstock.databases.TestDatabase;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.Utf8;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One suite over every database. */
class DatabaseConformanceTest {
    @ParameterizedTest
    @EnumSource(TestDatabase.Kind.class)
    void everyType_atItsEdges_hasItsCanonicalTextAndEqualsItself(TestDatabase.Kind kind) {
        List<TypeCase> cases = TypeCase.of(kind);
        try (TestDatabase server = TestDatabase.create(kind)) {
            fill(server, cases);
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            Table table = database.table("edges");
            for (int i = 0; i < cases.size(); i++) {
                requireType(cases.get(i), table.columns().get(i + 1));
            }
            requireTexts(cases, texts(database, table));
            requireRoundTrips(database, table);
            assertThat(source.open).isEmpty();
        }
    }

    /** PostgreSQL through a pool that hides its driver: by portal instead of COPY. */
    @org.junit.jupiter.api.Test
    void everyType_throughAPortal_hasTheSameText() {
        List<TypeCase> cases = TypeCase.of(TestDatabase.Kind.POSTGRESQL);
        try (TestDatabase server = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            fill(server, cases);
            RecordingDataSource source =
                    new RecordingDataSource(
                            server.dataSource(), RecordingDataSource.Fault.CAN_NOT_BE_UNWRAPPED);
            Database database = Database.connect(source);
            Table table = database.table("edges");
            requireTexts(cases, texts(database, table));
            requireRoundTrips(database, table);
            assertThat(source.open).isEmpty();
        }
    }

    private static void requireTexts(List<TypeCase> cases, List<List<String>> rows) {
        List<List<String>> expected = expected(cases);
        assertThat(rows).hasSameSizeAs(expected);
        assertSoftly(softly -> {
            for (int row = 0; row < rows.size(); row++) {
                for (int i = 0; i < cases.size(); i++) {
                    softly.assertThat(rows.get(row).get(i + 1))
                            .as(cases.get(i).declared())
                            .isEqualTo(expected.get(row).get(i + 1));
                }
            }
        });
    }

    private static void requireType(TypeCase type, Column column) {
        assertThat(column.type()).as(type.declared()).isEqualTo(type.type());
        for (int i = 1; i < type.values().size(); i += 2) {
            assertThat(type.values().get(i).getBytes(UTF_8).length)
                    .as("%s within maxBytes", type.declared())
                    .isLessThanOrEqualTo(column.maxBytes());
        }
    }

    private static void fill(TestDatabase server, List<TypeCase> cases) {
        List<String> statements = new ArrayList<>();
        StringJoiner columns =
                new StringJoiner(", ", "create table edges (id int primary key, ", ")");
        for (int i = 0; i < cases.size(); i++) {
            columns.add("c" + i + " " + cases.get(i).declared());
        }
        switch (server.kind()) {
            case POSTGRESQL -> {
                statements.add("create type mood as enum ('so so', 'good')");
                statements.add("create domain age as int check (value > 0)");
            }
            case MARIADB, MYSQL -> {
                statements.add("set sql_mode = 'NO_AUTO_VALUE_ON_ZERO'");
                statements.add("set time_zone = '+00:00'");
            }
            case H2 -> {}
        }
        statements.add(columns.toString());
        for (int row = 0; row <= longest(cases); row++) {
            StringJoiner values =
                    new StringJoiner(", ", "insert into edges values (" + row + ", ", ")");
            for (TypeCase type : cases) {
                values.add(row * 2 < type.values().size() ? type.values().get(row * 2) : "null");
            }
            statements.add(values.toString());
        }
        server.execute(statements.toArray(String[]::new));
    }

    private static int longest(List<TypeCase> cases) {
        return cases.stream().mapToInt(c -> c.values().size() / 2).max().orElseThrow();
    }

    private static List<List<String>> expected(List<TypeCase> cases) {
        List<List<String>> rows = new ArrayList<>();
        for (int row = 0; row <= longest(cases); row++) {
            List<String> texts = new ArrayList<>();
            texts.add(Integer.toString(row));
            for (TypeCase type : cases) {
                boolean has = row * 2 < type.values().size();
                texts.add(has ? type.values().get(row * 2 + 1) : null);
            }
            rows.add(texts);
        }
        return rows;
    }

    private static List<List<String>> texts(Database database, Table table) {
        Plan.Order order = new Plan.Order(table.columns().getFirst().name(), false, false);
        return Rows.texts(database, Plan.of(table).orderBy(List.of(order)));
    }

    /** Every value, read by its typed getter and bound again, finds its own row, and its complement does not. */
    private static void requireRoundTrips(Database database, Table table) {
        record Cell(Column column, int row, Object value) {}
        List<Cell> cells = new ArrayList<>();
        try (Cursor cursor = database.open(Plan.of(table))) {
            while (cursor.next()) {
                for (int i = 1; i < table.columns().size(); i++) {
                    Object value = comparable(cursor, i);
                    if (value != null) {
                        cells.add(new Cell(table.columns().get(i), cursor.getInt(0), value));
                    }
                }
            }
        }
        for (Cell cell : cells) {
            String as = cell + " as " + cell.value().getClass();
            assertThat(ids(database, table, cell.column(), Comparator.EQUAL, cell.value()))
                    .as(as)
                    .contains(cell.row());
            assertThat(ids(database, table, cell.column(), Comparator.NOT_EQUAL, cell.value()))
                    .as(as)
                    .doesNotContain(cell.row())
                    .isNotEmpty();
        }
    }

    /** Null where a value has no counterpart in Java, such as an infinite decimal or a day that is none. */
    private static Object comparable(Cursor cursor, int index) {
        try {
            Object value = Rows.value(cursor, index);
            String text = cursor.getString(index);
            return text != null && (text.endsWith("infinity") || text.equals("24:00:00"))
                    ? null
                    : value;
        } catch (QueryException e) {
            assertThat(e).hasMessageContaining("read its text instead");
            return null;
        }
    }

    private static List<Integer> ids(
            Database database, Table table, Column column, Comparator comparator, Object value) {
        String id = table.columns().getFirst().name();
        Plan plan =
                Plan.of(table)
                        .select(List.of(new Plan.Item(id, "id")))
                        .where(new Predicate.Comparison(column.name(), comparator, value));
        List<Integer> ids = new ArrayList<>();
        try (Cursor cursor = database.open(plan)) {
            while (cursor.next()) {
                ids.add(cursor.getInt(0));
            }
        }
        return ids;
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.Kind.class)
    void names_thatNeedQuotes_workEverywhere(TestDatabase.Kind kind) {
        List<String> names =
                List.of(
                        "select",
                        "two words",
                        "Mixed Case",
                        "quote\"d",
                        "back`tick",
                        "dot.ted",
                        "it's; drop table t --",
                        "naïve 表",
                        "per%cent_under\\slash",
                        "question?mark",
                        "brace{d}");
        try (TestDatabase server = TestDatabase.create(kind)) {
            List<String> statements = new ArrayList<>();
            for (String name : names) {
                String quoted = quoted(kind, name);
                statements.add(
                        "create table "
                                + quoted
                                + " ("
                                + quoted
                                + " varchar(100) not null primary key)");
                statements.add(
                        "insert into "
                                + quoted
                                + " values ('"
                                + name.replace("'", "''")
                                        .replace("\\", kind.name().contains("M") ? "\\\\" : "\\")
                                + "')");
            }
            server.execute(statements.toArray(String[]::new));
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            for (String name : names) {
                Table table = database.table(name);
                assertThat(table.primaryKey()).containsExactly(name);
                Plan plan =
                        Plan.of(table)
                                .where(
                                        new Predicate.Comparison(
                                                name, Comparator.EQUAL, "x' OR '1'='1"))
                                .orderBy(List.of(new Plan.Order(name, true, false)));
                assertThat(Rows.texts(database, plan)).as(name).isEmpty();
                Plan in =
                        Plan.of(table)
                                .where(new Predicate.In(name, List.of("\\' OR 1=1 -- ", name)))
                                .limit(5);
                assertThat(Rows.texts(database, in)).hasSize(1);
                assertThat(Rows.texts(database, Plan.of(table).count()))
                        .containsExactly(List.of("1"));
            }
            assertThat(source.open).isEmpty();
        }
    }

    private static String quoted(TestDatabase.Kind kind, String name) {
        return switch (kind) {
            case POSTGRESQL, H2 -> '"' + name.replace("\"", "\"\"") + '"';
            case MARIADB, MYSQL -> '`' + name.replace("`", "``") + '`';
        };
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.Kind.class)
    void cell_ofTenMegabytes_isReadWholeWithinTheBudgetAndRefusedBeyond(TestDatabase.Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            String text =
                    kind == TestDatabase.Kind.H2
                            ? "clob"
                            : kind == TestDatabase.Kind.POSTGRESQL ? "text" : "longtext";
            String bytes =
                    kind == TestDatabase.Kind.POSTGRESQL
                            ? "bytea"
                            : kind == TestDatabase.Kind.H2 ? "blob" : "longblob";
            server.execute(
                    "create table wide (name varchar(10) primary key, body "
                            + text
                            + ", raw "
                            + bytes
                            + ")");
            String body = "aé\uD801\uDC37".repeat(1_430_000);
            insert(
                    server,
                    "insert into wide values ('a', ?, ?)",
                    body,
                    body.substring(0, 3_000_001).getBytes(UTF_8));
            server.execute(
                    "insert into wide values ('b', 'narrow', null)",
                    "insert into wide values ('c', null, null)");
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            Table wide = database.table("wide");
            try (Cursor cursor =
                    database.open(
                            Plan.of(wide)
                                    .orderBy(
                                            List.of(
                                                    new Plan.Order(
                                                            wide.columns().getFirst().name(),
                                                            false,
                                                            false))))) {
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.text(1).length()).isEqualTo(10_010_000);
                assertThat(cursor.getString(1)).isEqualTo(body);
                assertThat(cursor.getBytes(2))
                        .isEqualTo(body.substring(0, 3_000_001).getBytes(UTF_8));
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.getString(1)).isEqualTo("narrow");
                assertThat(cursor.isNull(2)).isTrue();
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.isNull(1)).isTrue();
                assertThat(cursor.next()).isFalse();
            }
            Database tight = Database.builder(source).wideRowBudgetBytes(1 << 20).connect();
            assertThat(refusal(tight, Plan.of(tight.table("wide"))))
                    .hasMessageMatching(
                            "(?i)a row of table wide has \\d+ bytes in column body, raw; to send it takes \\d+ bytes of memory; the limit is 1048576 .*raise wideRowBudgetBytes.*");
            assertThat(source.open).isEmpty();
        }
    }

    /** Cells of one length, with and without the same value, so that the length alone does not tell them apart. */
    @ParameterizedTest
    @EnumSource(TestDatabase.Kind.class)
    void wideCell_ofAViewOrATableWithoutAKey_isFoundByItsContent(TestDatabase.Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            String text =
                    switch (kind) {
                        case H2 -> "clob";
                        case POSTGRESQL -> "text";
                        case MARIADB, MYSQL -> "longtext";
                    };
            String bytes =
                    switch (kind) {
                        case H2 -> "blob";
                        case POSTGRESQL -> "bytea";
                        case MARIADB, MYSQL -> "longblob";
                    };
            server.execute(
                    "create table keyless (body " + text + ", raw " + bytes + ", n int)",
                    "create view seen as select n, body, raw from keyless");
            String one = "aé\uD801\uDC37".repeat(60_000);
            String other = "aè\uD801\uDC37".repeat(60_000);
            byte[] raw = one.getBytes(UTF_8);
            String insert = "insert into keyless values (?, ?, %s)";
            insert(server, insert.formatted("1"), one, raw);
            insert(server, insert.formatted("1"), other, raw);
            insert(server, insert.formatted("null"), "narrow", raw);
            insert(server, insert.formatted("null"), one, "few".getBytes(UTF_8));
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            for (String name : List.of("keyless", "seen")) {
                Table table = database.table(name);
                int body = name.equals("seen") ? 1 : 0;
                List<String> bodies = new ArrayList<>();
                try (Cursor cursor = database.open(Plan.of(table))) {
                    while (cursor.next()) {
                        bodies.add(cursor.getString(body));
                        Utf8 wide = cursor.wideBytes(body + 1);
                        assertThat(wide != null).isEqualTo(bodies.size() < 4);
                        assertThat(wide == null ? 0 : wide.length())
                                .isEqualTo(bodies.size() < 4 ? raw.length : 0);
                        String base64 = cursor.getString(body + 1);
                        assertThat(Base64.getDecoder().decode(base64))
                                .isEqualTo(cursor.getBytes(body + 1))
                                .hasSize(bodies.size() < 4 ? raw.length : 3);
                    }
                }
                assertThat(bodies).as(name).containsExactly(one, other, "narrow", one);
            }
            assertThat(source.open).isEmpty();
        }
    }

    private static QueryException refusal(Database database, Plan plan) {
        QueryException refusal =
                org.junit.jupiter.api.Assertions.assertThrows(
                        QueryException.class, () -> Rows.texts(database, plan));
        assertThat(refusal.kind()).isEqualTo(QueryException.Kind.ROW_TOO_WIDE);
        return refusal;
    }

    private static void insert(TestDatabase server, String sql, String text, byte[] bytes) {
        try (java.sql.Connection connection = server.connect();
                java.sql.PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, text);
            if (bytes != null) {
                statement.setBytes(2, bytes);
            }
            statement.execute();
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.Kind.class)
    void values_thatDoNotFitTheColumn_areAnInvalidPlan(TestDatabase.Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute("create table fits (n int, d decimal(5,2), s varchar(10), b date)");
            Database database = Database.connect(server.dataSource());
            Table table = database.table("fits");
            List<Object> misfits = List.of(3_000_000_000L, "1.5", 12, "2026-11-21");
            for (int i = 0; i < misfits.size(); i++) {
                Column column = table.columns().get(i);
                Plan plan =
                        Plan.of(table)
                                .where(
                                        new Predicate.Comparison(
                                                column.name(), Comparator.LESS, misfits.get(i)));
                QueryException refusal =
                        org.junit.jupiter.api.Assertions.assertThrows(
                                QueryException.class, () -> database.open(plan));
                assertThat(refusal.kind()).isEqualTo(QueryException.Kind.INVALID_PLAN);
                assertThat(refusal)
                        .hasMessageContaining("column " + column.name())
                        .hasMessageNotContaining(misfits.get(i).toString());
            }
            assertThat(table.columns().get(3).type()).isEqualTo(ColumnType.DATE);
        }
    }
}
