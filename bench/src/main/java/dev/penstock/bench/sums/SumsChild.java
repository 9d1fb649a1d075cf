package dev.penstock.bench.sums;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A process with a store of readings, which is empty until {@link #load}. For one thread. */
final class SumsChild {
    /** The making of a store. */
    interface Loader {
        ReadingStore load() throws Exception;
    }

    private final Loader loader;
    private @Nullable ReadingStore store;

    SumsChild(Loader loader) {
        this.loader = loader;
    }

    private ReadingStore store() {
        return Objects.requireNonNull(store, "nothing is loaded");
    }

    /** Loads the readings. Returns how many bytes they take. */
    double load() throws Exception {
        ReadingStore loaded = loader.load();
        store = loaded;
        return loaded.bytes();
    }

    /** Returns the answer as text. */
    String check(SumsQuestion question) throws Exception {
        return store().answer(question).toString();
    }

    /** Asks for so many nanoseconds, and once at least. Returns the nanoseconds of an answer. */
    double time(SumsQuestion question, long nanos) throws Exception {
        long start = System.nanoTime();
        long asked = 0;
        do {
            Object _ = store().answer(question);
            asked++;
        } while (System.nanoTime() - start < nanos);
        return (double) (System.nanoTime() - start) / asked;
    }
}
