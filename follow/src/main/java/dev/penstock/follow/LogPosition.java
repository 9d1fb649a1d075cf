package dev.penstock.follow;

import org.postgresql.replication.LogSequenceNumber;

/**
 * A position as a feed of PostgreSQL gives it: a place in the log, and what the server and the tables were then. A
 * table that has changed since was emptied, made again or written anew, of which the log may not tell.
 *
 * @param place the place in the log
 * @param fingerprint that of {@link PostgresLook}
 */
record LogPosition(long place, String fingerprint) {
    /** Reads a position's text, such as {@code 0/16B3748 7311/00000001/1b2c 16385:16391:a1b2}. */
    static LogPosition parse(String text) {
        int space = text.indexOf(' ');
        String place = space < 0 ? text : text.substring(0, space);
        return new LogPosition(
                LogSequenceNumber.valueOf(place).asLong(),
                space < 0 ? "" : text.substring(space + 1));
    }

    @Override
    public String toString() {
        return LogSequenceNumber.valueOf(place).asString() + " " + fingerprint;
    }
}
