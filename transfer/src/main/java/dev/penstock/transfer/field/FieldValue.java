package dev.penstock.transfer.field;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/** A value of a structured field (RFC 9651, section 3): a bare item, or an inner list. Immutable. */
public sealed interface FieldValue {
    /** The largest number of an Integer, and with a minus the smallest: 15 digits. */
    long MOST = 999_999_999_999_999L;

    /** An Integer, of at most 15 digits. */
    record Whole(long value) implements FieldValue {}

    /** A Decimal, of at most 12 digits before and 3 behind its point; kept without zeros at its end. */
    record Fraction(BigDecimal value) implements FieldValue {
        public Fraction {
            value = value.stripTrailingZeros();
        }
    }

    /** A String, of visible ASCII and spaces. */
    record Text(String value) implements FieldValue {}

    /** A Token, such as {@code gzip} or {@code text/html}. */
    record Token(String value) implements FieldValue {}

    /** A Boolean. */
    record Flag(boolean value) implements FieldValue {}

    /** A Date, in seconds since 1970. */
    record Time(long seconds) implements FieldValue {}

    /** A Display String, of any characters of Unicode. */
    record Display(String value) implements FieldValue {}

    /** An inner list. */
    record Inner(List<FieldItem> items) implements FieldValue {
        public Inner {
            items = List.copyOf(items);
        }
    }

    /** A Byte Sequence. */
    @SuppressWarnings("ArrayRecordComponent")
    record Bytes(byte[] value) implements FieldValue {
        public Bytes {
            value = value.clone();
        }

        @Override
        public byte[] value() {
            return value.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes bytes && Arrays.equals(value, bytes.value);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }

        @Override
        public String toString() {
            return "Bytes[" + value.length + "]";
        }
    }
}
