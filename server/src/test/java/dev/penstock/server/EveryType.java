package dev.penstock.server;

import dev.penstock.databases.TestDatabase;
import java.util.ArrayList;
import java.util.List;

/**
 * A table with a column of every type that a database has, filled with values at their edges.
 *
 * @param declared the type in a CREATE TABLE
 * @param literals values as SQL has them
 */
record EveryType(String declared, List<String> literals) {
    static final String TABLE = "every_type";

    private EveryType(String declared, String... literals) {
        this(declared, List.of(literals));
    }

    String column(int place) {
        return "c%02d_%s"
                .formatted(place, declared.replaceAll("[^a-z0-9]+", "_").replaceAll("_$", ""));
    }

    /** Makes the table; the last row is NULL everywhere. */
    static void create(TestDatabase database) {
        List<EveryType> types = of(database.kind());
        List<String> statements = new ArrayList<>(before(database.kind()));
        StringBuilder create = new StringBuilder("CREATE TABLE " + TABLE + " (id int PRIMARY KEY");
        int rows = 0;
        for (int i = 0; i < types.size(); i++) {
            EveryType type = types.get(i);
            create.append(", ").append(type.column(i)).append(' ').append(type.declared);
            create.append(type.declared.startsWith("timestamp") ? " null" : "");
            rows = Math.max(rows, type.literals.size());
        }
        statements.add(create + ")");
        for (int row = 0; row <= rows; row++) {
            StringBuilder insert = new StringBuilder("INSERT INTO " + TABLE + " VALUES (" + row);
            for (EveryType type : types) {
                int place = row % type.literals.size();
                insert.append(", ").append(row == rows ? "NULL" : type.literals.get(place));
            }
            statements.add(insert + ")");
        }
        database.execute(statements.toArray(String[]::new));
    }

    private static List<String> before(TestDatabase.Kind kind) {
        return switch (kind) {
            case POSTGRESQL ->
                    List.of(
                            "CREATE EXTENSION citext",
                            "CREATE EXTENSION hstore",
                            "CREATE EXTENSION ltree",
                            "CREATE TYPE mood AS ENUM ('sad', 'ok', 'a, \"b\"', 'happy')",
                            "ALTER TYPE mood ADD VALUE 'worst' BEFORE 'sad'",
                            "CREATE DOMAIN temper AS mood",
                            "CREATE DOMAIN age AS int CHECK (VALUE >= 0)",
                            "CREATE DOMAIN span AS interval",
                            "CREATE DOMAIN numbers AS int[]",
                            "CREATE DOMAIN document AS jsonb",
                            "CREATE TYPE pair AS (a int, b text)");
            case MARIADB, MYSQL -> List.of("SET sql_mode = ''");
            case H2 -> List.of();
        };
    }

    static List<EveryType> of(TestDatabase.Kind kind) {
        return switch (kind) {
            case POSTGRESQL -> postgreSql();
            case MARIADB, MYSQL -> mariaDb();
            case H2 -> h2();
        };
    }

    private static List<EveryType> postgreSql() {
        return List.of(
                new EveryType("mood", "'happy'", "'sad'", "'ok'", "'a, \"b\"'", "'worst'"),
                new EveryType("temper", "'happy'", "'sad'", "'worst'"),
                new EveryType("age", "7", "10", "0"),
                new EveryType("span", "'3 days'", "'-1 mon +4 days'"),
                new EveryType(
                        "interval",
                        "'1 year 2 days 03:04:05.678'",
                        "'12 days'",
                        "'3 days'",
                        "'-00:00:01'",
                        "'1 mon'",
                        "'30 days'"),
                new EveryType(
                        "inet",
                        "'10.0.0.2'",
                        "'192.168.0.1/24'",
                        "'9.255.0.1'",
                        "'::1'",
                        "'10.0.0.10'"),
                new EveryType("cidr", "'10.0.0.0/8'", "'192.168.0.0/24'", "'2001:db8::/32'"),
                new EveryType("macaddr", "'08:00:2b:01:02:03'", "'ff:00:00:00:00:00'"),
                new EveryType("macaddr8", "'08:00:2b:01:02:03:04:05'", "'ff:00:00:00:00:00:00:01'"),
                new EveryType(
                        "int[]", "'{1,NULL,3}'", "'{}'", "'{10}'", "'{9,1}'", "'[0:1]={5,6}'"),
                new EveryType("int[][]", "'{{1,2},{3,4}}'", "'{{1},{NULL}}'"),
                new EveryType(
                        "text[]",
                        "ARRAY['a','b, \"c\" \\','NULL',NULL,'','{x}',' y ']",
                        "ARRAY['é\uD801\uDC37']",
                        "ARRAY[repeat('x', 300)]"),
                new EveryType("varchar(5)[]", "'{abcde,a}'"),
                new EveryType("char(5)[]", "'{ab,a}'"),
                new EveryType("mood[]", "'{happy,sad}'", "'{worst}'", "'{sad}'"),
                new EveryType("numeric(8,2)[]", "'{1.50,NaN}'", "'{10}'"),
                new EveryType("float8[]", "'{1,1e100,-0,Infinity}'"),
                new EveryType("boolean[]", "'{t,f,NULL}'"),
                new EveryType("timestamp[]", "'{2026-11-21 13:45:00.25,infinity}'"),
                new EveryType("timestamptz[]", "'{2026-11-21 13:45:00+02}'"),
                new EveryType("date[]", "'{2026-11-21,0044-03-15 BC}'"),
                new EveryType("jsonb[]", "ARRAY['{\"a\": [1, \"x\\\"y\"]}'::jsonb, 'null'::jsonb]"),
                new EveryType("json[]", "ARRAY['{\"a\":  1}'::json]"),
                new EveryType("uuid[]", "'{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}'"),
                new EveryType("bytea[]", "ARRAY['\\x00ff'::bytea]"),
                new EveryType("point[]", "ARRAY['(1,2)'::point]"),
                new EveryType("box[]", "ARRAY['(1,1),(0,0)'::box,'(2,2),(1,1)'::box]"),
                new EveryType("numbers", "'{3,1}'", "'{20}'"),
                new EveryType("int4range", "'[1,5)'", "'[10,20]'", "'empty'", "'(,3]'"),
                new EveryType("numrange", "'[1.5,2.5]'", "'(0,1)'"),
                new EveryType("tstzrange", "'[2026-01-01 00:00+00,2026-02-01 00:00+00)'"),
                new EveryType("daterange", "'[2026-01-01,infinity)'"),
                new EveryType("int4multirange", "'{[1,3),[7,9)}'", "'{}'", "'{[10,11)}'"),
                new EveryType("timetz", "'13:45:00+02'", "'12:00:00+00'", "'00:00:00-11'"),
                new EveryType("json", "'{\"a\":  1}'"),
                new EveryType(
                        "jsonb", "'{\"a\":  1}'", "'[1, 2]'", "'\"x\"'", "'9'", "'10'", "'null'"),
                new EveryType("document", "'{\"b\": 1}'", "'1'"),
                new EveryType("bit(3)", "'101'", "'011'"),
                new EveryType("bit varying(8)", "'1'", "'01'", "'1010'", "''"),
                new EveryType("money", "'$1,234.50'", "'-$0.01'"),
                new EveryType("point", "'(1,2)'"),
                new EveryType("box", "'(1,1),(0,0)'"),
                new EveryType("circle", "'<(1,2),3>'"),
                new EveryType("polygon", "'((0,0),(1,1),(1,0))'"),
                new EveryType("xml", "'<a>1</a>'"),
                new EveryType("tsvector", "'a:1 b:2'", "'fat cat'"),
                new EveryType("tsquery", "'fat & rat'"),
                new EveryType("pg_lsn", "'16/B374D848'", "'0/1'"),
                new EveryType("name", "'pg'", "'Pg'"),
                new EveryType("\"char\"", "'a'", "'Z'"),
                new EveryType("oid", "4294967295", "0"),
                new EveryType("regclass", "'pg_class'", "'pg_type'"),
                new EveryType("xid", "'5'"),
                new EveryType("tid", "'(1,2)'", "'(0,9)'"),
                new EveryType("pair", "ROW(1, 'x, y')", "ROW(10, NULL)", "ROW(9, '')"),
                new EveryType("int2vector", "'1 2'"),
                new EveryType("citext", "'aB'", "'AC'", "'b'"),
                new EveryType("citext[]", "'{aB,x}'", "'{AC}'"),
                new EveryType("hstore", "'a=>1, b=>NULL'", "'c=>\"x y\"'"),
                new EveryType("ltree", "'a.b'", "'a.a.c'"),
                new EveryType("uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'"),
                new EveryType("bytea", "'\\x00ff10'", "'\\x'", "repeat('x', 70)::bytea"),
                new EveryType("boolean", "true", "false"),
                new EveryType("smallint", "-32768", "32767"),
                new EveryType("int", "-2147483648", "2147483647"),
                new EveryType("bigint", "-9223372036854775808", "9223372036854775807"),
                new EveryType(
                        "numeric",
                        "'NaN'",
                        "'Infinity'",
                        "'-Infinity'",
                        "1e130",
                        "1e-20",
                        "1.50",
                        "1.5",
                        "-" + "7".repeat(65)),
                new EveryType("numeric(20,4)", "'NaN'", "1.5"),
                new EveryType("float4", "'NaN'", "'-0'", "0", "1e-45", "'Infinity'", "0.1"),
                new EveryType("float8", "'NaN'", "'-Infinity'", "'-0'", "0", "0.1", "1e300"),
                new EveryType(
                        "date",
                        "'2026-11-21'",
                        "'0044-03-15 BC'",
                        "'12026-01-01'",
                        "'infinity'",
                        "'-infinity'",
                        "'5874897-12-31'",
                        "'4713-01-01 BC'"),
                new EveryType("time", "'24:00:00'", "'13:45:00.250'", "'00:00:00'"),
                new EveryType(
                        "timestamp",
                        "'2026-11-21 13:45:00.000001'",
                        "'infinity'",
                        "'-infinity'",
                        "'0044-03-15 12:00:00 BC'",
                        "'12026-01-01 00:00:00.5'"),
                new EveryType(
                        "timestamptz",
                        "'2026-11-21 13:45:00+02'",
                        "'infinity'",
                        "'-infinity'",
                        "'0044-03-15 12:00:00+00 BC'",
                        "'12026-01-01 00:00:00.5+00'"),
                new EveryType("text", texts("repeat('%s', %d)")),
                new EveryType("varchar(200)", "'é\uD801\uDC37\uFFFD'", "'a  '", "'A'", "' a'"),
                new EveryType("char(8)", "'ab'", "''", "'  x'"));
    }

    /**
     * Texts with lengths on both sides of the sizes that buffers and blocks have. No two long ones begin alike, for
     * MariaDB sorts by the first 1,024 bytes unless it is told otherwise.
     */
    private static String[] texts(String repeat) {
        List<String> texts = new ArrayList<>(List.of("''", "'a, \"b\" (c)'", "'NULL'", "'null'"));
        for (int size : new int[] {16, 64, 128, 256, 1024, 4096, 16_384, 65_536, 98_304}) {
            for (int length = size - 1; length <= size + 1; length++) {
                texts.add(repeat.formatted((char) ('a' + texts.size() % 26), length));
            }
        }
        return texts.toArray(String[]::new);
    }

    private static List<EveryType> mariaDb() {
        return List.of(
                new EveryType("enum('z','a','m, \"n\"','it''s')", "'z'", "'a'", "'m, \"n\"'", "''"),
                new EveryType("enum('b','A')", "'b'", "'A'"),
                new EveryType("set('x','a','m')", "'a,x'", "'m'", "''", "'a'", "'x,m'"),
                new EveryType("bit(1)", "b'1'", "b'0'"),
                new EveryType("bit(10)", "b'1111111111'", "b'10'"),
                new EveryType("bit(64)", "~0", "b'1'"),
                new EveryType("year", "2026", "0", "1901"),
                new EveryType("json", "'{\"a\":  1}'", "'[1, 2]'", "'\"x\"'"),
                new EveryType("time", "'838:59:59'", "'-838:59:59'", "'24:00:00'", "'-00:00:01'"),
                new EveryType("time(6)", "'100:00:00.250'", "'13:45:00'", "'-10:00:00.5'"),
                new EveryType("inet4", "'10.0.0.2'", "'9.255.0.1'", "'10.0.0.10'"),
                new EveryType("inet6", "'::1'", "'2001:db8::1'", "'::ffff:10.0.0.2'"),
                new EveryType("uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'"),
                new EveryType(
                        "point",
                        "ST_PointFromText('POINT(1 2)')",
                        "ST_PointFromText('POINT(0.1 -3)')"),
                new EveryType(
                        "geometry",
                        "ST_GeomFromText('LINESTRING(0 0,1 1)')",
                        "ST_PointFromText('POINT(1 2)')"),
                new EveryType("tinyint(1)", "1", "0"),
                new EveryType("tinyint", "-128", "127"),
                new EveryType("tinyint unsigned", "255", "0"),
                new EveryType("int", "-2147483648", "2147483647"),
                new EveryType("int unsigned", "4294967295", "0"),
                new EveryType("int(8) unsigned zerofill", "42", "0"),
                new EveryType(
                        "bigint unsigned", "18446744073709551615", "9223372036854775808", "1"),
                new EveryType("bigint", "-9223372036854775808", "1"),
                new EveryType(
                        "decimal(65,30)",
                        "0." + "3".repeat(30),
                        "-" + "9".repeat(35) + "." + "9".repeat(30),
                        "0"),
                new EveryType("decimal(20,4)", "1.5", "-0.0001"),
                new EveryType("float", "16777216", "0.1", "-0e0", "0"),
                new EveryType("double", "0.1", "-0e0", "0", "1.7976931348623157E308"),
                new EveryType(
                        "date", "'2026-11-21'", "'0000-00-00'", "'2026-00-15'", "'0001-01-01'"),
                new EveryType(
                        "datetime",
                        "'0000-00-00 00:00:00'",
                        "'2026-11-21 13:45:00'",
                        "'2026-02-00 01:02:03'"),
                new EveryType("datetime(3)", "'2026-11-21 13:45:00.250'", "'0000-00-00 00:00:00'"),
                new EveryType("datetime(6)", "'2026-11-21 13:45:00.000001'"),
                new EveryType("timestamp(3)", "'2026-11-21 13:45:00.250'", "'0000-00-00 00:00:00'"),
                new EveryType("tinyblob", "x'00ff10'", "''"),
                new EveryType("blob", "REPEAT('x', 70)", "x'ff'"),
                new EveryType("longblob", "x'00'", "REPEAT('y', 257)"),
                new EveryType("binary(4)", "x'ff'"),
                new EveryType("varbinary(10)", "x'ff00'"),
                new EveryType("tinytext", "'x'", "'X '"),
                new EveryType("longtext", texts("REPEAT('%s', %d)")),
                new EveryType("varchar(20) character set latin1", "'é '", "'É'", "'e'"),
                new EveryType("varchar(40)", "'é\uD801\uDC37\uFFFD'", "'a  '", "'A'", "'a'"),
                new EveryType("char(8)", "'ab'", "''", "'  x'"));
    }

    private static List<EveryType> h2() {
        return List.of(
                new EveryType("enum('z','a','m, \"n\"','it''s')", "'z'", "'a'", "'m, \"n\"'"),
                new EveryType("interval day", "INTERVAL '3' DAY", "INTERVAL '12' DAY"),
                new EveryType("interval day(9)", "INTERVAL '300' DAY(9)", "INTERVAL '-2' DAY"),
                new EveryType("interval day to second", "INTERVAL '3 04:05:06.789' DAY TO SECOND"),
                new EveryType(
                        "interval year to month",
                        "INTERVAL '1-2' YEAR TO MONTH",
                        "INTERVAL '-1-2' YEAR TO MONTH"),
                new EveryType("interval second", "INTERVAL '5.5' SECOND", "INTERVAL '12' SECOND"),
                new EveryType("interval hour to minute", "INTERVAL '10:30' HOUR TO MINUTE"),
                new EveryType("int array", "ARRAY[1,3]", "ARRAY[10]", "ARRAY[9,1]", "ARRAY[]"),
                new EveryType(
                        "varchar(10) array",
                        "ARRAY['a','b, c','\"','null']",
                        "ARRAY['é\uD801\uDC37']"),
                new EveryType("int array array", "ARRAY[ARRAY[1],ARRAY[2,3]]"),
                new EveryType("enum('b','a') array", "ARRAY['b','a']", "ARRAY['a']"),
                new EveryType("numeric(10,2) array", "ARRAY[1.50]", "ARRAY[10]"),
                new EveryType("boolean array", "ARRAY[true,false]"),
                new EveryType("date array", "ARRAY[DATE '2026-11-21']"),
                new EveryType(
                        "timestamp with time zone array",
                        "ARRAY[TIMESTAMP WITH TIME ZONE '2026-11-21 13:45:00+02']"),
                new EveryType("varbinary(10) array", "ARRAY[X'ff']"),
                new EveryType("row(a int, b varchar(9))", "ROW(1, 'x')"),
                new EveryType("json", "JSON '{\"a\": 1}'", "JSON '[1,2]'", "JSON '\"x\"'"),
                new EveryType("geometry", "'POINT (1 2)'", "'LINESTRING (0 0, 1 1)'"),
                new EveryType("uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'"),
                new EveryType(
                        "time with time zone",
                        "TIME WITH TIME ZONE '13:45:00+02'",
                        "TIME WITH TIME ZONE '12:00:00+00'",
                        "TIME WITH TIME ZONE '10:00:00.25-11:30'"),
                new EveryType("bit", "true", "false"),
                new EveryType("decfloat", "1E+3", "999", "1E-400", "'NaN'", "'Infinity'"),
                new EveryType("varchar_ignorecase(20)", "'aB'", "'AC'", "'b'"),
                new EveryType("tinyint", "-128", "127"),
                new EveryType("int", "-2147483648", "2147483647"),
                new EveryType("bigint", "9223372036854775807", "0"),
                new EveryType("numeric(30,20)", "0", "1.5"),
                new EveryType("numeric(100,2)", "9".repeat(98), "-1.5"),
                new EveryType("double precision", "'NaN'", "'-Infinity'", "0.1", "0"),
                new EveryType("real", "'NaN'", "'Infinity'", "0.1"),
                new EveryType("time(9)", "TIME '01:02:03.123456789'", "TIME '00:00:00'"),
                new EveryType(
                        "date", "DATE '-0043-03-15'", "DATE '12026-01-01'", "DATE '2026-11-21'"),
                new EveryType(
                        "timestamp(9)",
                        "TIMESTAMP '-0043-03-15 12:00:00'",
                        "TIMESTAMP '12026-01-01 00:00:00.123456789'",
                        "TIMESTAMP '2026-11-21 13:45:00.25'"),
                new EveryType(
                        "timestamp(9) with time zone",
                        "TIMESTAMP WITH TIME ZONE '2026-11-21 13:45:00.25+02:00'",
                        "TIMESTAMP WITH TIME ZONE '2026-11-21 11:45:00.25+00:00'",
                        "TIMESTAMP WITH TIME ZONE '-0043-03-15 12:00:00+00'"),
                new EveryType("varbinary(300)", "X'00ff10'", "X''", "X'" + "ab".repeat(65) + "'"),
                new EveryType("blob", "X'ff'", "X'" + "cd".repeat(257) + "'"),
                new EveryType("clob", "'x'", "''", "REPEAT('z', 129)"),
                new EveryType("varchar", texts("REPEAT('%s', %d)")),
                new EveryType("varchar(200)", "'é\uD801\uDC37\uFFFD'", "'a  '", "'A'", "' a'"),
                new EveryType("char(8)", "'ab'", "''", "'  x'"));
    }
}
