package dev.penstock.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Schemas that no generator likes, on real databases: the code compiles without a warning, and reads the rows. */
class AwkwardSchemaIT {
    private static final String PACKAGE = "com.example.awkward";

    @ParameterizedTest
    @EnumSource(Kind.class)
    void generate_awkwardSchema_compilesAndReads(Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            create(database);
            SchemaFile schema = SchemaFile.of(database.dataSource(), null);
            SortedMap<String, String> files = new Generator(schema, PACKAGE).files();
            Map<String, Class<?>> classes = Compiled.of(files, PACKAGE).load();
            assertThat(schema.leftOut())
                    .isEqualTo(
                            kind == Kind.POSTGRESQL
                                    ? List.of(
                                            "the foreign key of refers_elsewhere.target_id to elsewhere.target, which is in another schema")
                                    : List.of());
            assertSameBytes(database, schema, files);
            read(database, classes);
        }
    }

    private static void assertSameBytes(
            TestDatabase database, SchemaFile schema, SortedMap<String, String> files) {
        SchemaFile again = SchemaFile.of(database.dataSource(), null);
        assertThat(again.text()).isEqualTo(schema.text());
        assertThat(new Generator(again, PACKAGE).files()).isEqualTo(files);
        SchemaFile parsed = SchemaFile.parse(schema.text(), "test");
        assertThat(parsed.text()).isEqualTo(schema.text());
        assertThat(new Generator(parsed, PACKAGE).files()).isEqualTo(files);
        assertThat(again.withChoicesOf(parsed).text()).isEqualTo(schema.text());
    }

    /** Every row of every table, by the generated readers. */
    private static void read(TestDatabase source, Map<String, Class<?>> classes) throws Exception {
        Database database = Database.connect(source.dataSource());
        List<String> rows = new ArrayList<>();
        for (Class<?> type : classes.values()) {
            if (type.isEnum()) {
                continue;
            }
            Entity<?> entity = (Entity<?>) type.getField("TABLE").get(null);
            dev.penstock.query.Table table = database.table(entity.table());
            List<Plan.Item> items = new ArrayList<>();
            for (Field<?, ?> field : entity.fields()) {
                String name = database.schema().column(table, field.column()).orElseThrow().name();
                items.add(new Plan.Item(name, name));
            }
            Plan plan = Plan.of(table);
            try (Cursor cursor =
                    database.open(
                            new Plan(
                                    table,
                                    plan.filter(),
                                    List.of(),
                                    List.of(),
                                    new Plan.Output.Columns(items)))) {
                while (cursor.next()) {
                    Object row = entity.reader().read(cursor);
                    rows.add(row.toString());
                    assertThat(row.equals(entity.reader().read(cursor))).isTrue();
                    assertThat(row.hashCode()).isEqualTo(entity.reader().read(cursor).hashCode());
                }
            }
        }
        assertThat(rows).anyMatch(row -> row.contains("Grüße"));
    }

    private static void create(TestDatabase database) {
        Kind kind = database.kind();
        boolean maria = kind == Kind.MARIADB || kind == Kind.MYSQL;
        String q = maria ? "`" : "\"";
        database.execute(
                quote(
                        q,
                        "create table ~class~ (~id~ int not null primary key, ~int~ int not null, ~null~ varchar(20))"),
                quote(q, "insert into ~class~ values (1, 2, 'Grüße')"),
                quote(
                        q,
                        "create table ~String~ (~id~ int not null primary key, ~wait~ int, ~equals~ int, ~read~ int, ~TABLE~ int, ~java~ int, ~row~ int, ~hash~ int)"),
                quote(
                        q,
                        "create table ~order item~ (~order no~ int not null, ~item no~ int not null, ~a b~ int, ~a_b~ int, ~a-b~ int, ~1st~ int, ~€~ int, ~größe~ decimal(10,3), ~顧客~ varchar(10), ~back\\slash~ int, ~*/ {@code x}~ int, primary key (~order no~, ~item no~))"),
                quote(q, "insert into ~order item~ values (1, 1, 1, 2, 3, 4, 5, 1.500, '客', 6, 7)"),
                quote(
                        q,
                        "create table ~Größe~ (~ID~ int not null primary key, ~MixedCase~ int, ~HTTPServer~ int, ~X~ int)"),
                quote(
                        q,
                        "create table ~X~ (~X~ int not null primary key, ~UUID~ int, ~order no~ int, ~item no~ int, foreign key (~order no~, ~item no~) references ~order item~ (~order no~, ~item no~))"),
                quote(
                        q,
                        "create table ~顧客~ (~番号~ int not null primary key, ~parent~ int, foreign key (~parent~) references ~顧客~ (~番号~))"),
                quote(
                        q,
                        "create table ~language~ (~language_id~ int not null primary key, ~name~ varchar(20) not null)"),
                quote(
                        q,
                        "create table ~film~ (~film_id~ int not null primary key, ~language_id~ int not null, ~original_language_id~ int, ~language~ int, foreign key (~language_id~) references ~language~ (~language_id~), foreign key (~original_language_id~) references ~language~ (~language_id~), foreign key (~language~) references ~language~ (~language_id~))"),
                quote(
                        q,
                        "create table ~no key~ (~value~ int, ~binary~ "
                                + (maria || kind == Kind.H2 ? "varbinary(20)" : "bytea")
                                + ")"),
                "insert into " + quote(q, "~no key~") + " values (1, null)",
                quote(q, "create view ~a view~ as select ~film_id~ from ~film~"),
                wide(300),
                "insert into wide (c1) values (1)");
        database.execute(
                switch (kind) {
                    case POSTGRESQL -> POSTGRESQL;
                    case MARIADB, MYSQL -> MARIADB;
                    case H2 -> H2;
                });
    }

    private static String quote(String q, String sql) {
        return sql.replace("~", q);
    }

    private static String wide(int columns) {
        return IntStream.rangeClosed(1, columns)
                .mapToObj(i ->
                        "c" + i + (i % 3 == 0 ? " bigint" : " int") + (i == 1 ? " not null" : ""))
                .collect(Collectors.joining(", ", "create table wide (", ")"));
    }

    private static final String[] POSTGRESQL = {
        "create type mood as enum ('sad', 'so-so', 'PG-13', '', 'a', 'A', '+', 'it''s \\ \"quoted\"')",
        "create schema if not exists elsewhere",
        "create type elsewhere.mood as enum ('elsewhere')",
        "create table elsewhere.target (id int primary key)",
        "create table refers_elsewhere (id int primary key, m elsewhere.mood, target_id int references elsewhere.target)",
        "insert into refers_elsewhere values (1, 'elsewhere', null)",
        "create domain positive as int check (value > 0)",
        "create domain moody as mood",
        """
        create table every_type (
          id bigint generated always as identity primary key, b boolean not null, i2 smallint not null, i4 int not null, i8 bigint not null,
          n numeric(12, 3) not null, f4 real not null, f8 double precision not null, t text not null, c char(3) not null, d date not null,
          ti time not null, ts timestamp not null, tz timestamptz not null, ttz timetz, iv interval, by bytea not null, u uuid not null,
          js jsonb not null, arr int[], m mood not null, m2 moody, p positive, twice int generated always as (i4 * 2) stored,
          nb boolean, ni int, nl bigint, nn numeric, nf real, nd double precision, nt text, nda date, nu uuid)
        """,
        """
        insert into every_type (b, i2, i4, i8, n, f4, f8, t, c, d, ti, ts, tz, by, u, js, m, m2)
        values (true, 1, 2, 3, 4.5, 1.5, 2.5, 'x', 'y', '2026-01-02', '10:11:12', '2026-01-02 10:11:12', '2026-01-02 10:11:12Z',
          '\\x0102', '00000000-0000-0000-0000-000000000001', '{}', 'PG-13', '')
        """
    };

    private static final String[] MARIADB = {
        """
        create table every_type (
          id bigint unsigned not null auto_increment primary key, b tinyint(1) not null, bb bit(1) not null, u1 tinyint unsigned not null,
          u2 smallint unsigned not null, u3 mediumint unsigned not null, u4 int unsigned not null, u8 bigint unsigned not null, bits bit(64) not null,
          n decimal(12, 3) not null, nu decimal(12, 3) unsigned, f4 float not null, f8 double not null, t text not null, c char(3) not null,
          d date not null, ti time(3) not null, ts datetime(6) not null, tz timestamp not null, y year not null, by_ blob not null,
          js json not null, e enum('sad', 'so-so', 'PG-13', '', '+', 'it''s \\\\ "quoted"') not null, e2 enum('G','PG'), s set('a','b'),
          twice int as (u1 * 2) stored, never int as (u1 * 3) virtual)
        """,
        """
        insert into every_type (b, bb, u1, u2, u3, u4, u8, bits, n, f4, f8, t, c, d, ti, ts, tz, y, by_, js, e, e2)
        values (1, 1, 255, 65535, 1, 4294967295, 18446744073709551615, 1, 4.5, 1.5, 2.5, 'x', 'y', '2026-01-02', '10:11:12.5', '2026-01-02 10:11:12',
          '2026-01-02 10:11:12', 2026, x'0102', '{}', 'PG-13', 'PG')
        """,
        "create table labels (id int primary key, e enum('it''s \\\\ \"quoted\"', 'new\\nline') not null)",
        "set sql_mode = ''",
        "create table repeats (id int primary key, e enum('a', 'a'))",
        "set sql_mode = default",
        "insert into labels values (1, 'it''s \\\\ \"quoted\"'), (2, 'new\\nline')",
        "create table filmé (id int primary key)",
        "create table filme (id int primary key, a int)"
    };

    private static final String[] H2 = {
        "create domain mood as enum('sad', 'PG-13')",
        """
        create table every_type (
          id bigint generated always as identity primary key, b boolean not null, i1 tinyint not null, i2 smallint not null, i4 int not null,
          i8 bigint not null, n numeric(12, 3) not null, df decfloat, f4 real not null, f8 double precision not null, t varchar(20) not null,
          cl clob not null, c char(3) not null, d date not null, ti time(3) not null, ts timestamp not null, tz timestamp with time zone not null,
          ttz time with time zone, iv interval day to second, by_ varbinary(20) not null, bl blob, u uuid not null, js json, arr int array,
          e enum('sad', 'so-so', 'PG-13', '+', 'it''s \\ "quoted"') not null, m mood, twice int generated always as (i4 * 2))
        """,
        """
        insert into every_type (b, i1, i2, i4, i8, n, f4, f8, t, cl, c, d, ti, ts, tz, by_, u, e, m)
        values (true, 1, 1, 2, 3, 4.5, 1.5, 2.5, 'x', 'y', 'z', date '2026-01-02', time '10:11:12', timestamp '2026-01-02 10:11:12',
          timestamp with time zone '2026-01-02 10:11:12Z', x'0102', random_uuid(), 'PG-13', 'sad')
        """,
        "create table cases (\"a b\" int primary key, \"A B\" int, \"A b\" int, \"İ\" varchar(5) array)",
        "insert into cases values (1, 2, 3, array['x'])"
    };
}
