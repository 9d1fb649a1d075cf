package dev.penstock.query;

/**
 * The four tests of a condition in SQL's logic of three values: {@code IS TRUE}, {@code IS NOT TRUE}, {@code IS FALSE}
 * and {@code IS NOT FALSE}. An engine starts with {@link #IS_TRUE} and goes down to the parts of a condition, so that
 * a negation costs nothing but another test of what is negated:
 *
 * <ul>
 *   <li>an AND passes {@code IS_TRUE} and {@code IS_NOT_FALSE} if all of its parts do, and the other two if any does;
 *       an OR the other way round ({@link #isNegated});
 *   <li>{@link Predicate.Not} asks {@link #ofComplement} of its part, {@link Predicate.SqlNot} asks {@link #ofSqlNot};
 *   <li>a condition without parts that is unknown passes where {@link #passesUnknown} says so.
 * </ul>
 */
public enum TruthTest {
    IS_TRUE(false, false),
    IS_NOT_TRUE(true, true),
    IS_FALSE(true, false),
    IS_NOT_FALSE(false, true);

    private final boolean negated;
    private final boolean passesUnknown;

    TruthTest(boolean negated, boolean passesUnknown) {
        this.negated = negated;
        this.passesUnknown = passesUnknown;
    }

    /** Returns whether a condition that is false passes, and one that is true does not. */
    public boolean isNegated() {
        return negated;
    }

    /** Returns whether a condition passes that is neither true nor false. */
    public boolean passesUnknown() {
        return passesUnknown;
    }

    /** Returns what is asked of a condition whose complement is asked this. */
    public TruthTest ofComplement() {
        return negated ? IS_TRUE : IS_NOT_TRUE;
    }

    /** Returns what is asked of a condition whose negation in three values is asked this. */
    public TruthTest ofSqlNot() {
        return switch (this) {
            case IS_TRUE -> IS_FALSE;
            case IS_FALSE -> IS_TRUE;
            case IS_NOT_TRUE -> IS_NOT_FALSE;
            case IS_NOT_FALSE -> IS_NOT_TRUE;
        };
    }
}
