package dev.penstock.query.typed;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Engine;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.InMemory;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Conditions on the values of a stream mean in memory what they mean on a list. */
class SnapshotSemiJoinPropertyTest {
    private static final int TABLES =
            Integer.getInteger("penstock.tables", Boolean.getBoolean("penstock.soak") ? 500 : 8);
    private static final int CONDITIONS_A_TABLE = 100;

    @Test
    void condition_onAStreamInMemoryAtRandom_meansWhatItMeansOnLists() throws SQLException {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        for (int i = 0; i < TABLES; i++) {
            RandomTable table = new RandomTable(Kind.H2, "t" + i, new Random(seed + i));
            try (TestDatabase server = TestDatabase.create(Kind.H2)) {
                table.create(server);
                Engine engine = InMemory.of(Database.connect(server.dataSource()));
                SemiJoinPropertyTest.check(table, engine, seed + i, CONDITIONS_A_TABLE);
            }
        }
    }
}
