package dev.penstock.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import dev.penstock.snapshot.ChangeFeed.ChangedRows.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MariaDbKeysIT extends MariaDbFeedTests {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    TINYINT             | (-128), (127), (0)
                    TINYINT UNSIGNED    | (0), (255), (128)
                    SMALLINT            | (-32768), (32767), (-1)
                    SMALLINT UNSIGNED   | (0), (65535)
                    MEDIUMINT           | (-8388608), (8388607), (-1)
                    MEDIUMINT UNSIGNED  | (0), (16777215)
                    INT                 | (-2147483648), (2147483647), (-1)
                    INT UNSIGNED        | (0), (4294967295)
                    INT(5) ZEROFILL     | (7), (4294967295)
                    BIGINT              | (-9223372036854775808), (9223372036854775807), (-1)
                    BIGINT UNSIGNED     | (0), (18446744073709551615), (9223372036854775808)
                    TINYINT(1)          | (0), (1)
                    BIT(1)              | (0), (1)
                    BIT(12)             | (0), (4095), (1)
                    BIT(64)             | (0), (18446744073709551615), (1)
                    YEAR                | (1901), (2155), (0)
                    DECIMAL(65,30)      | (0), (99999999999999999999999999999999999.999999999999999999999999999999), (-99999999999999999999999999999999999.999999999999999999999999999999), (-0.000000000000000000000000000001)
                    DECIMAL(9,9)        | (0.999999999), (-0.999999999), (0)
                    DECIMAL(20,0)       | (12345678901234567890), (-1)
                    DECIMAL(5,2)        | (999.99), (-999.99), (1.5)
                    DATE                | ('0001-01-01'), ('9999-12-31'), ('2026-02-28')
                    DATETIME            | ('0001-01-01 00:00:00'), ('9999-12-31 23:59:59')
                    DATETIME(1)         | ('2026-01-02 03:04:05.6'), ('2026-01-02 03:04:05.0')
                    DATETIME(3)         | ('2026-01-02 03:04:05.678'), ('1000-01-01 00:00:00.001')
                    DATETIME(6)         | ('2026-01-02 03:04:05.678901'), ('9999-12-31 23:59:59.999999')
                    TIMESTAMP           | ('2038-01-19 03:14:07'), ('1970-01-02 00:00:01')
                    TIMESTAMP(6)        | ('2026-03-29 02:30:00.000001'), ('2026-10-25 02:30:00.999999')
                    TIME                | ('00:00:00'), ('23:59:59')
                    TIME(6)             | ('00:00:00.000001'), ('23:59:59.999999')
                    CHAR(10) COLLATE utf8mb4_bin | ('a'), ('A'), (''), ('  x'), ('y  ')
                    CHAR(255)           | ('it''s'), (REPEAT('\uD83D\uDE00', 255)), ('"`\\\\')
                    VARCHAR(30) COLLATE utf8mb4_nopad_bin | ('a'), ('a '), ('A'), (''), ('\u00e9'), ('\u0000'), ('e\u0301')
                    VARCHAR(768)        | (REPEAT('\uD83D\uDE00', 768)), ('short')
                    VARCHAR(20) CHARACTER SET latin1 | ('\u00e9\u20ac'), ('plain')
                    CHAR(20) CHARACTER SET ucs2 | ('\u00e9\u20ac'), ('plain')
                    VARCHAR(20) CHARACTER SET utf16 | ('\uD83D\uDE00'), ('plain')
                    VARCHAR(20) CHARACTER SET utf32 | ('\uD83D\uDE00'), ('plain')
                    ENUM('one','it''s','\u00e9') | ('one'), ('it''s'), ('\u00e9')
                    UUID                | ('00000000-0000-0000-0000-000000000000'), ('ffffffff-ffff-ffff-ffff-ffffffffffff'), ('123e4567-e89b-12d3-a456-426614174000'), ('f81d4fae-7dec-41d0-a765-00a0c91e6b00'), ('018f4e7e-1c5b-7cc3-98c4-dc0c0c07398f'), ('1ec9414c-232a-6b00-b3c8-9f6bdeced846'), ('018f4e7e-1c5b-8cc3-98c4-dc0c0c073900'), ('f81d4fae-7dec-41d0-2765-00a0c91e6bf6'), ('f81d4fae-7dec-01d0-a765-00a0c91e6bf6'), ('f81d4fae-7dec-00d0-a765-00a0c91e6bf6')
                    """)
    void take_keyOfType_eachFindsItsRow(String type, String values) {
        database.execute(
                "CREATE TABLE t (before_it TEXT, k " + type + " PRIMARY KEY, after_it INT)");
        MariaDbFeed feed = following("t");
        database.execute("INSERT INTO t (k) VALUES " + values);
        ChangedRows changed = changes(feed).tables().get("t");
        assertThat(changed).isInstanceOf(Keys.class);
        Set<List<Object>> keys = ((Keys) changed).keys();
        assertThat(keys).hasSize((int) count("SELECT COUNT(*) FROM t"));
        for (List<Object> key : keys) {
            assertThat(rows("t", key)).as("rows of key %s", key).isEqualTo(1);
        }
    }

    private int rows(String name, List<Object> key) {
        Database known = Database.connect(database.dataSource());
        Table table = known.table(name);
        List<Predicate> each = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            String column = table.primaryKey().get(i);
            each.add(new Predicate.Comparison(column, Comparator.EQUAL, key.get(i)));
        }
        Plan all = Plan.of(table);
        Plan plan = new Plan(table, new Predicate.And(each), List.of(), List.of(), all.output());
        int rows = 0;
        try (Cursor cursor = known.open(plan)) {
            while (cursor.next()) {
                rows++;
            }
        }
        return rows;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    k FLOAT PRIMARY KEY             | (1.5)
                    k DOUBLE PRIMARY KEY            | (1.5)
                    k VARBINARY(10) PRIMARY KEY     | ('a')
                    k BINARY(16) PRIMARY KEY        | ('a')
                    k SET('a','b') PRIMARY KEY      | ('a')
                    k INET6 PRIMARY KEY             | ('::1')
                    k TEXT, PRIMARY KEY (k(10))     | ('a')
                    k VARCHAR(20) CHARACTER SET gbk PRIMARY KEY | ('a')
                    k INT                           | (1)
                    k DATE PRIMARY KEY              | ('0000-00-00')
                    k TIMESTAMP PRIMARY KEY         | ('0000-00-00 00:00:00')
                    k TIME PRIMARY KEY              | ('25:00:00')
                    k TIME PRIMARY KEY              | ('-01:00:00')
                    k TINYINT(1) PRIMARY KEY        | (2)
                    """)
    void take_keyThatCantBeSaid_allRows(String columns, String values) {
        database.execute("CREATE TABLE t (" + columns + ")");
        MariaDbFeed feed = following("t");
        database.execute("INSERT INTO t (k) VALUES " + values);
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", ALL));
    }

    @Test
    void take_compositeKey_inTheKeysOrder() {
        database.execute(
                "CREATE TABLE t (a INT, b VARCHAR(10), c DATE, d BLOB, PRIMARY KEY (c, a, b))");
        MariaDbFeed feed = following("t");
        database.execute("INSERT INTO t VALUES (1, 'x', '2026-01-02', 'blob')");
        assertThat(changes(feed).tables())
                .isEqualTo(
                        Map.of(
                                "t",
                                new Keys(
                                        Set.of(
                                                List.of(
                                                        java.time.LocalDate.of(2026, 1, 2),
                                                        1,
                                                        "x")))));
        assertThat(rows("t", List.of(java.time.LocalDate.of(2026, 1, 2), 1, "x"))).isEqualTo(1);
    }

    @Test
    void take_unusualColumnsBesideTheKey_keys() {
        database.execute(
                """
                CREATE TABLE t (f FLOAT, d DOUBLE, g GEOMETRY, s SET('a','b'), e ENUM('x','y'), b BIT(9),
                    n DECIMAL(30,7), c VARCHAR(300) COMPRESSED, bc LONGBLOB COMPRESSED, j JSON, i INET6, u UUID,
                    v INT AS (f + 1) VIRTUAL, p INT AS (f + 1) STORED, t TIME(3), y YEAR, ti TINYTEXT,
                    id INT PRIMARY KEY, ch CHAR(200), bi BINARY(20), h INT INVISIBLE, x TEXT UNIQUE)
                """);
        MariaDbFeed feed = following("t");
        database.execute(
                """
                INSERT INTO t (f, d, g, s, e, b, n, c, bc, j, i, u, t, y, ti, id, ch, bi, x) VALUES
                    (1.5, 2.5, POINT(1, 2), 'a,b', 'y', 257, -1.5, REPEAT('c', 300), REPEAT('b', 3000), '[1]', '::1',
                    UUID(), '-12:00:01.5', 2026, 'ti', 77, 'ch', 'bi', 'x'),
                    (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, -78,
                    NULL, NULL, NULL)
                """);
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(77, -78)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"FULL", "NOBLOB", "MINIMAL", "FULL_NODUP"})
    void take_rowImages_sameKeys(String image) {
        database.execute(
                "CREATE TABLE t (name VARCHAR(20), body LONGTEXT, id INT, PRIMARY KEY (id, name))",
                "INSERT INTO t VALUES ('a', REPEAT('x', 100000), 1), ('b', NULL, 2), ('c', 'y', 3)");
        MariaDbFeed feed = following("t");
        database.execute(
                "SET SESSION binlog_row_image = " + image,
                "INSERT INTO t (id, name) VALUES (4, 'd')",
                "UPDATE t SET body = REPEAT('z', 70000) WHERE id = 1",
                "UPDATE t SET name = 'bb' WHERE id = 2",
                "DELETE FROM t WHERE id = 3");
        assertThat(changes(feed).tables())
                .isEqualTo(
                        Map.of(
                                "t",
                                new Keys(
                                        Set.of(
                                                List.of(4, "d"),
                                                List.of(1, "a"),
                                                List.of(2, "b"),
                                                List.of(2, "bb"),
                                                List.of(3, "c")))));
    }

    @Test
    void take_largeRows_keys() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY, a LONGTEXT)");
        MariaDbFeed feed = following("t");
        database.execute(
                "INSERT INTO t VALUES (1, REPEAT('x', 16777190)), (2, REPEAT('y', 20000000)), (3, 'z')");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(1, 2, 3)));
    }

    @Test
    void take_versionedAndPartitionedTables_keys() {
        database.execute(
                "CREATE TABLE v (id INT PRIMARY KEY, a INT) WITH SYSTEM VERSIONING",
                "CREATE TABLE p (id INT PRIMARY KEY) PARTITION BY HASH (id) PARTITIONS 3");
        MariaDbFeed feed = following("v", "p");
        database.execute(
                "INSERT INTO v VALUES (1, 1), (2, 2)",
                "UPDATE v SET a = 3 WHERE id = 2",
                "INSERT INTO p VALUES (1), (2), (3)",
                "UPDATE p SET id = 4 WHERE id = 3");
        Map<String, ChangedRows> tables = changes(feed).tables();
        assertThat(tables.get("p")).isEqualTo(keys(1, 2, 3, 4));
        assertThat(tables.get("v")).isIn(keys(1, 2), ALL);
    }
}
