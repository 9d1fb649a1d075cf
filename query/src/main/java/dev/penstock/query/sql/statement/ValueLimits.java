package dev.penstock.query.sql.statement;

/** The range and the precision of the values that a database stores and compares. */
interface ValueLimits {
    /** Returns the database's name in messages. */
    String name();

    /** Returns whether the database has a capability. */
    boolean has(Capability capability);

    /** Returns the smallest difference of two times, in nanoseconds. */
    default int nanosecondsUnit() {
        return 1000;
    }

    default int minYear() {
        return -999_999_999;
    }

    default int maxYear() {
        return 999_999_999;
    }

    /** Returns the greatest year of a date without a time. */
    default int maxYearOfDates() {
        return maxYear();
    }

    /** Returns how many digits a decimal may have. */
    default int decimalDigits() {
        return 100_000;
    }

    /** Returns how many of them may be fractional. */
    default int decimalScale() {
        return 16_000;
    }
}
