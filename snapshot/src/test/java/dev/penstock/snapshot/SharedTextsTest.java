package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.snapshot.memory.Memory;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the rows of a column of few different texts share their strings. */
class SharedTextsTest {
    private static final int ROWS = 10_000;

    /** At most 256 texts, of 16,384 bytes together. */
    @ParameterizedTest
    @CsvSource({
        "1, 5, true",
        "255, 5, true",
        "256, 5, true",
        "257, 5, false",
        "256, 64, true",
        "256, 65, false",
        "163, 100, true",
        "164, 100, false"
    })
    void texts_ofFewDifferentOnes_areTheSameStrings(int different, int length, boolean areShared) {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table t (id int primary key, word varchar(200))",
                    ("insert into t select x, case when mod(x, 7) = 0 then null else"
                                    + " rpad('ä' || mod(x * 31, %d), %d, '.') end from system_range(1, %d)")
                            // The first letter has two bytes.
                            .formatted(different, length - 1, ROWS));
            Database database = Database.connect(server.dataSource());
            SnapshotEngine memory = InMemory.of(database, new Memory(Long.MAX_VALUE));
            Plan plan =
                    Plan.of(database.table("t")).orderBy(List.of(new Order("ID", false, false)));
            assertThat(Rows.texts(memory, plan)).isEqualTo(Rows.texts(database, plan));

            Set<String> strings = Collections.newSetFromMap(new IdentityHashMap<>());
            int texts = 0;
            for (int i = 0; i < 2; i++) {
                try (Cursor cursor = memory.open(plan)) {
                    while (cursor.next()) {
                        String word = cursor.getString(1);
                        if (word != null) {
                            strings.add(word);
                            texts++;
                        }
                    }
                }
            }
            assertThat(strings).hasSize(areShared ? different : texts);
        }
    }
}
