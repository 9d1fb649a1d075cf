package dev.penstock.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Engine;
import dev.penstock.query.Evaluation;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.query.typed.Lengths;
import dev.penstock.snapshot.build.StoredTableTest;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.column.Tokens;
import dev.penstock.snapshot.memory.Buffers;
import dev.penstock.snapshot.memory.ByteStringsBuilder;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts, bytes and decimals of the lengths around every array's size are loaded, compared and refreshed as keys. */
class LongKeysTest {
    private static final List<Integer> LENGTHS = Lengths.around(Lengths.CELLS);

    /**
     * A type of key on a database.
     *
     * @param value makes one at random
     */
    record KeyType(Kind kind, String declared, Function<Random, Object> value) {
        @Override
        public String toString() {
            return kind + " " + declared;
        }

        private static Object text(Random random) {
            return Lengths.text(any(LENGTHS, random), (char) ('a' + random.nextInt(4)));
        }

        private static Object bytes(Random random) {
            byte[] bytes = new byte[any(LENGTHS, random)];
            Arrays.fill(bytes, (byte) 0xFE);
            bytes[bytes.length - 1] = (byte) random.nextInt(4);
            return bytes;
        }

        private static Object number(Random random, int digits, int scale) {
            int count = Math.min(digits, 1 + any(LENGTHS, random));
            return Lengths.number(count, Math.min(scale, count), random);
        }

        private static int any(List<Integer> lengths, Random random) {
            return lengths.get(random.nextInt(lengths.size()));
        }
    }

    static List<KeyType> keyTypes() {
        return List.of(
                new KeyType(Kind.H2, "varchar(300)", KeyType::text),
                new KeyType(Kind.POSTGRESQL, "text collate \"C\"", KeyType::text),
                new KeyType(Kind.H2, "varbinary(300)", KeyType::bytes),
                new KeyType(Kind.POSTGRESQL, "bytea", KeyType::bytes),
                new KeyType(Kind.POSTGRESQL, "numeric", random -> KeyType.number(random, 200, 80)),
                new KeyType(Kind.H2, "numeric(200,60)", random -> KeyType.number(random, 140, 60)),
                new KeyType(
                        Kind.MARIADB, "decimal(65,30)", random -> KeyType.number(random, 65, 30)),
                new KeyType(
                        Kind.MARIADB, "decimal(65,0)", random -> KeyType.number(random, 65, 0)));
    }

    private static Map<Object, Integer> rows(KeyType type, Random random) {
        Map<Object, Integer> rows = new TreeMap<>(Evaluation::compare);
        for (int i = 0; i < 60; i++) {
            rows.put(type.value.apply(random), i);
        }
        return rows;
    }

    private static void insert(TestDatabase server, Map<Object, Integer> rows) throws SQLException {
        try (Connection connection = server.connect();
                PreparedStatement insert =
                        connection.prepareStatement("insert into keyed values (?, ?)")) {
            for (Map.Entry<Object, Integer> row : rows.entrySet()) {
                insert.setObject(1, row.getKey());
                insert.setInt(2, row.getValue());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @ParameterizedTest
    @MethodSource("keyTypes")
    void condition_onLongKeys_findsWhatAListHas(KeyType type) throws SQLException {
        Random random = new Random(1);
        Map<Object, Integer> rows = rows(type, random);
        try (TestDatabase server = TestDatabase.create(type.kind)) {
            create(server, type);
            insert(server, rows);
            Engine engine = InMemory.of(Database.connect(server.dataSource()));
            Table table = engine.schema().table("keyed").orElseThrow();
            List<Object> values = new ArrayList<>(rows.keySet());
            for (int i = 0; i < 60; i++) {
                values.add(type.value.apply(random));
            }
            String key = table.columns().getFirst().name();
            for (Object value : values) {
                for (Comparator by : Comparator.values()) {
                    require(engine, table, new Predicate.Comparison(key, by, value), rows);
                }
                require(engine, table, new Predicate.In(key, List.of(value, values.get(3))), rows);
                if (value instanceof String text) {
                    for (TextOperation operation : TextOperation.values()) {
                        require(
                                engine,
                                table,
                                new Predicate.Text(key, operation, text, random.nextBoolean()),
                                rows);
                    }
                }
            }
        }
    }

    private static void require(
            Engine engine, Table table, Predicate predicate, Map<Object, Integer> rows) {
        long expected =
                rows.keySet().stream().filter(key -> Evaluation.test(predicate, _ -> key)).count();
        assertThat(Rows.texts(engine, Plan.of(table).where(predicate).count()))
                .as("%s", predicate)
                .containsExactly(List.of(Long.toString(expected)));
        assertThat(Rows.texts(engine, Plan.of(table).where(predicate))).hasSize((int) expected);
    }

    private static void create(TestDatabase server, KeyType type) {
        server.execute(
                "create table keyed (k %s primary key, changed int not null)"
                        .formatted(type.declared));
    }

    @ParameterizedTest
    @MethodSource("keyTypes")
    void refresh_ofLongKeys_isWhatTheDatabaseHas(KeyType type) throws SQLException {
        Random random = new Random(2);
        try (TestDatabase server = TestDatabase.create(type.kind)) {
            create(server, type);
            Database database = Database.connect(server.dataSource());
            Map<Object, Integer> rows = rows(type, random);
            rows.replaceAll((_, _) -> 1);
            insert(server, rows);
            Table table = database.table("keyed");
            String changed = table.columns().get(1).name();
            try (Snapshot snapshot =
                    Snapshot.of(database).incremental(table, changed, true).load()) {
                for (int version = 2; version < 8; version++) {
                    change(rows, type, random, version);
                    server.execute("delete from keyed");
                    insert(server, rows);
                    assertThat(snapshot.refresh().rows()).isEqualTo(rows.size());
                    List<Plan.Order> byKey =
                            List.of(
                                    new Plan.Order(
                                            table.columns().getFirst().name(), false, false));
                    Plan all = Plan.of(table).orderBy(byKey);
                    assertThat(Rows.texts(snapshot.engine(), all))
                            .isEqualTo(Rows.texts(database, all));
                }
            }
        }
    }

    /** Some rows go, some change, some come. */
    private static void change(
            Map<Object, Integer> rows, KeyType type, Random random, int version) {
        rows.keySet().removeIf(_ -> random.nextInt(5) == 0);
        rows.replaceAll((_, before) -> random.nextInt(5) == 0 ? version : before);
        for (int i = 0; i < 10; i++) {
            rows.put(type.value.apply(random), version);
        }
    }

    @ParameterizedTest
    @MethodSource("keyTypes")
    void columns_ofLongCells_giveTheSameAsTheDatabase(KeyType type) throws SQLException {
        Random random = new Random(3);
        try (TestDatabase server = TestDatabase.create(type.kind)) {
            create(server, type);
            insert(server, rows(type, random));
            Database database = Database.connect(server.dataSource());
            Table table = database.table("keyed");
            StoredTableTest.requireSame(database, table, StoredTableTest.stored(database, table));
            if (type.value.apply(random) instanceof BigDecimal) {
                Plan sums =
                        Plan.of(table)
                                .aggregate(
                                        List.of(),
                                        List.of(
                                                dev.penstock.query.Aggregate.of(
                                                        dev.penstock.query.Aggregate.Function.MIN,
                                                        table.columns().getFirst().name(),
                                                        "least")));
                assertThat(Rows.texts(InMemory.of(database), sums))
                        .isEqualTo(Rows.texts(database, sums));
            }
        }
    }

    @Test
    void sizes_ofArrays_areAmongThoseThatValuesGoBeyond() {
        assertThat(Lengths.CELLS).contains(Long.BYTES, Tokens.LONGEST, Buffers.FIRST);
        assertThat(Lengths.WIDE_CELLS).contains(StoredTable.BLOCK_ROWS, ByteStringsBuilder.CHUNK);
    }

    @Test
    void cells_aroundTheSizesOfChunks_giveTheSameAsTheDatabase() throws SQLException {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute("create table wide (id int primary key, t varchar, b varbinary)");
            try (Connection connection = server.connect();
                    PreparedStatement insert =
                            connection.prepareStatement("insert into wide values (?, ?, ?)")) {
                int id = 0;
                for (int length : Lengths.around(Lengths.WIDE_CELLS)) {
                    // Each twice, so that the second of some is met when others have been learned
                    // from.
                    for (char last : new char[] {'a', 'b'}) {
                        String text = Lengths.text(length, last);
                        insert.setInt(1, id++);
                        insert.setString(2, text);
                        insert.setBytes(3, text.getBytes(UTF_8));
                        insert.addBatch();
                    }
                }
                insert.executeBatch();
            }
            Database database = Database.connect(server.dataSource());
            Table table = database.table("wide");
            StoredTable stored = StoredTableTest.stored(database, table);
            StoredTableTest.requireSame(database, table, stored);
        }
    }
}
