package dev.penstock.query.sql.statement;

import dev.penstock.query.sql.render.Shape;

/** Stands for the n-th value of a plan in its {@link Shape}, counted from 0. */
public record Slot(int index) {
    private static final Slot[] FIRST = new Slot[64];

    static {
        for (int i = 0; i < FIRST.length; i++) {
            FIRST[i] = new Slot(i);
        }
    }

    public static Slot of(int index) {
        return index < FIRST.length ? FIRST[index] : new Slot(index);
    }
}
