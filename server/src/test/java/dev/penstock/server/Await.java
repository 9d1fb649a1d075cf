package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something that another process does. */
public final class Await {
    private static final long PAUSE_NANOS = 10_000_000;

    private Await() {}

    public static void until(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the condition held within " + limit).isLessThan(end);
            assertThat(Thread.currentThread().isInterrupted()).as("interrupted").isFalse();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
