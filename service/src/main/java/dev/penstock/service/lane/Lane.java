package dev.penstock.service.lane;

import java.util.LinkedHashSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A key's turns, the first of which has the key. Guarded by itself, except for the fields that are volatile. */
final class Lane {
    final Object key;
    final LinkedHashSet<Turn> turns = new LinkedHashSet<>();

    /** Set when the last turn has left: the lane is in no map any more, and nothing enters it. */
    boolean ended;

    /** The number of turns that have become the first and are to be started; whoever makes it 1 starts them. */
    final AtomicInteger toStart = new AtomicInteger();

    /** The thread on which the first turn's call runs. */
    volatile @Nullable Thread owner;

    Lane(Object key) {
        this.key = key;
    }
}
