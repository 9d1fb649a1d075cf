package dev.penstock.bench.experiment;

import dev.penstock.bench.client.LoadDriver;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of an experiment: how it is to be run, and how far it has come. For one thread.
 *
 * @param settings how it is to be run
 * @param progress how far it has come
 */
public record Trial(Settings settings, Progress progress) {
    /** The measurement of one contender, once. */
    public interface Measurement<C> {
        /** Measures it; what the rounds that warm up give does not count. */
        void measure(C contender, boolean counts) throws Exception;
    }

    /** Returns whether everything is to be run. */
    public boolean full() {
        return settings.full;
    }

    /** Returns whether only the long runs are to be made. */
    public boolean soak() {
        return settings.soak;
    }

    /** Returns whether a part of the experiment is to be run. */
    public boolean includes(String part) {
        return settings.parts.isEmpty() || settings.parts.contains(part);
    }

    /** Returns how many times each thing is measured. */
    public int repetitions() {
        return settings.repetitions;
    }

    /** Returns the databases that were asked for, or PostgreSQL and MariaDB. */
    public List<TestDatabase.Kind> databases() {
        return databases(TestDatabase.Kind.POSTGRESQL, TestDatabase.Kind.MARIADB);
    }

    /** Returns the databases that were asked for, or those by default. */
    public List<TestDatabase.Kind> databases(TestDatabase.Kind... otherwise) {
        return settings.databases.isEmpty() ? List.of(otherwise) : settings.databases;
    }

    /** Returns the heaps that were asked for, or those by default. */
    public List<String> heaps(String... otherwise) {
        return settings.heaps.isEmpty() ? List.of(otherwise) : settings.heaps;
    }

    /** Returns the heap that was asked for, or that by default. */
    public String heap(String otherwise) {
        return heaps(otherwise).getFirst();
    }

    /** Returns the file of a child's log. */
    public Path log(String child) {
        return settings.logs().resolve(child + ".log");
    }

    /** Scales a number; at least 1 is left of it. */
    public int scaled(int count) {
        return (int) scaled(count, 1);
    }

    /** Scales a number; no less than so many are left of it. */
    public long scaled(long count, long least) {
        return Math.max(least, Math.round(count * settings.scale));
    }

    /** Scales a time; no less than so much is left of it. */
    public Duration scaled(Duration time, Duration least) {
        return Duration.ofNanos(scaled(time.toNanos(), least.toNanos()));
    }

    /** Returns the part of a time that is left of it, where everything has less. */
    public long scaledNanos(long nanos) {
        return (long) (nanos * Math.min(1, settings.scale));
    }

    /** Starts the load client. */
    public LoadDriver loadDriver() throws IOException {
        return LoadDriver.start("256m", log("load-client"));
    }

    /** Says of how many steps the experiment consists. */
    public void steps(long steps) {
        progress.steps(steps);
    }

    /** Says what is being done now. */
    public void doing(String what) {
        progress.doing(what);
    }

    /** Says that a step is done. */
    public void step() {
        progress.step();
    }

    /**
     * Measures contenders in turns, each once in every repetition, after some rounds that warm up. Each repetition
     * starts with another one, so that what changes on the machine meanwhile hits all alike.
     *
     * @param doing what is said beside the contender's name
     */
    public <C> void interleave(
            int warmUp, String doing, List<C> contenders, Measurement<C> measurement)
            throws Exception {
        for (int i = -warmUp; i < settings.repetitions; i++) {
            for (C contender : order(contenders, Math.max(0, i))) {
                doing(doing + contender);
                measurement.measure(contender, i >= 0);
                step();
            }
        }
    }

    /** Returns the order of one repetition, counted from 0. */
    public static <T> List<T> order(List<T> contenders, int repetition) {
        List<T> order = new ArrayList<>();
        for (int i = 0; i < contenders.size(); i++) {
            order.add(contenders.get((i + repetition) % contenders.size()));
        }
        return order;
    }

    /** Names a database for people. */
    public static String label(TestDatabase.Kind kind) {
        return switch (kind) {
            case POSTGRESQL -> "PostgreSQL";
            case MARIADB -> "MariaDB";
            case MYSQL -> "MariaDB by MySQL's driver";
            case H2 -> "H2";
        };
    }
}
