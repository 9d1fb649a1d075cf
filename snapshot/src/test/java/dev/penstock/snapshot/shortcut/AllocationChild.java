package dev.penstock.snapshot.shortcut;

import com.sun.management.ThreadMXBean;
import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.snapshot.Snapshot;
import java.lang.management.ManagementFactory;
import java.util.IntSummaryStatistics;
import java.util.List;

/**
 * A program that runs a stream with a shortcut again and again, and prints the least bytes of heap that a call took.
 */
final class AllocationChild {
    private static final int FILMS = 1_000;
    private static final int CALLS = 20_000;
    private static final int MOST_ATTEMPTS = 500;

    private static long sum;

    private AllocationChild() {}

    private enum Rating {
        G,
        PG,
        R
    }

    private record Film(int id, Rating rating, int length, int days) {
        static final IntField<Film> ID = IntField.of(Film.class, "id", Film::id);
        static final EnumField<Film, Rating> RATING =
                EnumField.of(
                        Film.class,
                        "rating",
                        Rating.class,
                        Film::rating,
                        Rating::name,
                        Rating::valueOf);
        static final IntField<Film> LENGTH = IntField.of(Film.class, "length", Film::length);
        static final IntField<Film> DAYS = IntField.of(Film.class, "days", Film::days);
        static final Entity<Film> TABLE =
                Entity.of(
                        Film.class,
                        "film",
                        row ->
                                new Film(
                                        row.getInt(0),
                                        Rating.valueOf(row.getString(1)),
                                        row.getInt(2),
                                        row.getInt(3)),
                        List.of(ID, RATING, LENGTH, DAYS),
                        List.of(ID));
    }

    private static final Condition<Film> PG = Film.RATING.equal(Rating.PG);
    private static final FieldOrder<Film> LONGEST = Film.LENGTH.reversed();

    /** A field of the same place as another one, where there are eight for each of the four columns. */
    private static final IntField<Film> MEETING = meeting(Film.LENGTH);

    private static IntField<Film> meeting(IntField<Film> other) {
        IntField<Film> made = Film.DAYS;
        while (((System.identityHashCode(made) ^ System.identityHashCode(other)) & 31) != 0) {
            made = IntField.of(Film.class, "days", Film::days);
        }
        return made;
    }

    /**
     * Measures one of the streams.
     *
     * @param arguments which stream, and the bytes a call after which no other attempt is made
     */
    public static void main(String[] arguments) {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table film (id int primary key, rating varchar(9) not null, length int"
                            + " not null, days int not null)",
                    "insert into film select x, case mod(x, 3) when 0 then 'G' when 1 then 'PG' else 'R' end,"
                            + " 46 + mod(x * 37, 140), 3 + mod(x, 5) from system_range(1, "
                            + FILMS
                            + ")");
            try (Snapshot snapshot =
                    Snapshot.load(Database.connect(server.dataSource()), Film.TABLE)) {
                TypedTable<Film> films = snapshot.table(Film.TABLE);
                String stream = arguments[0];
                long enough = Long.parseLong(arguments[1]);
                long least = Long.MAX_VALUE;
                for (int i = 0; i < MOST_ATTEMPTS && least > enough; i++) {
                    least = Math.min(least, bytesACall(films, stream));
                }
                System.out.println("the sum of all answers is " + sum);
                System.out.println(least);
            }
        }
    }

    private static long bytesACall(TypedTable<Film> films, String stream) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        switch (stream) {
            case "count" -> count(films);
            case "statistics" -> statistics(films);
            default -> meeting(films);
        }
        // Less than a tenth of a byte is what the measuring itself allocates.
        return (threads.getCurrentThreadAllocatedBytes() - before + CALLS - CALLS / 10) / CALLS;
    }

    private static void count(TypedTable<Film> films) {
        for (int i = 0; i < CALLS; i++) {
            sum += films.stream().filter(PG).count();
        }
    }

    private static void statistics(TypedTable<Film> films) {
        for (int i = 0; i < CALLS; i++) {
            IntSummaryStatistics days =
                    films.stream()
                            .sorted(LONGEST)
                            .skip(745)
                            .limit(5)
                            .mapToInt(Film.DAYS.asInt())
                            .summaryStatistics();
            sum += days.getSum();
        }
    }

    private static void meeting(TypedTable<Film> films) {
        for (int i = 0; i < CALLS; i++) {
            IntSummaryStatistics days =
                    films.stream()
                            .sorted(LONGEST)
                            .skip(745)
                            .limit(5)
                            .mapToInt(MEETING.asInt())
                            .summaryStatistics();
            sum += days.getSum();
        }
    }
}
