package dev.penstock.bench.films;

import dev.penstock.bench.experiment.NanosecondBenchmark;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import dev.penstock.films.store.FilmStore;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.snapshot.Snapshot;
import dev.penstock.snapshot.TableStatistics;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.IntSummaryStatistics;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Two basic streams on a snapshot, of constant values and of drawn ones, by one thread and by two, in a JVM that has
 * seen nothing else and in one that has seen {@linkplain Pollution many other streams}; and what other answers over
 * many films cost. Run with {@code -prof gc}.
 *
 * <p>A million films and more come from a PostgreSQL database that is kept from run to run; the first run makes them.
 */
@Fork(1)
public class SnapshotBenchmark extends NanosecondBenchmark {
    private static final Condition<Film> RATING_EQUALS_PG_13 = Film.RATING.equal(Rating.PG13);
    private static final FieldOrder<Film> LENGTH_DESCENDING = Film.LENGTH.reversed();

    private static final BigDecimal CHEAP = BigDecimal.valueOf(20);

    /** As many films as are kept in a database. */
    private static final int MANY = 1_000_000;

    /** How many films there are. */
    @Param({"1000", "10000000"})
    public int films;

    /** Whether the JVM has seen other streams. */
    @Param({"false", "true"})
    public boolean polluted;

    @SuppressWarnings("NullAway.Init") // load() does it, when the parameters are known
    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // so here
    private Snapshot snapshot;

    @SuppressWarnings("NullAway.Init") // so here
    private TypedTable<Film> table;

    @SuppressWarnings("NullAway.Init") // so here
    private int[] numbers;

    /** Parameters of the next streams, drawn at random. */
    @State(Scope.Thread)
    public static class Drawn {
        private static final int DRAWN = 1024;

        private final Rating[] ratings = new Rating[DRAWN];
        private final int[] places = new int[DRAWN];
        private int next;

        /** Draws, the same each time. */
        public Drawn() {
            Rating[] all = Rating.values();
            Random random = new Random(1);
            for (int i = 0; i < DRAWN; i++) {
                ratings[i] = all[random.nextInt(all.length)];
                places[i] = random.nextInt(990);
            }
        }

        Rating rating() {
            return ratings[next++ & (DRAWN - 1)];
        }

        int place() {
            return places[next++ & (DRAWN - 1)];
        }
    }

    /** Loads the films. */
    @Setup
    public void load() throws SQLException, IOException {
        if (polluted) {
            Pollution.spread();
        }
        if (films < MANY) {
            database = TestDatabase.create(TestDatabase.Kind.H2);
            try (Connection connection = database.connect()) {
                FilmStore.of(films / 1000.0).only("film").create(connection);
            }
        } else {
            database = FilmDatabase.of(TestDatabase.Kind.POSTGRESQL, films);
        }
        snapshot = Snapshot.load(Database.connect(database.dataSource()), Film.TABLE);
        table = snapshot.table(Film.TABLE);
        numbers = new Random(1).ints(films, 46, 186).toArray();
    }

    /** Gives the memory back. */
    @TearDown
    public void close() {
        snapshot.close();
        database.close();
    }

    /** Filter and count. */
    @Benchmark
    public long filterAndCount() {
        return table.stream().filter(RATING_EQUALS_PG_13).count();
    }

    /** The same, of any rating. */
    @Benchmark
    public long filterAndCountDrawn(Drawn drawn) {
        return table.stream().filter(Film.RATING.equal(drawn.rating())).count();
    }

    /** The same, by two threads at once. */
    @Benchmark
    @Threads(2)
    public long filterAndCountByTwo() {
        return filterAndCount();
    }

    /** Sort, skip, limit and statistics. */
    @Benchmark
    public IntSummaryStatistics complex() {
        return complex(FilmAsks.SKIPPED);
    }

    /** The same, from any place on. */
    @Benchmark
    public IntSummaryStatistics complexDrawn(Drawn drawn) {
        return complex(drawn.place());
    }

    /** The same, by two threads at once. */
    @Benchmark
    @Threads(2)
    public IntSummaryStatistics complexByTwo() {
        return complex();
    }

    private IntSummaryStatistics complex(int skipped) {
        return table.stream()
                .sorted(LENGTH_DESCENDING)
                .skip(skipped)
                .limit(FilmAsks.LIMIT)
                .mapToInt(Film.RENTAL_DURATION.asInt())
                .summaryStatistics();
    }

    /** A question as the experiment asks it. */
    @State(Scope.Benchmark)
    public static class Asked {
        /** Which one. */
        @Param({"PREFIX", "TOP", "CONJUNCTION", "GROUPS", "DISTINCT", "KEY"})
        public String question = "PREFIX";

        private Ask ask = Ask.any(() -> "");

        /** Makes it ready. */
        @Setup
        public void prepare(SnapshotBenchmark all) {
            ask = new StreamFilms(all.table, all.films / 2).ask(FilmQuestion.valueOf(question));
        }
    }

    /** A question of more than one or two steps, or of one film. */
    @Benchmark
    public Object question(Asked asked) throws Exception {
        return asked.ask.answer();
    }

    /** Two ranges of which neither leaves few films, counted. */
    @Benchmark
    public long twoRanges() {
        return table.stream()
                .filter(Film.RELEASE_YEAR.lessThan(FilmAsks.YEAR))
                .filter(Film.REPLACEMENT_COST.lessThan(CHEAP))
                .count();
    }

    /** What loading takes besides, however few films there are. */
    private static final long SPARE = 1 << 18;

    /** The films once more, in no more memory than they take: there is none for indexes. */
    @State(Scope.Benchmark)
    public static class Unindexed {
        @SuppressWarnings("NullAway.Init") // load() does it
        private Snapshot snapshot;

        @SuppressWarnings("NullAway.Init") // so here
        private TypedTable<Film> table;

        /** Loads them. */
        @Setup
        public void load(SnapshotBenchmark all) {
            long bytes = all.snapshot.statistics().stream().mapToLong(TableStatistics::bytes).sum();
            snapshot =
                    Snapshot.of(Database.connect(all.database.dataSource()))
                            .table(Film.TABLE)
                            .memory(bytes + bytes / 2 + SPARE)
                            .load();
            table = snapshot.table(Film.TABLE);
        }

        /** Gives the memory back. */
        @TearDown
        public void close() {
            snapshot.close();
        }
    }

    /** A range counted by looking at each film: what {@link #plainSum} is to be compared with. */
    @Benchmark
    public long scan(Unindexed films) {
        return films.table.stream()
                .filter(Film.LENGTH.between(FilmAsks.SHORT, FilmAsks.LONG))
                .count();
    }

    /** The least value of a column. */
    @Benchmark
    public int least() {
        return table.stream()
                .filter(Film.LENGTH.isNotNull())
                .mapToInt(Film.LENGTH.asInt())
                .min()
                .orElseThrow();
    }

    /** A plain loop over as many numbers as there are films. */
    @Benchmark
    public long plainSum() {
        long sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }
}
