package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Column;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Subqueries at the edge of what databases compare as Java does. */
class SubqueryEdgesTest {
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"MARIADB", "MYSQL"})
    void instants_ofASubqueryAlone_areComparedInUtcWhateverTheSessionsZone(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "set time_zone = '+00:00'",
                    "create table thing (id int primary key)",
                    "create table visit (thing int, at timestamp(6) null)",
                    "insert into thing values (1), (2), (3)",
                    "insert into visit values (1, '2026-11-22 12:00:00'), (2, '2026-11-22 13:00:00')");
            String url =
                    server.url()
                            + (server.url().contains("?") ? "&" : "?")
                            + "sessionVariables=time_zone='-05:00'";
            Database database =
                    Database.connect(new UrlDataSource(url, server.user(), server.password()));
            Plan visited =
                    Plan.of(database.table("visit"))
                            .where(new Predicate.Comparison("at", Predicate.Comparator.EQUAL, NOON))
                            .select(List.of(new Plan.Item("thing", "thing")));
            Table thing = database.table("thing");
            Predicate in = new Predicate.InSubquery("id", visited);
            assertThat(keys(database, thing, in)).containsExactly("1");
            assertThat(keys(database, thing, new Predicate.Not(in))).containsExactly("2", "3");
            assertThat(Rows.texts(database, Plan.of(thing).where(in).count()))
                    .containsExactly(List.of("1"));
        }
    }

    @Test
    void texts_ofDifferentCollationsThatAreExact_areCompared() {
        try (TestDatabase server = TestDatabase.create(Kind.POSTGRESQL)) {
            String columns =
                    " (id int primary key, c text collate \"C\", p text collate \"POSIX\","
                            + " u varchar(9) collate \"ucs_basic\", d text, f char(4) collate \"C\")";
            server.execute(
                    "create table one" + columns,
                    "create table other" + columns,
                    "insert into one values (1, 'x', 'x', 'x', 'x', 'x'), (2, 'y', 'y', 'y', 'y', 'y'), (3, null, null, null, null, null)",
                    "insert into other values (1, 'x', 'x', 'x', 'x', 'x'), (2, 'z', 'z', 'z', 'z', 'z'), (3, null, null, null, null, null)");
            Database database = Database.connect(server.pooled());
            Table one = database.table("one");
            for (String outer : List.of("c", "p", "u", "d", "f")) {
                for (String inner : List.of("c", "p", "u", "d", "f")) {
                    Plan plain =
                            Plan.of(database.table("other"))
                                    .select(List.of(new Plan.Item(inner, "v")));
                    for (Plan values : List.of(plain, plain.limit(9))) {
                        Predicate in = new Predicate.InSubquery(outer, values);
                        assertThat(keys(database, one, in))
                                .as("%s in %s", outer, values)
                                .containsExactly("1");
                        assertThat(keys(database, one, new Predicate.Not(in)))
                                .as("%s not in %s", outer, values)
                                .containsExactly("2", "3");
                    }
                }
            }
        }
    }

    /** A view says of its columns what the database takes them for, or took them for when its schema was read. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void notIn_ofAViewThatSaysItHasNoNulls_losesNoRowByThem(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "create table thing (id int primary key, name varchar(9))",
                    "create table part (thing int, name varchar(9))",
                    "create view parts as select * from part",
                    "insert into thing values (1, 'a'), (2, 'b'), (3, null)",
                    "insert into part values (1, 'a'), (null, null)");
            Database database = Database.connect(server.pooled());
            Table view = withoutNulls(database.table("parts"));
            Table thing = database.table("thing");
            for (int i = 0; i < 2; i++) {
                String name = view.columns().get(i).name();
                String own = thing.columns().get(i).name();
                Plan all = Plan.of(view).select(List.of(new Plan.Item(name, "v")));
                Plan distinct = Plan.of(view).distinct(List.of(new Plan.Item(name, "v")));
                // Texts of a nested SELECT are read first, and those of a view where they are
                // converted.
                for (Plan values :
                        i == 0
                                ? List.of(all, all.limit(9), distinct, distinct.limit(9))
                                : List.of(all, all.limit(9))) {
                    Predicate in = new Predicate.InSubquery(own, values);
                    if (database.refusal(Plan.of(thing).where(in)).isPresent()) {
                        assertThat(i).isEqualTo(1);
                        assertThat(kind).isIn(Kind.MARIADB, Kind.MYSQL);
                        continue;
                    }
                    assertThat(keys(database, thing, in)).as("%s", values).containsExactly("1");
                    assertThat(keys(database, thing, new Predicate.Not(in)))
                            .as("not in %s", values)
                            .containsExactly("2", "3");
                    assertThat(keys(database, thing, new Predicate.SqlNot(in)))
                            .as("SQL's not in %s", values)
                            .isEqualTo(i == 0 ? List.of("2", "3") : List.of("2"));
                }
            }
        }
    }

    /** A cell of a view may be null whatever the view said of it, to which SQL's NOT is unknown. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void sqlNotIn_ofNullsInAViewThatSaidItHadNone_isNotTrue(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "create table thing (id int primary key, part int not null)",
                    "create view things as select * from thing",
                    "create table part (id int primary key)",
                    "insert into thing values (1, 1), (2, 2)",
                    "insert into part values (1)");
            Database database = Database.connect(server.pooled());
            server.execute(
                    switch (kind) {
                        case MARIADB, MYSQL -> "alter table thing modify part int null";
                        case POSTGRESQL, H2 -> "alter table thing alter column part drop not null";
                    },
                    "insert into thing values (3, null)");
            Table view = database.table("things");
            Table part = database.table("part");
            String id = part.columns().getFirst().name();
            Plan all = Plan.of(part).select(List.of(new Plan.Item(id, "v")));
            for (Plan values : List.of(all, all.limit(9))) {
                Predicate in = new Predicate.InSubquery(view.columns().get(1).name(), values);
                assertThat(keys(database, view, in)).containsExactly("1");
                assertThat(keys(database, view, new Predicate.Not(in))).containsExactly("2", "3");
                assertThat(keys(database, view, new Predicate.SqlNot(in))).containsExactly("2");
            }
        }
    }

    /** SQL says of a row that it is NULL where all its fields are, and that it is not NULL where none is. */
    @Test
    void rows_ofNulls_areValuesThatAreNotNull() {
        try (TestDatabase server = TestDatabase.create(Kind.POSTGRESQL)) {
            server.execute(
                    "create type pair as (a int, b int)",
                    "create table thing (id int primary key, p pair)",
                    "create table part (id int primary key, p pair)",
                    "insert into thing values (1, row(1, 2)), (2, row(null, null)), (3, row(1, null)), (4, null)",
                    "insert into part values (1, row(1, 2)), (2, row(7, null)), (3, null)");
            Database database = Database.connect(server.pooled());
            Table thing = database.table("thing");
            Plan all = Plan.of(database.table("part")).select(List.of(new Plan.Item("p", "v")));
            for (Plan values : List.of(all, all.limit(9))) {
                assertTests(database, thing, new Predicate.InSubquery("p", values));
            }
            assertTests(database, thing, new Predicate.In("p", List.of("(1,2)", "(7,)")));
            assertTests(
                    database,
                    thing,
                    new Predicate.Comparison("p", Predicate.Comparator.EQUAL, "(1,2)"));
        }
    }

    /** Of the first of four rows it is true, of the last it is unknown. */
    private static void assertTests(Database database, Table table, Predicate condition) {
        assertThat(keys(database, table, condition)).as("%s", condition).containsExactly("1");
        assertThat(keys(database, table, new Predicate.Not(condition)))
                .as("not %s", condition)
                .containsExactly("2", "3", "4");
        Predicate sqlNot = new Predicate.SqlNot(condition);
        assertThat(keys(database, table, sqlNot))
                .as("SQL's not %s", condition)
                .containsExactly("2", "3");
        assertThat(keys(database, table, new Predicate.Not(sqlNot)))
                .as("not SQL's not %s", condition)
                .containsExactly("1", "4");
    }

    /** These databases find 0000-00-00 by IS NULL, in columns that may not be NULL. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"MARIADB", "MYSQL"})
    void dayZero_inAView_isNotNull(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "set sql_mode = ''",
                    "create table thing (id int primary key, d date not null, t datetime not null)",
                    "create view things as select * from thing",
                    "create view joined as select o.id, t.d, t.t from thing o"
                            + " left join thing t on o.id = t.id and o.id < 3",
                    "create table part (id int primary key, d date, t datetime)",
                    "insert into thing values (1, '2026-11-28', '2026-11-28'), (2, 0, 0),"
                            + " (3, '2026-11-29', '2026-11-29')",
                    "insert into part values (1, '2026-11-28', '2026-11-28'), (2, null, null)");
            Database database = Database.connect(server.pooled());
            Table view = database.table("things");
            for (String column : List.of("d", "t")) {
                Plan all = all(database, column);
                for (Plan values : List.of(all, all.limit(9))) {
                    Predicate some = new Predicate.InSubquery(column, values);
                    Predicate others = new Predicate.SqlNot(some);
                    assertThat(keys(database, view, some)).containsExactly("1");
                    assertThat(keys(database, view, new Predicate.Not(some)))
                            .containsExactly("2", "3");
                    assertThat(keys(database, view, others)).containsExactly("2", "3");
                    assertThat(keys(database, view, new Predicate.Not(others)))
                            .containsExactly("1");
                }
                // Of an outer join, whose third row has none.
                Table joined = database.table("joined");
                Predicate isNull = new Predicate.IsNull(column);
                assertThat(keys(database, joined, isNull)).containsExactly("3");
                assertThat(keys(database, joined, new Predicate.Not(isNull)))
                        .containsExactly("1", "2");
                Predicate in = new Predicate.InSubquery(column, all(database, column));
                Predicate sqlNot = new Predicate.SqlNot(in);
                assertThat(keys(database, joined, sqlNot)).containsExactly("2");
                assertThat(keys(database, joined, new Predicate.Not(sqlNot)))
                        .containsExactly("1", "3");
            }
        }
    }

    private static Plan all(Database database, String column) {
        return Plan.of(database.table("part")).select(List.of(new Plan.Item(column, "v")));
    }

    /** An int8 is made an oid to be compared with one, which fails where it is too great. */
    @Test
    void objectIds_amongOtherNumbers_areRefused() {
        try (TestDatabase server = TestDatabase.create(Kind.POSTGRESQL)) {
            server.execute(
                    "create table one (id oid primary key, n bigint, i int)",
                    "insert into one values (1, 1, 1), (2, 9223372036854775807, 2), (4294967295, -1, -1)");
            Database database = Database.connect(server.pooled());
            Table one = database.table("one");
            List<String> columns = List.of("id", "n", "i");
            for (String outer : columns) {
                for (String inner : columns) {
                    Plan values = Plan.of(one).select(List.of(new Plan.Item(inner, "v")));
                    Predicate in = new Predicate.InSubquery(outer, values);
                    if (outer.equals("id") == inner.equals("id")) {
                        assertThat(keys(database, one, in))
                                .as("%s in %s", outer, inner)
                                .contains("1");
                    } else {
                        assertThat(database.refusal(Plan.of(one).where(in)))
                                .as("%s in %s", outer, inner)
                                .hasValueSatisfying(why -> assertThat(why).contains("oid"));
                    }
                }
            }
        }
    }

    /** Where MariaDB converts what another SELECT gives, it may lose it; a view may be such a SELECT. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"MARIADB", "MYSQL"})
    void texts_thatAnotherSelectGives_areFoundOrRefused(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "create table thing (id int primary key, name varchar(9) character set utf8mb4"
                            + " collate utf8mb4_general_ci, code uuid)",
                    "create table part like thing",
                    "create algorithm = temptable view things as select * from thing",
                    "create algorithm = temptable view parts as select * from part",
                    "insert into thing select seq, concat('n', seq), uuid() from seq_1_to_50",
                    "insert into part select id, name, code from thing where id % 2 = 0");
            Database database = Database.connect(server.pooled());
            int found = 0;
            for (String column : List.of("id", "name", "code")) {
                for (String outer : List.of("thing", "things")) {
                    for (String inner : List.of("part", "parts")) {
                        Plan values =
                                Plan.of(database.table(inner))
                                        .select(List.of(new Plan.Item(column, "v")));
                        Plan all = Plan.of(database.table(outer));
                        List<Plan.Order> order = List.of(new Plan.Order("id", false, false));
                        for (Plan from : List.of(all, all.orderBy(order).limit(40))) {
                            Plan plan =
                                    Plan.of(from)
                                            .where(new Predicate.InSubquery(column, values))
                                            .count();
                            if (database.refusal(plan).isEmpty()) {
                                found++;
                                assertThat(Rows.texts(database, plan))
                                        .as("%s", plan)
                                        .containsExactly(
                                                List.of(from.slices().isEmpty() ? "25" : "20"));
                            }
                        }
                    }
                }
            }
            // All numbers, and texts and UUIDs of tables as they are.
            assertThat(found).isEqualTo(8 + 2);
        }
    }

    private static Table withoutNulls(Table table) {
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            columns.add(
                    new Column(
                            column.name(),
                            column.type(),
                            column.databaseType(),
                            false,
                            column.maxBytes(),
                            column.nativeType()));
        }
        return new Table(table.schema(), table.name(), columns, table.primaryKey(), table.view());
    }

    /** Returns the keys of the rows for which a condition holds, in their order. */
    private static List<String> keys(Database database, Table table, Predicate condition) {
        String key = table.columns().getFirst().name();
        List<String> keys = new ArrayList<>();
        Plan plan =
                Plan.of(table)
                        .where(condition)
                        .orderBy(List.of(new Plan.Order(key, false, false)))
                        .select(List.of(new Plan.Item(key, key)));
        Rows.texts(database, plan).forEach(row -> keys.add(row.getFirst()));
        return keys;
    }
}
