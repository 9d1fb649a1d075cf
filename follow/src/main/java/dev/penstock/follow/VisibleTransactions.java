package dev.penstock.follow;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The transactions that have ended for everyone who begins from a moment on, as PostgreSQL's {@code
 * pg_current_snapshot()} tells them.
 *
 * @param end the first transaction that had not begun
 * @param running those before it that had not ended
 */
record VisibleTransactions(long end, Set<Long> running) {
    private static final Pattern TEXT = Pattern.compile("\\d+:(\\d+):([\\d,]*)");

    VisibleTransactions {
        running = Set.copyOf(running);
    }

    /** Reads the database's text, such as {@code 10:20:10,14,15}. */
    static VisibleTransactions parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no pg_snapshot");
        }
        Set<Long> running = new HashSet<>();
        for (String each : matcher.group(2).split(",", -1)) {
            if (!each.isEmpty()) {
                running.add(Long.parseLong(each));
            }
        }
        return new VisibleTransactions(Long.parseLong(matcher.group(1)), running);
    }

    /** Returns whether all transactions from one to another have ended. */
    boolean hasAll(long first, long last) {
        return last < end && running.stream().noneMatch(xid -> xid >= first && xid <= last);
    }

    /** Returns the whole number of a transaction, of which the log has 32 bits: that which is nearest to the end. */
    long whole(int xid) {
        return end + (xid - (int) end);
    }
}
