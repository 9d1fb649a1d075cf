package dev.penstock.bench.follow;

import com.sun.management.OperatingSystemMXBean;
import dev.penstock.films.Film;
import dev.penstock.query.typed.TypedTable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Eight threads that ask films in memory, each in turns of equal work at fixed times. A turn's answer is late by the
 * time from when the turn was to begin: a thread that is held up is late for the turns after it too.
 */
final class Readers {
    static final int THREADS = 8;

    /** The part of the processors that they use where nothing else goes on. */
    static final double USE = 0.5;

    private static final long PERIOD_NANOS = 8_000_000;

    private static final Duration TRIAL = Duration.ofSeconds(2);
    private static final int MOST_TRIALS = 8;

    /** The difference from {@link #USE} with which a trial is good. */
    private static final double TOLERANCE = 0.02;

    private final TypedTable<Film> table;
    private final long films;
    private final AtomicLong answered = new AtomicLong();

    /** The number of times that a turn asks all questions. */
    private int rounds = 1;

    Readers(TypedTable<Film> table, long films) {
        this.table = table;
        this.films = films;
    }

    /**
     * The turns of some time.
     *
     * @param lateness the nanoseconds of each turn, from when it was to begin to its last answer
     * @param use the part of the processors' time that they used
     */
    record Seen(Histogram lateness, double use) {}

    /** Finds the work of a turn by which they use the part of the processors that they are to. */
    void adjust() throws InterruptedException, ExecutionException {
        // The first answers build indexes.
        ShortQuestions questions = new ShortQuestions(table, films, THREADS);
        long start = System.nanoTime();
        while (System.nanoTime() - start < TRIAL.toNanos()) {
            answered.lazySet(questions.askAll());
        }
        double use = read(TRIAL).use;
        for (int i = 0; i < MOST_TRIALS && Math.abs(use - USE) > TOLERANCE; i++) {
            rounds = (int) Math.max(1, Math.round(rounds * USE / Math.max(use, 1e-3)));
            use = read(TRIAL).use;
        }
    }

    /** Asks for so long. */
    Seen read(Duration time) throws InterruptedException, ExecutionException {
        Histogram lateness = new ConcurrentHistogram(3);
        List<Future<Long>> used = new ArrayList<>();
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                used.add(threads.submit(() -> read(number, start, time.toNanos(), lateness)));
            }
        }
        double nanos = System.nanoTime() - start;
        long all = 0;
        for (Future<Long> each : used) {
            all += each.get();
        }
        return new Seen(lateness, all / nanos / processors());
    }

    private static int processors() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                .getAvailableProcessors();
    }

    /** Returns the processor time that was used. */
    private long read(int number, long start, long nanos, Histogram lateness) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long usedBefore = threads.getCurrentThreadCpuTime();
        ShortQuestions questions = new ShortQuestions(table, films, number);
        // They begin one after the other, evenly.
        long next = start + number * PERIOD_NANOS / THREADS;
        while (next - start < nanos) {
            long early = next - System.nanoTime();
            while (early > 0) {
                LockSupport.parkNanos(early);
                early = next - System.nanoTime();
            }
            long sum = 0;
            for (int i = 0; i < rounds; i++) {
                sum += questions.askAll();
            }
            answered.lazySet(sum);
            lateness.recordValue(System.nanoTime() - next);
            next += PERIOD_NANOS;
        }
        return threads.getCurrentThreadCpuTime() - usedBefore;
    }
}
