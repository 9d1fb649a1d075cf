package dev.penstock.service.handover;

import org.jspecify.annotations.Nullable;

/** A doubly linked list through the waiters themselves, first come first. Not thread-safe. */
final class WaitQueue {
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    @Nullable Waiter first() {
        return first;
    }

    int size() {
        return size;
    }

    void add(Waiter waiter) {
        waiter.previous = last;
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        last = waiter;
        size++;
    }

    void remove(Waiter waiter) {
        Waiter before = waiter.previous;
        Waiter after = waiter.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        waiter.previous = null;
        waiter.next = null;
        size--;
    }
}
