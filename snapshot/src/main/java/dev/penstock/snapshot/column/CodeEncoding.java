package dev.penstock.snapshot.column;

/** The values that the codes of a column stand for. Immutable. */
public sealed interface CodeEncoding {
    /**
     * Values that are whole numbers of something, and their own codes: INT and LONG; BOOLEAN as 0 and 1; DATE in days
     * since 1970-01-01; TIME in units since midnight; TIMESTAMP and TIMESTAMP_UTC in units since 1970-01-01T00:00
     * (UTC). A unit is 10<sup>-digits</sup> seconds.
     *
     * @param digits of the fraction of a second; 0 for what has none
     */
    record Whole(int digits) implements CodeEncoding {
        private static final long[] TENS = {
            1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
        };

        /** Returns units a second. */
        public long units() {
            return TENS[digits];
        }

        /** Returns nanoseconds a unit. */
        int nanos() {
            return (int) TENS[9 - digits];
        }

        /** Returns the code of what another encoding of the same type has a code of; none where there is none. */
        CodeRange codeOf(Whole other, long code) {
            if (other.digits <= digits) {
                long units = TENS[digits - other.digits];
                long most = Long.MAX_VALUE / units;
                return code > most || code < -most
                        ? CodeRange.NONE
                        : CodeRange.of(code * units, code * units);
            }
            long units = TENS[other.digits - digits];
            return code % units == 0 ? CodeRange.of(code / units, code / units) : CodeRange.NONE;
        }
    }

    /**
     * An encoding of decimals that all have the same scale and an unscaled value of 64 bits, which is the code.
     *
     * @param scale digits after the point
     */
    record Scaled(int scale) implements CodeEncoding {}

    /**
     * An encoding of FLOAT and DOUBLE by their bits, with those of negative numbers turned over, so that they sort as
     * {@link Double#compare} has it.
     */
    record Floating() implements CodeEncoding {}

    /**
     * An encoding of any values that repeat, by their place in a list of them in order.
     *
     * @param values the different ones, sorted
     */
    public record Listed(Dictionary values) implements CodeEncoding {}

    /** Returns how many bytes it takes outside the heap. */
    default long bytes() {
        return this instanceof Listed(Dictionary values) ? values.bytes() : 0;
    }
}
