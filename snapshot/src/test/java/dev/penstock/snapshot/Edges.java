package dev.penstock.snapshot;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.typed.Lengths;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** A table with a column of each type that a database has, and in it the values that are hard to keep. */
public final class Edges {
    /** A column's type in SQL, and literals of its values. */
    private record Case(String declared, List<String> literals) {
        Case(String declared, String... literals) {
            this(declared, List.of(literals));
        }
    }

    private Edges() {}

    public static void create(TestDatabase server) {
        List<Case> cases = new ArrayList<>(common(server.kind()));
        cases.addAll(
                switch (server.kind()) {
                    case POSTGRESQL -> postgreSql();
                    case MARIADB, MYSQL -> mariaDb();
                    case H2 -> h2();
                });
        List<String> statements = new ArrayList<>();
        if (server.kind() == Kind.MARIADB || server.kind() == Kind.MYSQL) {
            statements.add("set time_zone = '+00:00'");
            statements.add("set sql_mode = 'ALLOW_INVALID_DATES'");
        }
        StringJoiner columns =
                new StringJoiner(", ", "create table edges (id int primary key, ", ")");
        int rows = 0;
        for (int i = 0; i < cases.size(); i++) {
            columns.add("c" + i + " " + cases.get(i).declared + " null");
            rows = Math.max(rows, cases.get(i).literals.size() + 1);
        }
        statements.add(columns.toString());
        // The keys come last to first.
        for (int row = 0; row < rows; row++) {
            StringJoiner values =
                    new StringJoiner(", ", "insert into edges values (" + (rows - row) + ", ", ")");
            for (Case each : cases) {
                values.add(row < each.literals.size() ? each.literals.get(row) : "null");
            }
            statements.add(values.toString());
        }
        server.execute(statements.toArray(String[]::new));
    }

    public static void clear(TestDatabase server) {
        server.execute("delete from edges");
    }

    private static List<Case> common(Kind kind) {
        boolean mariaDb = kind == Kind.MARIADB || kind == Kind.MYSQL;
        return List.of(
                new Case("smallint", "-32768", "32767", "0"),
                new Case("int", "-2147483648", "2147483647", "7"),
                new Case("bigint", "-9223372036854775807 - 1", "9223372036854775807", "1", "1"),
                new Case("bigint", "9223372036854775807", "-9223372036854775807"),
                new Case("bigint"),
                new Case("decimal(20,4)", "0", "-0.0001", "9999999999999999.9999", "1.50"),
                new Case("decimal(18,4)", "0", "-0.0001", "99999999999999.9999", "-1.50", "1.5"),
                new Case(
                        "decimal(38,0)",
                        "9".repeat(38),
                        "-" + "9".repeat(38),
                        "0",
                        "10",
                        "-10",
                        "100"),
                new Case("decimal(12,10)", "0", "0.0000000001", "-0.0000000001"),
                new Case(
                        "double precision",
                        "0",
                        "1.7976931348623157E308",
                        "4.9E-324",
                        "-4.9E-324",
                        "-123456.789",
                        "0.1"),
                new Case(
                        mariaDb ? "float" : "real",
                        "16777216",
                        "0.1",
                        "-0.1",
                        "3.4028235E38",
                        "-2.5"),
                new Case(
                        "varchar(200)",
                        "''",
                        "' a  '",
                        "'a'",
                        "'a '",
                        "'é'",
                        "'z'",
                        "'\uFFFD'",
                        "'\uD83D\uDE00'",
                        "'A'"),
                new Case(
                        "varchar(700)",
                        Lengths.around(Lengths.CELLS).stream()
                                .map(length -> "'" + Lengths.text(length, 'a') + "'")
                                .toList()),
                new Case("char(8)", "'ab'", "''", "'  x'"),
                new Case(
                        "date",
                        "DATE '2026-11-21'",
                        "DATE '0001-01-01'",
                        "DATE '9999-12-31'",
                        "DATE '2000-02-29'"),
                new Case(
                        "time(6)",
                        "TIME '13:45:00'",
                        "TIME '00:00:00'",
                        "TIME '23:59:59.999999'",
                        "TIME '01:02:03.250'"),
                new Case("time(6)", "TIME '13:45:00.025'", "TIME '00:00:00'"),
                new Case(
                        mariaDb ? "datetime(6)" : "timestamp(6)",
                        "TIMESTAMP '2026-11-21 13:45:00'",
                        "TIMESTAMP '1970-01-01 00:00:00.000001'",
                        "TIMESTAMP '1969-12-31 23:59:59.999'",
                        "TIMESTAMP '9999-12-31 23:59:59.100'"),
                new Case(
                        mariaDb ? "datetime(6)" : "timestamp(6)",
                        "TIMESTAMP '2026-11-21 13:45:00.5'",
                        "TIMESTAMP '1900-01-01 00:00:00.125'"),
                new Case(mariaDb ? "datetime" : "timestamp(0)", "TIMESTAMP '2026-11-21 13:45:00'"));
    }

    /** Literals of decimals of so many digits. */
    private static List<String> numbers(int scale, Integer... digits) {
        Random random = new Random(7);
        return Stream.of(digits)
                .map(count -> Lengths.number(count, scale, random).toPlainString())
                .toList();
    }

    /** Literals of bytes whose lengths are around the sizes of arrays. */
    private static List<String> bytes(String prefix) {
        return Lengths.around(Lengths.CELLS).stream()
                .map(length -> prefix + "fe".repeat(length) + "'")
                .toList();
    }

    private static List<Case> postgreSql() {
        return List.of(
                new Case("numeric", numbers(0, 1, 18, 19, 63, 64, 65, 96, 127, 128, 130, 1000)),
                new Case("numeric", numbers(60, 60, 61, 63, 64, 65, 96, 127, 128, 130, 1000)),
                new Case("bytea", bytes("'\\x")),
                new Case("boolean", "true", "false"),
                new Case(
                        "numeric",
                        "'NaN'",
                        "'Infinity'",
                        "'-Infinity'",
                        "1e40",
                        "-1e40",
                        "1e-20",
                        "1.5",
                        "1.50",
                        "-1.5",
                        "-1.50",
                        "0",
                        "0.00",
                        "100",
                        "99",
                        "-99.99"),
                new Case("numeric", "1.5", "1.50", "2", "0.05", "-0.05"),
                new Case("float8", "'NaN'", "'-Infinity'", "'Infinity'", "'-0'", "0"),
                new Case("float4", "'NaN'", "'-0'", "0", "1e-45"),
                new Case(
                        "timestamptz",
                        "'2026-11-21 13:45:00+02'",
                        "'infinity'",
                        "'-infinity'",
                        "'0044-03-15 12:00:00+00 BC'",
                        "'12026-01-01 00:00:00.5+00'"),
                new Case(
                        "timestamptz",
                        "'2026-11-21 13:45:00+02'",
                        "'1960-01-01 00:00:00.123456+00'"),
                new Case(
                        "timestamp",
                        "'-infinity'",
                        "'294276-12-31 23:59:59.999999'",
                        "'2026-11-21'"),
                new Case(
                        "date",
                        "'0044-03-15 BC'",
                        "'12026-01-01'",
                        "'infinity'",
                        "'-infinity'",
                        "'2026-11-21'"),
                new Case(
                        "date",
                        "'0044-03-15 BC'",
                        "'12026-01-01'",
                        "'5874897-12-31'",
                        "'4713-01-01 BC'"),
                new Case("time", "'24:00:00'", "'23:59:59.999999'", "'12:00'"),
                new Case("bytea", "'\\x00ff10'", "'\\x'", "'\\xff'", "'\\x00'"),
                new Case(
                        "uuid",
                        "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
                        "'00000000-0000-0000-0000-000000000000'",
                        "'7f000000-0000-4000-8000-0000000000ff'"),
                new Case("jsonb", "'{\"a\":  1}'", "'null'"),
                new Case("int[]", "'{1,NULL,3}'"),
                new Case("interval", "'1 year 2 days 03:04:05'"));
    }

    private static List<Case> mariaDb() {
        return List.of(
                new Case("tinyint(1)", "1", "0", "5"),
                new Case("bit(64)", "~0", "0"),
                new Case("bigint unsigned", "18446744073709551615", "0"),
                new Case("decimal(65,30)", "0." + "3".repeat(30), "-1", "0"),
                new Case("decimal(65,30)", numbers(30, 31, 35, 60, 61, 63, 64, 65)),
                new Case("decimal(65,0)", numbers(0, 1, 18, 19, 60, 63, 64, 65)),
                new Case("varbinary(700)", bytes("x'")),
                new Case("varchar(20) character set latin1", "'é '", "'e'"),
                new Case("enum('b','a c')", "'a c'", "'b'"),
                new Case("blob", "x'00ff10'", "''", "x'ff'"),
                new Case("date", "'0000-00-00'", "'2026-02-31'", "'2026-03-01'", "'2026-02-28'"),
                new Case(
                        "datetime",
                        "'0000-00-00 00:00:00'",
                        "'2026-02-31 00:00:00'",
                        "'2026-03-01 00:00:00'"),
                new Case("time", "'-838:59:59'", "'838:59:59'", "'24:00:00'", "'00:00:00'"),
                new Case("timestamp(3)", "'2026-11-21 13:45:00.250'", "'2001-01-01 00:00:01'"),
                new Case(
                        "uuid",
                        "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
                        "'00000000-0000-0000-0000-000000000001'"));
    }

    private static List<Case> h2() {
        return List.of(
                new Case("boolean", "true", "false"),
                new Case("double precision", "'NaN'", "'-Infinity'", "'Infinity'", "0"),
                new Case("real", "'NaN'", "'-Infinity'", "'Infinity'", "0"),
                new Case("numeric(30,20)", "0", "-0.00000000000000000001", "1"),
                new Case(
                        "numeric(200,60)", numbers(60, 60, 61, 63, 64, 65, 96, 127, 128, 130, 200)),
                new Case("varbinary(700)", bytes("X'")),
                new Case("clob", "'x'", "''"),
                new Case("varbinary(10)", "X'00ff10'", "X''", "X'ff'"),
                new Case("time(9)", "TIME '01:02:03.123456789'", "TIME '00:00:00'"),
                new Case(
                        "timestamp(9)",
                        "TIMESTAMP '-0043-03-15 12:00:00'",
                        "TIMESTAMP '12026-01-01 00:00:00.123456789'"),
                new Case(
                        "timestamp(9)",
                        "TIMESTAMP '2026-03-15 12:00:00'",
                        "TIMESTAMP '2026-01-01 00:00:00.123456789'"),
                new Case(
                        "timestamp with time zone",
                        "TIMESTAMP WITH TIME ZONE '2026-11-21 13:45:00.25+02:00'",
                        "TIMESTAMP WITH TIME ZONE '1926-11-21 13:45:00+02:00'"),
                new Case(
                        "uuid",
                        "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
                        "'7f000000-0000-4000-8000-0000000000ff'"));
    }
}
