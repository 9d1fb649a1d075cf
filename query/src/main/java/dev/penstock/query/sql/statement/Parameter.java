package dev.penstock.query.sql.statement;

/** A placeholder of the n-th value of a plan in its shape, counted from 0. */
public record Parameter(int index) {
    private static final Parameter[] FIRST = new Parameter[64];

    static {
        for (int i = 0; i < FIRST.length; i++) {
            FIRST[i] = new Parameter(i);
        }
    }

    public static Parameter of(int index) {
        return index < FIRST.length ? FIRST[index] : new Parameter(index);
    }
}
