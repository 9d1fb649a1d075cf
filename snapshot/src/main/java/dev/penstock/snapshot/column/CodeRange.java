package dev.penstock.snapshot.column;

/**
 * A range of codes.
 *
 * @param least the first
 * @param greatest the last; none where it is less than the first
 */
public record CodeRange(long least, long greatest) {
    /** No code at all. */
    public static final CodeRange NONE = new CodeRange(0, -1);

    /** Returns those from one to another, both of them included. */
    public static CodeRange of(long least, long greatest) {
        return least > greatest ? NONE : new CodeRange(least, greatest);
    }

    public boolean isEmpty() {
        return least > greatest;
    }

    public boolean contains(long code) {
        return least <= code && code <= greatest;
    }

    public CodeRange intersect(CodeRange other) {
        return of(Math.max(least, other.least), Math.min(greatest, other.greatest));
    }
}
