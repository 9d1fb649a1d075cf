package dev.penstock.query.typed.field;

/** The ends of a range that belong to it; see {@link Field#between(Object, Object, RangeBounds)}. */
public enum RangeBounds {
    /** {@code start <= x && x <= end}. */
    START_INCLUSIVE_END_INCLUSIVE,
    /** {@code start <= x && x < end}: what a range without an inclusion is. */
    START_INCLUSIVE_END_EXCLUSIVE,
    /** {@code start < x && x <= end}. */
    START_EXCLUSIVE_END_INCLUSIVE,
    /** {@code start < x && x < end}. */
    START_EXCLUSIVE_END_EXCLUSIVE;

    public boolean includesStart() {
        return this == START_INCLUSIVE_END_INCLUSIVE || this == START_INCLUSIVE_END_EXCLUSIVE;
    }

    public boolean includesEnd() {
        return this == START_INCLUSIVE_END_INCLUSIVE || this == START_EXCLUSIVE_END_INCLUSIVE;
    }
}
