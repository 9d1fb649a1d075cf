package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A version that is made of the one before it, with its indexes, is as one that is loaded as a whole. */
class CarriedIndexesTest {
    /** Tales of more than four megabytes, so that they are kept one by one. */
    private static final int ROWS = 36_000;

    private static final int VERSIONS = Boolean.getBoolean("penstock.soak") ? 100 : 9;

    private final Random random =
            new Random(
                    Long.getLong(
                            "penstock.seed",
                            Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1));

    /** Every third number is that of a note. */
    private static TestDatabase notes() {
        TestDatabase server = TestDatabase.create(Kind.H2);
        server.execute(
                "create table notes (id int primary key, word varchar(20), tale varchar(400),"
                        + " amount decimal(12,2), days date, at_time timestamp(6), flag boolean,"
                        + " ratio double, changed bigint not null)",
                "insert into notes select x * 3, 'word ' || mod(x, 300),"
                        + " case when mod(x, 900) = 0 then null else"
                        + " mod(x * 7919, 36007) || ' is the number of a thoughtful tale of '"
                        + " || repeat('somebody who meets somebody in the Canadian Rockies, ', 3) end,"
                        + " mod(x, 5000) / 4.0, dateadd(day, mod(x, 400), date '2020-01-01'),"
                        + " dateadd(microsecond, x * 1001, timestamp '2024-02-29 00:00:00'),"
                        + " case mod(x, 3) when 0 then null when 1 then true else false end,"
                        + " x / 7e0, 1 from system_range(1, "
                        + ROWS
                        + ")");
        return server;
    }

    /** In turn, changes of all kinds, of rows where they are, of one of their columns, and of rows behind the last. */
    private void change(TestDatabase server, int version) {
        int count = List.of(1, 7, 300).get(random.nextInt(3));
        List<String> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int id = 3 * (1 + random.nextInt(ROWS));
            int behind = 3 * (ROWS + 1000 * version + i);
            switch (version % 4 == 2 ? random.nextInt(4) : version % 4 + 4) {
                case 0 -> changes.add("delete from notes where id = " + id);
                case 1 ->
                        changes.add(
                                "merge into notes key (id) values (%d, %s, %s, %s, %s, %s, null, %s, %d)"
                                        .formatted(
                                                id + 1 + random.nextInt(2),
                                                word(),
                                                tale(),
                                                amount(),
                                                random.nextBoolean() ? "null" : "date '2019-12-31'",
                                                random.nextBoolean()
                                                        ? "timestamp '2024-03-01 00:00:00'"
                                                        : "null",
                                                random.nextDouble(),
                                                version));
                case 4 ->
                        changes.add(
                                "update notes set amount = %s, changed = %d where id = %d"
                                        .formatted(amount(), version, id));
                case 5 ->
                        changes.add(
                                "insert into notes select %d, word, %s, %s, days, at_time, flag, ratio, %d from notes where id = %d"
                                        .formatted(behind, tale(), amount(), version, id));
                default ->
                        changes.add(
                                "update notes set word = %s, tale = %s, amount = %s, changed = %d where id = %d"
                                        .formatted(word(), tale(), amount(), version, id));
            }
        }
        server.execute(changes.toArray(String[]::new));
    }

    private String word() {
        return List.of("null", "'word 7'", "'a new word'", "'word " + random.nextInt(400) + "'")
                .get(random.nextInt(4));
    }

    private String tale() {
        return List.of(
                        "null",
                        "'7919 is the number of another'",
                        "'"
                                + random.nextInt(50_000)
                                + " is the number of a thoughtful tale of nobody'",
                        "tale")
                .get(random.nextInt(3));
    }

    private String amount() {
        return List.of("null", "-0.25", "1250.00", "" + random.nextInt(5000) / 4.0, "99999.75")
                .get(random.nextInt(5));
    }

    private static Predicate compare(String column, Comparator by, Object value) {
        return new Predicate.Comparison(column, by, value);
    }

    private static List<Plan> plans(Table notes) {
        Plan all = Plan.of(notes);
        Item id = new Item("ID", "id");
        Predicate word = compare("WORD", Comparator.EQUAL, "word 7");
        Predicate tale = new Predicate.Text("TALE", TextOperation.STARTS_WITH, "7919", false);
        return List.of(
                all,
                all.where(word).select(List.of(id)),
                all.where(word).count(),
                all.where(new Predicate.In("WORD", List.of("word 7", "a new word", "word 390"))),
                all.where(tale),
                all.where(tale).count(),
                all.where(compare("TALE", Comparator.LESS, "2")).count(),
                all.where(new Predicate.Or(List.of(word, tale))).select(List.of(id)),
                all.where(new Predicate.Not(new Predicate.IsNull("TALE"))).count(),
                all.where(new Predicate.In("ID", List.of(3, 7, 8, 9, 30_000))),
                all.orderBy(List.of(new Order("TALE", false, false))).skip(9_000).limit(30),
                all.orderBy(List.of(new Order("WORD", true, true))).skip(20_000).limit(30),
                all.orderBy(
                                List.of(
                                        new Order("AMOUNT", true, false),
                                        new Order("DAYS", false, true)))
                        .skip(5_000)
                        .limit(30),
                all.aggregate(
                        List.of(),
                        List.of(
                                Aggregate.of(Aggregate.Function.MIN, "AMOUNT", "least"),
                                Aggregate.of(Aggregate.Function.MAX, "AMOUNT", "most"),
                                Aggregate.of(Aggregate.Function.MIN, "TALE", "first"),
                                Aggregate.of(Aggregate.Function.MAX, "WORD", "last"),
                                Aggregate.of(Aggregate.Function.MAX, "AT_TIME", "time"),
                                Aggregate.of(Aggregate.Function.COUNT_VALUES, "RATIO", "ratios"))),
                all.aggregate(
                        List.of(new Item("FLAG", "flag"), new Item("DAYS", "days")),
                        List.of(Aggregate.count("n"))));
    }

    private static List<?> answers(Engine engine, Plan plan) {
        List<?> rows = Rows.texts(engine, plan);
        return plan.order().isEmpty() && !(plan.output() instanceof Plan.Output.Columns)
                ? rows.stream().map(Object::toString).sorted().toList()
                : rows;
    }

    /** Asks everything twice, for which indexes are built. */
    private static void ask(Snapshot snapshot, Table notes) {
        for (int i = 0; i < 2; i++) {
            plans(notes).forEach(plan -> Rows.texts(snapshot.engine(), plan));
        }
    }

    private static List<List<Object>> indexes(Snapshot snapshot) {
        return snapshot.statistics().getFirst().indexes().stream()
                .map(index -> List.<Object>of(index.kind(), index.columns()))
                .toList();
    }

    /** The origin of the indexes of the first version. */
    enum Origin {
        QUERIES,
        DECLARED,
        FILE
    }

    @ParameterizedTest
    @EnumSource(Origin.class)
    void refresh_ofFewChanges_hasTheIndexesOfTheVersionBeforeAndAnswersAsAFreshOne(
            Origin origin, @TempDir Path directory) throws IOException {
        try (TestDatabase server = notes()) {
            Database database = Database.connect(server.dataSource());
            Table notes = database.table("notes");
            Snapshot.Builder builder =
                    Snapshot.of(database)
                            .incremental(notes, "CHANGED", true)
                            .file(directory.resolve("notes"));
            if (origin == Origin.FILE) {
                try (Snapshot snapshot = builder.load()) {
                    ask(snapshot, notes);
                    snapshot.save();
                }
            }
            if (origin == Origin.DECLARED) {
                builder.index(notes, List.of("tale"))
                        .index(notes, List.of("word"))
                        .index(notes, List.of("amount"))
                        .index(notes, List.of("flag", "days"));
            }
            try (Snapshot snapshot = builder.load()) {
                List<Plan> plans = plans(notes);
                if (origin == Origin.QUERIES) {
                    ask(snapshot, notes);
                }
                assertThat(snapshot.isFromFile()).isEqualTo(origin == Origin.FILE);
                List<List<Object>> built = indexes(snapshot);
                assertThat(built)
                        .contains(
                                List.of(TableStatistics.IndexKind.TEXTS, List.of("TALE")),
                                List.of(TableStatistics.IndexKind.ORDER, List.of("TALE")),
                                List.of(TableStatistics.IndexKind.ORDER, List.of("WORD")),
                                List.of(TableStatistics.IndexKind.ORDER, List.of("AMOUNT")),
                                List.of(
                                        TableStatistics.IndexKind.COMPOSITE,
                                        List.of("DAYS", "FLAG")));
                for (int version = 2; version <= VERSIONS; version++) {
                    change(server, version);
                    assertThat(snapshot.refresh().number()).isEqualTo(version);
                    assertThat(indexes(snapshot)).as("version %d", version).containsAll(built);
                    Engine fresh = InMemory.of(database);
                    for (Plan plan : plans) {
                        assertThat(answers(snapshot.engine(), plan))
                                .as("version %d: %s", version, plan)
                                .isEqualTo(answers(fresh, plan));
                    }
                }
            }
        }
    }
}
