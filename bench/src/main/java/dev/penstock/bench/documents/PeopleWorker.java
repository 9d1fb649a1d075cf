package dev.penstock.bench.documents;

import dev.penstock.bench.server.DatabaseAddress;
import java.io.ByteArrayInputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The work on a store of people, in a child JVM, by several threads at once. For one task at a time. */
final class PeopleWorker implements AutoCloseable {
    private static final long LONGEST_NANOS = 60_000_000_000L;

    private final PeopleKind kind;
    private final int threads;
    private @Nullable PeopleStore store;
    private long documents;

    /**
     * Times of finds, in milliseconds.
     *
     * @param percentiles from the 0th to the 99th
     * @param p999 what 99.9 % of them are at most
     */
    record Latencies(List<Double> percentiles, double p999) implements Serializable {
        double p50() {
            return percentiles.get(50);
        }

        double p99() {
            return percentiles.get(99);
        }
    }

    PeopleWorker(PeopleKind kind, int threads) {
        this.kind = kind;
        this.threads = threads;
    }

    /** Opens an empty store instead of the one before. */
    boolean open(DatabaseAddress address, String name) throws Exception {
        close();
        documents = 0;
        store = kind.open(address, name, threads);
        return true;
    }

    private PeopleStore store() {
        return Objects.requireNonNull(store);
    }

    /** Stores more people, each by itself. Returns the seconds that it took. */
    double insert(long count) throws Exception {
        return add(
                count,
                (from, to) -> {
                    for (long number = from; number < to; number++) {
                        store().insert(People.person(number));
                    }
                });
    }

    /** Stores more people, as many at once as one may. Returns the seconds that it took. */
    double load(long count) throws Exception {
        return add(count, (from, to) -> store().load(from, to - from));
    }

    /** The work on people of these numbers. */
    private interface Range {
        void run(long from, long to) throws Exception;
    }

    private double add(long count, Range range) throws Exception {
        long first = documents;
        long start = System.nanoTime();
        each(thread -> {
            range.run(first + count * thread / threads, first + count * (thread + 1) / threads);
            return true;
        });
        documents += count;
        return (System.nanoTime() - start) / 1e9;
    }

    boolean analyse() throws Exception {
        store().analyse();
        return true;
    }

    /** Asks for people at random for so long. Returns the answers a second. */
    double rate(PeopleQuestion question, long nanos) throws Exception {
        long start = System.nanoTime();
        List<Long> answers =
                each(thread -> {
                    SplittableRandom random = new SplittableRandom(start + thread);
                    long answered = 0;
                    do {
                        find(question, random.nextLong(documents), 1);
                        answered++;
                    } while (System.nanoTime() - start < nanos);
                    return answered;
                });
        double seconds = (System.nanoTime() - start) / 1e9;
        return answers.stream().mapToLong(Long::longValue).sum() / seconds;
    }

    /** Asks for people at random, one after the other: for those that are there, or for others. */
    Latencies latencies(PeopleQuestion question, int count, boolean there) throws Exception {
        Histogram nanos = new Histogram(LONGEST_NANOS, 3);
        SplittableRandom random = new SplittableRandom();
        for (int i = 0; i < count; i++) {
            long number = random.nextLong(documents) + (there ? 0 : documents);
            long start = System.nanoTime();
            find(question, number, there ? 1 : 0);
            nanos.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - start));
        }
        return new Latencies(
                IntStream.range(0, 100)
                        .mapToObj(percentile -> nanos.getValueAtPercentile(percentile) / 1e6)
                        .toList(),
                nanos.getValueAtPercentile(99.9) / 1e6);
    }

    private void find(PeopleQuestion question, long number, int expected) throws Exception {
        int found = store().find(question, number).size();
        if (found != expected) {
            throw new IllegalStateException(
                    "%s found %d documents of number %d %s, and not %d"
                            .formatted(kind, found, number, question, expected));
        }
    }

    /** Requires that what comes back says what was stored. */
    boolean check(PeopleQuestion question) throws Exception {
        long number = documents / 2;
        List<String> found = store().find(question, number);
        if (found.size() != 1 || !digest(found.getFirst()).equals(digest(People.person(number)))) {
            throw new IllegalStateException(
                    "%s found %s %s, and not %s"
                            .formatted(kind, found, question, People.person(number)));
        }
        return true;
    }

    private static String digest(String xml) throws Exception {
        return XmlDigest.of(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns what the store takes on disk, in bytes. Nothing is asked of it afterwards. */
    long bytes() throws Exception {
        return store().bytes();
    }

    /** The work of one thread of several. */
    private interface Share<R> {
        R run(int thread) throws Exception;
    }

    private <R> List<R> each(Share<R> share) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<R>> shares = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                shares.add(executor.submit(() -> share.run(thread)));
            }
            List<R> done = new ArrayList<>();
            for (Future<R> one : shares) {
                done.add(one.get());
            }
            return done;
        }
    }

    @Override
    public void close() {
        if (store != null) {
            store.close();
        }
    }
}
