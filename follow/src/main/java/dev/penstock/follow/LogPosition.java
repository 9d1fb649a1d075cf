package dev.penstock.follow;

import org.postgresql.replication.LogSequenceNumber;

/**
 * A position as a feed of PostgreSQL gives it: a place in the log, and the files in which the tables were then. A table
 * that is in another file was emptied, made again or written anew, of which the log may not tell.
 *
 * @param place the place in the log
 * @param files the numbers of the tables and their files
 */
record LogPosition(long place, String files) {
    /** Reads a position's text, such as {@code 0/16B3748 16385:16391}. */
    static LogPosition parse(String text) {
        int space = text.indexOf(' ');
        String place = space < 0 ? text : text.substring(0, space);
        return new LogPosition(
                LogSequenceNumber.valueOf(place).asLong(),
                space < 0 ? "" : text.substring(space + 1));
    }

    @Override
    public String toString() {
        return LogSequenceNumber.valueOf(place).asString() + " " + files;
    }
}
