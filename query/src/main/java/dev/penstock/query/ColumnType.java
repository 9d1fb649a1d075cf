package dev.penstock.query;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;

/**
 * The type of a column's values, as every engine and format sees it, whatever the database calls it. The type fixes the
 * canonical text of a value, which is what {@link Cursor#text} gives:
 */
public enum ColumnType {
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** A whole number of at most 32 bits, signed: decimal digits with an optional minus. */
    INT,
    /** A whole number of at most 64 bits, signed: decimal digits with an optional minus. */
    LONG,
    /**
     * An exact decimal, or a whole number beyond 64 bits signed: plain digits, never an exponent, with as many fraction
     * digits as the database gives. PostgreSQL also has {@code NaN}, {@code Infinity} and {@code -Infinity} here.
     */
    DECIMAL,
    /**
     * A binary32 number, as {@link Float#toString} writes it: {@code NaN}, {@code Infinity} and {@code -Infinity} too.
     */
    FLOAT,
    /**
     * A binary64 number, as {@link Double#toString} writes it: {@code NaN}, {@code Infinity} and {@code -Infinity} too.
     */
    DOUBLE,
    /** Characters. The spaces with which a database fills a {@code char(n)} are not part of the value. */
    TEXT,
    /**
     * A date, ISO 8601: {@code 2026-11-21}; years beyond 9999 with a plus, before year 0 with a minus, as {@link
     * java.time.LocalDate#toString} has them. PostgreSQL also has {@code infinity} and {@code -infinity} here and in
     * the timestamps, MariaDB days that are none, such as {@code 0000-00-00}.
     */
    DATE,
    /**
     * A time of day without zone, ISO 8601: {@code 13:45:00} or {@code 13:45:00.25}. PostgreSQL's day ends at {@code
     * 24:00:00}; MariaDB's times go from {@code -838:59:59} to {@code 838:59:59}.
     */
    TIME,
    /**
     * A date and time without zone, ISO 8601: {@code 2026-11-21T13:45:00} or with a fraction without trailing zeros.
     */
    TIMESTAMP,
    /** An instant, ISO 8601 in UTC: {@code 2026-11-21T13:45:00Z} or with a fraction without trailing zeros. */
    TIMESTAMP_UTC,
    /** Bytes; their text is base64 (RFC 4648, section 4, padded). */
    BINARY,
    /** A UUID in its usual form, lower case. */
    UUID,
    /** A JSON document, as the database spells it. */
    JSON,
    /** Anything else, as the database writes it as text (intervals, arrays, ranges, addresses, ...). */
    OTHER;

    /** Returns whether values are numbers. */
    public boolean isNumeric() {
        return switch (this) {
            case INT, LONG, DECIMAL, FLOAT, DOUBLE -> true;
            case BOOLEAN, TEXT, DATE, TIME, TIMESTAMP, TIMESTAMP_UTC, BINARY, UUID, JSON, OTHER ->
                    false;
        };
    }

    /** Returns whether values are any text, not the text of a number, a time or the like. */
    public boolean isTextual() {
        return switch (this) {
            case TEXT, JSON, OTHER -> true;
            case BOOLEAN, INT, LONG, DECIMAL, FLOAT, DOUBLE -> false;
            case DATE, TIME, TIMESTAMP, TIMESTAMP_UTC, BINARY, UUID -> false;
        };
    }

    /** Returns whether values are binary floating-point numbers, which have NaN, infinities and two zeros. */
    public boolean isFloating() {
        return this == FLOAT || this == DOUBLE;
    }

    /**
     * Returns what holds a value of one of the Java types that {@link Predicate} names.
     *
     * @throws QueryException of kind {@code INVALID_PLAN} for a value of another type
     */
    public static ColumnType of(Object value) {
        return switch (value) {
            case Boolean _ -> BOOLEAN;
            case Byte _, Short _, Integer _ -> INT;
            case Long _ -> LONG;
            case BigDecimal _, BigInteger _ -> DECIMAL;
            case Float _ -> FLOAT;
            case Double _ -> DOUBLE;
            case String _ -> TEXT;
            case LocalDate _ -> DATE;
            case LocalTime _ -> TIME;
            case LocalDateTime _ -> TIMESTAMP;
            case Instant _ -> TIMESTAMP_UTC;
            case byte[] _ -> BINARY;
            case java.util.UUID _ -> UUID;
            default ->
                    throw new QueryException(
                            QueryException.Kind.INVALID_PLAN,
                            "no column holds a value of type " + value.getClass().getName());
        };
    }
}
