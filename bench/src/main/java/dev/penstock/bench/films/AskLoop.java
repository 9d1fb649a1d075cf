package dev.penstock.bench.films;

import dev.penstock.films.Rating;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A loop that asks again and again, and looks at the clock seldom enough that this costs nothing. */
final class AskLoop {
    private static final long BATCH_NANOS = 100_000;

    /** Sub-queries draw from so many ratings and places, made beforehand. */
    private static final int DRAWN = 4096;

    private static final int PLACES = 1000;

    /** What was answered, so that it has to be computed. */
    @SuppressWarnings("UnusedVariable")
    private static @Nullable Object answered;

    @SuppressWarnings("UnusedVariable")
    private static long counted;

    /** A number of answers and the time that they took. */
    record Run(long count, long nanos) implements Serializable {
        double nanosEach() {
            return (double) nanos / count;
        }

        double perSecond() {
            return count * 1e9 / nanos;
        }
    }

    /** Asks some times, beginning with one number. */
    private interface Batch {
        void ask(long from, int times) throws Exception;
    }

    private AskLoop() {}

    /** Gets as many answers as a time has room for, and at least one. */
    static Run run(Ask ask, long nanos) throws Exception {
        return run((_, times) -> ask(ask, times), Long.MAX_VALUE, nanos);
    }

    private static Run run(Batch batch, long most, long nanos) throws Exception {
        long start = System.nanoTime();
        long now = start;
        long count = 0;
        int times = 1;
        while (count < most && (now - start < nanos || count == 0)) {
            long before = now;
            int next = (int) Math.min(times, most - count);
            batch.ask(count, next);
            now = System.nanoTime();
            count += next;
            if (now - before < BATCH_NANOS) {
                times *= 2;
            }
        }
        return new Run(count, now - start);
    }

    private static void ask(Ask ask, int times) throws Exception {
        switch (ask) {
            case Ask.Numeric number -> {
                long sum = 0;
                for (int i = 0; i < times; i++) {
                    sum += number.number();
                }
                counted = sum;
            }
            case Ask.Any any -> {
                for (int i = 0; i < times; i++) {
                    answered = any.answer();
                }
            }
        }
    }

    /** Counts answers a second, by a thread for each ask. */
    static double perSecond(List<Ask> asks, long nanos) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(asks.size())) {
            List<Future<Run>> runs = new ArrayList<>();
            for (Ask ask : asks) {
                runs.add(threads.submit(() -> run(ask, nanos)));
            }
            double perSecond = 0;
            for (Future<Run> run : runs) {
                perSecond += run.get().perSecond();
            }
            return perSecond;
        }
    }

    /**
     * Asks many sub-queries, as one operation of an application might: filter and count and the complex stream in
     * turn, of ratings and places that are drawn at random.
     *
     * @param most how many there are
     * @param nanos when to stop, even if that were not all
     */
    static Run subQueries(FilmAsks asks, long most, long nanos) throws Exception {
        SubQueries all = new SubQueries(asks);
        return run(all::ask, most, nanos);
    }

    /** Adds up what the first sub-queries find. */
    static long sumOfSubQueries(FilmAsks asks, int count) throws Exception {
        return new SubQueries(asks).sum(0, count);
    }

    private static final class SubQueries {
        private final FilmAsks asks;
        private final Rating[] ratings = new Rating[DRAWN];
        private final int[] places = new int[DRAWN];

        SubQueries(FilmAsks asks) {
            this.asks = asks;
            Rating[] all = Rating.values();
            Random random = new Random(1);
            for (int i = 0; i < DRAWN; i++) {
                ratings[i] = all[random.nextInt(all.length)];
                places[i] = random.nextInt(PLACES - FilmAsks.LIMIT);
            }
        }

        void ask(long from, int times) throws Exception {
            counted = sum(from, times);
        }

        long sum(long from, int times) throws Exception {
            long sum = 0;
            for (long i = from; i < from + times; i++) {
                int drawn = (int) (i / 2 % DRAWN);
                sum +=
                        i % 2 == 0
                                ? asks.count(ratings[drawn])
                                : asks.complex(places[drawn]).getSum();
            }
            return sum;
        }
    }
}
