package dev.penstock.snapshot;

/**
 * All codes between two.
 *
 * @param least the first
 * @param greatest the last; none where it is less than the first
 */
record CodeRange(long least, long greatest) {
    /** No code at all. */
    static final CodeRange NONE = new CodeRange(0, -1);

    /** Those from one to another, both of them included. */
    static CodeRange of(long least, long greatest) {
        return least > greatest ? NONE : new CodeRange(least, greatest);
    }

    boolean isEmpty() {
        return least > greatest;
    }

    boolean contains(long code) {
        return least <= code && code <= greatest;
    }

    CodeRange intersect(CodeRange other) {
        return of(Math.max(least, other.least), Math.min(greatest, other.greatest));
    }
}
