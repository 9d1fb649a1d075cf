package dev.penstock.presidents;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.Base64;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A data transfer object: one row as an object of its own, which outlives the cursor and can be serialised.
 * The streaming page has no use for it; the experiment compares with it.
 *
 * @param name the name
 * @param officeStart the first day in office
 * @param officeEnd the last day in office; null for the incumbent
 * @param thumbnail a JPEG; not copied, not to be changed
 * @param summary one paragraph
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record President(
        String name,
        LocalDate officeStart,
        @Nullable LocalDate officeEnd,
        byte[] thumbnail,
        String summary)
        implements PresidentRow, Serializable {
    private static final long serialVersionUID = 1L;

    public President {
        requireNonNull(name);
        requireNonNull(officeStart);
        requireNonNull(thumbnail);
        requireNonNull(summary);
    }

    /** The row that a cursor over {@link Presidents#plan} stands at. */
    public static President of(Cursor row) {
        return new President(
                requireNonNull(row.getString(CursorRow.NAME)),
                requireNonNull(row.getDate(CursorRow.OFFICE_START)),
                row.getDate(CursorRow.OFFICE_END),
                requireNonNull(row.getBytes(CursorRow.THUMBNAIL)),
                requireNonNull(row.getString(CursorRow.SUMMARY)));
    }

    /**
     * The rows that are left in a cursor over {@link Presidents#plan}, each read and made when it is asked for. To be
     * iterated once; the cursor's owner closes it.
     */
    public static Iterable<President> lazily(Cursor rows) {
        return () -> new Lazy(rows);
    }

    @Override
    public String from() {
        return officeStart.toString();
    }

    @Override
    public @Nullable String to() {
        return officeEnd == null ? null : officeEnd.toString();
    }

    @Override
    public Base64Text picture() {
        byte[] base64 = Base64.getEncoder().encode(thumbnail);
        return new Base64Text(new Utf8().set(base64, 0, base64.length));
    }

    private static final class Lazy implements Iterator<President> {
        private final Cursor rows;
        private boolean advanced;
        private boolean there;

        private Lazy(Cursor rows) {
            this.rows = rows;
        }

        @Override
        public boolean hasNext() {
            if (!advanced) {
                there = rows.next();
                advanced = true;
            }
            return there;
        }

        @Override
        public President next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the cursor has no more rows");
            }
            advanced = false;
            return President.of(rows);
        }
    }
}
