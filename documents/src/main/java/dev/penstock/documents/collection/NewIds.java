package dev.penstock.documents.collection;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The ids of documents that come without one: the time first, so that those of one process grow. */
final class NewIds {
    private static final int COUNTER_BITS = 16;
    private static final AtomicLong LAST = new AtomicLong();

    private NewIds() {}

    static String next() {
        long now = System.currentTimeMillis() << COUNTER_BITS;
        long next = LAST.updateAndGet(last -> Math.max(last + 1, now));
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(next) + hex.toHexDigits(ThreadLocalRandom.current().nextLong());
    }
}
