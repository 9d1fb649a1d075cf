package dev.penstock.query.sql;

import static dev.penstock.query.ColumnType.*;

import dev.penstock.databases.TestDatabase;
import dev.penstock.query.ColumnType;
import java.util.ArrayList;
import java.util.List;

/**
 * A type of a database, with values at its edges.
 *
 * @param declared the type in a CREATE TABLE
 * @param type what it is to the outside
 * @param values pairs of an SQL literal and its canonical text
 */
record TypeCase(String declared, ColumnType type, List<String> values) {
    TypeCase(String declared, ColumnType type, String... values) {
        this(declared, type, List.of(values));
    }

    private static final String E_ACUTE_AND_DESERET = "é\uD801\uDC37\uFFFD";

    static List<TypeCase> of(TestDatabase.Kind kind) {
        List<TypeCase> cases = new ArrayList<>(common(kind));
        cases.addAll(
                switch (kind) {
                    case POSTGRESQL -> postgreSql();
                    case MARIADB, MYSQL -> mariaDb();
                    case H2 -> h2();
                });
        return cases;
    }

    /** The same values mean the same text on every database. */
    private static List<TypeCase> common(TestDatabase.Kind kind) {
        boolean mariaDb = kind == TestDatabase.Kind.MARIADB || kind == TestDatabase.Kind.MYSQL;
        String backslash = mariaDb ? "'a\\\\b'" : "'a\\b'";
        return List.of(
                new TypeCase("smallint", INT, "-32768", "-32768", "32767", "32767", "0", "0"),
                new TypeCase("int", INT, "-2147483648", "-2147483648", "2147483647", "2147483647"),
                new TypeCase(
                        "bigint",
                        LONG,
                        "-9223372036854775807 - 1",
                        "-9223372036854775808",
                        "9223372036854775807",
                        "9223372036854775807",
                        "1000000000000000000",
                        "1000000000000000000"),
                new TypeCase(
                        "decimal(20,4)",
                        DECIMAL,
                        "0",
                        "0.0000",
                        "-0.0001",
                        "-0.0001",
                        "9999999999999999.9999",
                        "9999999999999999.9999",
                        "1.50",
                        "1.5000"),
                new TypeCase("decimal(38,0)", DECIMAL, "9".repeat(38), "9".repeat(38)),
                new TypeCase(
                        "decimal(12,10)",
                        DECIMAL,
                        "0",
                        "0.0000000000",
                        "0.0000000001",
                        "0.0000000001"),
                new TypeCase(
                        "double precision",
                        DOUBLE,
                        "0",
                        "0.0",
                        "1.7976931348623157E308",
                        "1.7976931348623157E308",
                        "4.9E-324",
                        "4.9E-324",
                        "0.001",
                        "0.001",
                        "0.0001",
                        "1.0E-4",
                        "1E7",
                        "1.0E7",
                        "9999999",
                        "9999999.0",
                        "-123456.789",
                        "-123456.789",
                        "2E23",
                        "2.0E23",
                        "9007199254740993E0",
                        "9.007199254740992E15"),
                new TypeCase(
                        mariaDb ? "float" : "real",
                        FLOAT,
                        "16777216",
                        "1.6777216E7",
                        "0.1",
                        "0.1",
                        "3.4028235E38",
                        "3.4028235E38",
                        "1.17549435E-38",
                        "1.1754944E-38",
                        "-2.5",
                        "-2.5"),
                new TypeCase(
                        "varchar(200)",
                        TEXT,
                        "''",
                        "",
                        "' a  '",
                        " a  ",
                        "'a''b\"c`d'",
                        "a'b\"c`d",
                        backslash,
                        "a\\b",
                        "'tab\tline\nreturn\rend'",
                        "tab\tline\nreturn\rend",
                        "'\\N'".replace("\\", mariaDb ? "\\\\" : "\\"),
                        "\\N",
                        "'" + E_ACUTE_AND_DESERET + "'",
                        E_ACUTE_AND_DESERET),
                new TypeCase("char(8)", TEXT, "'ab'", "ab", "''", "", "'  x'", "  x"),
                new TypeCase(
                        "date",
                        DATE,
                        "DATE '2026-11-21'",
                        "2026-11-21",
                        "DATE '0001-01-01'",
                        "0001-01-01",
                        "DATE '9999-12-31'",
                        "9999-12-31"),
                new TypeCase(
                        "time(6)",
                        TIME,
                        "TIME '13:45:00'",
                        "13:45:00",
                        "TIME '00:00:00'",
                        "00:00:00",
                        "TIME '23:59:59.999999'",
                        "23:59:59.999999",
                        "TIME '01:02:03.250'",
                        "01:02:03.25"),
                new TypeCase(
                        mariaDb ? "datetime(6)" : "timestamp(6)",
                        TIMESTAMP,
                        "TIMESTAMP '2026-11-21 13:45:00'",
                        "2026-11-21T13:45:00",
                        "TIMESTAMP '1970-01-01 00:00:00.000001'",
                        "1970-01-01T00:00:00.000001",
                        "TIMESTAMP '9999-12-31 23:59:59.100'",
                        "9999-12-31T23:59:59.1"));
    }

    private static List<TypeCase> postgreSql() {
        return List.of(
                new TypeCase("boolean", BOOLEAN, "true", "true", "false", "false"),
                new TypeCase("text", TEXT, "'x'", "x", "E'\\b\\f\\x0b\\001'", "\b\f\u000b\u0001"),
                new TypeCase("name", TEXT, "'pg'", "pg"),
                new TypeCase("oid", LONG, "4294967295", "4294967295"),
                new TypeCase("money", DECIMAL, "'$1,234.50'", "1234.50"),
                new TypeCase(
                        "numeric",
                        DECIMAL,
                        "'NaN'",
                        "NaN",
                        "'Infinity'",
                        "Infinity",
                        "1e40",
                        "1" + "0".repeat(40),
                        "1e-20",
                        "0." + "0".repeat(19) + "1"),
                new TypeCase(
                        "float8",
                        DOUBLE,
                        "'NaN'",
                        "NaN",
                        "'-Infinity'",
                        "-Infinity",
                        "'Infinity'",
                        "Infinity",
                        "'-0'",
                        "-0.0"),
                new TypeCase("float4", FLOAT, "'NaN'", "NaN", "'-0'", "-0.0", "1e-45", "1.4E-45"),
                new TypeCase(
                        "timestamptz",
                        TIMESTAMP_UTC,
                        "'2026-11-21 13:45:00+02'",
                        "2026-11-21T11:45:00Z",
                        "'infinity'",
                        "infinity",
                        "'0044-03-15 12:00:00+00 BC'",
                        "-0043-03-15T12:00:00Z",
                        "'12026-01-01 00:00:00.5+00'",
                        "+12026-01-01T00:00:00.5Z"),
                new TypeCase("timestamp", TIMESTAMP, "'-infinity'", "-infinity"),
                new TypeCase(
                        "date",
                        DATE,
                        "'0044-03-15 BC'",
                        "-0043-03-15",
                        "'12026-01-01'",
                        "+12026-01-01",
                        "'infinity'",
                        "infinity"),
                new TypeCase("time", TIME, "'24:00:00'", "24:00:00"),
                new TypeCase("timetz", OTHER, "'13:45:00+02'", "13:45:00+02"),
                new TypeCase(
                        "bytea", BINARY, "'\\x00ff10'", "AP8Q", "'\\x'", "", "'\\xff'", "/w=="),
                new TypeCase(
                        "uuid",
                        UUID,
                        "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
                        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
                new TypeCase("json", JSON, "'{\"a\":  1}'", "{\"a\":  1}"),
                new TypeCase("jsonb", JSON, "'{\"a\":  1}'", "{\"a\": 1}"),
                new TypeCase("int[]", OTHER, "'{1,NULL,3}'", "{1,NULL,3}"),
                new TypeCase("int4range", OTHER, "'[1,5)'", "[1,5)"),
                new TypeCase(
                        "interval", OTHER, "'1 year 2 days 03:04:05'", "1 year 2 days 03:04:05"),
                new TypeCase("inet", OTHER, "'192.168.0.1/24'", "192.168.0.1/24"),
                new TypeCase("mood", TEXT, "'so so'", "so so"),
                new TypeCase("age", INT, "7", "7"),
                new TypeCase("xml", OTHER, "'<a>1</a>'", "<a>1</a>"),
                new TypeCase("bit(3)", OTHER, "'101'", "101"),
                new TypeCase("point", OTHER, "'(1,2)'", "(1,2)"));
    }

    private static List<TypeCase> mariaDb() {
        return List.of(
                new TypeCase("tinyint(1)", BOOLEAN, "1", "true", "0", "false", "5", "true"),
                new TypeCase("bit(1)", BOOLEAN, "b'1'", "true", "b'0'", "false"),
                new TypeCase("bit(10)", LONG, "b'1111111111'", "1023"),
                new TypeCase("bit(64)", DECIMAL, "~0", "18446744073709551615"),
                new TypeCase("tinyint", INT, "-128", "-128"),
                new TypeCase("int unsigned", LONG, "4294967295", "4294967295"),
                new TypeCase(
                        "bigint unsigned", DECIMAL, "18446744073709551615", "18446744073709551615"),
                new TypeCase("year", INT, "2026", "2026"),
                new TypeCase(
                        "decimal(65,30)", DECIMAL, "0." + "3".repeat(30), "0." + "3".repeat(30)),
                new TypeCase("longtext", TEXT, "'x'", "x"),
                new TypeCase("varchar(20) character set latin1", TEXT, "'é '", "é "),
                new TypeCase("enum('a','b c')", TEXT, "'b c'", "b c"),
                new TypeCase("set('a','b')", TEXT, "'a,b'", "a,b"),
                new TypeCase("blob", BINARY, "x'00ff10'", "AP8Q", "''", ""),
                new TypeCase("varbinary(10)", BINARY, "x'ff'", "/w=="),
                new TypeCase(
                        "date", DATE, "'0000-00-00'", "0000-00-00", "'2026-00-15'", "2026-00-15"),
                new TypeCase(
                        "datetime",
                        TIMESTAMP,
                        "'0000-00-00 00:00:00'",
                        "0000-00-00T00:00:00",
                        "'0000-01-01 00:00:00'",
                        "0000-01-01T00:00:00"),
                new TypeCase("time", TIME, "'-838:59:59'", "-838:59:59"),
                new TypeCase(
                        "timestamp(3) null",
                        TIMESTAMP_UTC,
                        "'2026-11-21 13:45:00.250'",
                        "2026-11-21T13:45:00.25Z"),
                new TypeCase("json", JSON, "'{\"a\":  1}'", "{\"a\":  1}"),
                new TypeCase(
                        "uuid",
                        UUID,
                        "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
                        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
                new TypeCase("inet6", OTHER, "'::1'", "::1"),
                new TypeCase("point", OTHER, "ST_PointFromText('POINT(1 2)')", "POINT(1 2)"));
    }

    private static List<TypeCase> h2() {
        return List.of(
                new TypeCase("boolean", BOOLEAN, "true", "true", "false", "false"),
                new TypeCase("tinyint", INT, "-128", "-128"),
                new TypeCase(
                        "double precision", DOUBLE, "'NaN'", "NaN", "'-Infinity'", "-Infinity"),
                new TypeCase("real", FLOAT, "'Infinity'", "Infinity"),
                new TypeCase("numeric(30,20)", DECIMAL, "0", "0." + "0".repeat(20)),
                new TypeCase("clob", TEXT, "'x'", "x", "''", ""),
                new TypeCase("varchar_ignorecase(20)", TEXT, "'aB'", "aB"),
                new TypeCase("varbinary(10)", BINARY, "X'00ff10'", "AP8Q", "X''", ""),
                new TypeCase("blob", BINARY, "X'ff'", "/w=="),
                new TypeCase("time(9)", TIME, "TIME '01:02:03.123456789'", "01:02:03.123456789"),
                new TypeCase(
                        "timestamp(9)",
                        TIMESTAMP,
                        "TIMESTAMP '-0043-03-15 12:00:00'",
                        "-0043-03-15T12:00:00",
                        "TIMESTAMP '12026-01-01 00:00:00.123456789'",
                        "+12026-01-01T00:00:00.123456789"),
                new TypeCase(
                        "timestamp with time zone",
                        TIMESTAMP_UTC,
                        "TIMESTAMP WITH TIME ZONE '2026-11-21 13:45:00.25+02:00'",
                        "2026-11-21T11:45:00.25Z"),
                new TypeCase(
                        "uuid",
                        UUID,
                        "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
                        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
                new TypeCase("json", JSON, "JSON '{\"a\":1}'", "{\"a\":1}"),
                new TypeCase("int array", OTHER, "ARRAY[1,2]", "[1,2]"),
                new TypeCase("varchar(10) array", OTHER, "ARRAY['a','b c']", "[\"a\",\"b c\"]"),
                new TypeCase("enum('a','b') array[2]", OTHER, "ARRAY['a','b']", "[\"a\",\"b\"]"),
                new TypeCase("interval day", OTHER, "INTERVAL '3' DAY", "INTERVAL '3' DAY"),
                new TypeCase("enum('a','b c')", TEXT, "'b c'", "b c"),
                new TypeCase("decfloat", OTHER, "1E+3", "1E+3"));
    }
}
