package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Engine;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.RandomTable.Row;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random programs over random tables mean on every database what they mean on a list of the same rows. The seed of a
 * failure is told, and the program is shrunk.
 */
class StreamPropertyTest {
    private static final int PROGRAMS_A_TABLE = 200;

    /**
     * 10,200 programs in all three databases, the same each time; a million others with {@code -Dpenstock.soak=true}.
     */
    private static final int TABLES =
            Integer.getInteger("penstock.tables", Boolean.getBoolean("penstock.soak") ? 1_700 : 17);

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2", "POSTGRESQL", "MARIADB"})
    void program_atRandom_answersAsAListDoes(Kind kind) throws SQLException {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        try (TestDatabase server = TestDatabase.create(kind);
                HikariDataSource pool = pool(server)) {
            for (int i = 0; i < TABLES; i++) {
                long seedOfTable = seed + i;
                RandomTable table = new RandomTable(kind, "t" + i, new Random(seedOfTable));
                table.create(server);
                check(
                        table,
                        Database.connect(pool),
                        new Random(seedOfTable),
                        seedOfTable,
                        PROGRAMS_A_TABLE);
                server.execute("drop table t" + i);
            }
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    private static HikariDataSource pool(TestDatabase server) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }

    /** That random programs mean over an engine what they mean on a list of its rows. */
    static void check(RandomTable table, Engine engine, Random random, long seed, int programs) {
        TypedTable<Row> typed = TypedTable.of(engine, table.entity());
        List<Row> rows = new ArrayList<>(typed.stream().toList());
        rows.sort(table.fields().getFirst());
        for (int i = 0; i < programs; i++) {
            Choices choices = Choices.of(random);
            RandomProgram program = new RandomProgram(choices, table);
            if (!same(program, typed, rows)) {
                Choices least =
                        choices.shrunk(1000, c -> !same(new RandomProgram(c, table), typed, rows));
                fail(new RandomProgram(least, table), typed, rows, seed);
            }
        }
    }

    private static boolean same(RandomProgram program, TypedTable<Row> typed, List<Row> rows) {
        return outcome(program, list(rows)).equals(outcome(program, typed.stream()));
    }

    /** Of unknown size, so that no count passes over operations that would fail. */
    private static Stream<Row> list(List<Row> rows) {
        return rows.stream().filter(_ -> true);
    }

    private static Object outcome(RandomProgram program, Stream<Row> stream) {
        try {
            return program.run(stream);
        } catch (NullPointerException e) {
            return "NullPointerException";
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    private static void fail(
            RandomProgram program, TypedTable<Row> typed, List<Row> rows, long seed) {
        String told;
        try {
            told = typed.explain((Stream<Row> s) -> program.run(s));
        } catch (RuntimeException e) {
            told = e.toString();
        }
        assertThat(outcome(program, typed.stream()))
                .as("-Dpenstock.seed=%d -Dpenstock.tables=1: %s%n%s", seed, program, told)
                .isEqualTo(outcome(program, list(rows)));
    }
}
