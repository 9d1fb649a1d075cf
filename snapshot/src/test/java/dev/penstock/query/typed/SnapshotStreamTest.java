package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Engine;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.InMemory;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams mean in memory what they mean on a list: every operation, and random programs over random tables. */
class SnapshotStreamTest {
    private static final int TABLES =
            Integer.getInteger("penstock.tables", Boolean.getBoolean("penstock.soak") ? 1_700 : 10);
    private static final int PROGRAMS_A_TABLE = 200;

    private static Engine things;

    @BeforeAll
    static void load() throws SQLException {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            Things.create(server, StreamConformanceTest.LIST);
            things = InMemory.of(Database.connect(server.dataSource()));
        }
    }

    static List<String> programs() {
        return StreamConformanceTest.programs();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void program_inMemory_meansWhatItMeansOnAList(String name) {
        Function<Stream<Thing>, Object> program = StreamConformanceTest.PROGRAMS.get(name);
        Object expected =
                StreamConformanceTest.outcome(program, StreamConformanceTest.LIST.stream());
        TypedTable<Thing> table = TypedTable.of(things, Thing.TABLE);
        assertThat(StreamConformanceTest.outcome(program, table.stream())).isEqualTo(expected);
        assertThat(StreamConformanceTest.outcome(program, table.stream().parallel()))
                .as("in parallel")
                .isEqualTo(expected);
    }

    @Test
    void program_atRandom_answersAsAListDoes() throws SQLException {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        for (int i = 0; i < TABLES; i++) {
            long seedOfTable = seed + i;
            RandomTable table = new RandomTable(Kind.H2, "t" + i, new Random(seedOfTable));
            try (TestDatabase server = TestDatabase.create(Kind.H2)) {
                table.create(server);
                Database database = Database.connect(server.dataSource());
                Engine engine = i % 3 == 0 ? InMemory.ofFile(database) : InMemory.of(database);
                StreamPropertyTest.check(
                        table, engine, new Random(seedOfTable), seedOfTable, PROGRAMS_A_TABLE);
            }
        }
    }
}
