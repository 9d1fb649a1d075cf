package dev.penstock.presidents;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row that a cursor stands at, seen as a president; it copies the short texts only, and only when they are asked
 * for.
 */
record CursorRow(Cursor cursor) implements PresidentRow {
    /** The columns that the page reads, in the order in which a cursor over {@link Presidents#plan} has them. */
    static final List<String> COLUMNS =
            List.of("name", "office_start", "office_end", "thumbnail", "summary");

    static final int NAME = 0;
    static final int OFFICE_START = 1;
    static final int OFFICE_END = 2;
    static final int THUMBNAIL = 3;
    static final int SUMMARY = 4;

    @Override
    public String name() {
        return requireNonNull(cursor.getString(NAME));
    }

    @Override
    public String from() {
        return requireNonNull(cursor.getString(OFFICE_START));
    }

    @Override
    public @Nullable String to() {
        return cursor.getString(OFFICE_END);
    }

    @Override
    public String summary() {
        return requireNonNull(cursor.getString(SUMMARY));
    }

    @Override
    public Base64Text picture() {
        return new Base64Text(requireNonNull(cursor.text(THUMBNAIL)));
    }
}
