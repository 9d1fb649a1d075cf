package dev.penstock.follow.binlog;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the log to go on from, with what identifies the log. Its text is {@code mariadb-bin.000012:3456:0-1-100}.
 *
 * @param at between two event groups
 * @param gtids the last transactions before that place
 */
public record SavedPosition(BinlogPosition at, GtidPosition gtids) {
    private static final Pattern TEXT =
            Pattern.compile("(.+\\.[0-9]{1,18}):([0-9]{1,18}):([0-9,-]*)");

    public SavedPosition {
        requireNonNull(at);
        requireNonNull(gtids);
    }

    /** Returns what a text says, or nothing if it is no such position. */
    public static Optional<SavedPosition> of(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            BinlogPosition at = new BinlogPosition(parts.group(1), Long.parseLong(parts.group(2)));
            return Optional.of(new SavedPosition(at, GtidPosition.of(parts.group(3))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the text that {@link #of} reads. */
    @Override
    public String toString() {
        return at + ":" + gtids;
    }
}
