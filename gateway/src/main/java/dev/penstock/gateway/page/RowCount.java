package dev.penstock.gateway.page;

import dev.penstock.gateway.response.RowTotal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a page, by number, and how many there are in all.
 *
 * @param offset rows before them
 * @param rows on the page
 * @param limit the most that a page has
 * @param more whether there are rows after them
 * @param total of all pages; null where nothing is known of it
 */
public record RowCount(
        long offset, long rows, long limit, boolean more, RowTotal.@Nullable Total total) {
    /** The same with its total, where the page itself tells: it is the last one. */
    public static RowCount of(long offset, long rows, long limit, boolean more) {
        boolean known = !more && (rows > 0 || offset == 0);
        return new RowCount(
                offset, rows, limit, more, known ? new RowTotal.Total(offset + rows, true) : null);
    }

    boolean needsTotal() {
        return total == null && limit > 0;
    }

    public RowCount withTotal(RowTotal.@Nullable Total found) {
        // Rows may have come or gone since the page was read, and an estimate may be far off.
        boolean fits = found == null || rows == 0 || found.rows() >= offset + rows;
        return new RowCount(offset, rows, limit, more, fits ? found : null);
    }

    /** How many rows were counted; 0 where they were not. */
    private long counted() {
        return total != null && total.exact() ? total.rows() : 0;
    }

    /** Where the page before starts. */
    long back() {
        return Math.max(0, rows == 0 ? Math.min(offset - limit, last()) : offset - limit);
    }

    /** Where the last page starts, counted in pages from this one; 0 where it is not known. */
    long last() {
        long all = counted();
        if (all == 0 || limit == 0) {
            return 0;
        }
        long start = offset < all ? offset % limit : 0;
        return start + (all - 1 - start) / limit * limit;
    }

    /** For people. */
    @Override
    public String toString() {
        if (rows == 0) {
            return counted() > 0 ? "No rows here; there are " + grouped(counted()) : "No rows";
        }
        if (offset == 0 && counted() == rows) {
            return grouped(rows) + (rows == 1 ? " row" : " rows");
        }
        String of =
                total == null
                        ? "more"
                        : total.exact() ? grouped(total.rows()) : about(total.rows());
        return "Rows " + grouped(offset + 1) + "\u2013" + grouped(offset + rows) + " of " + of;
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** An estimate, with no more digits than it deserves. */
    public static String about(long number) {
        if (number >= 999_500_000) {
            return String.format(Locale.ROOT, "about %,.1f billion", number / 1e9);
        }
        if (number >= 999_500) {
            return String.format(Locale.ROOT, "about %.1f million", number / 1e6);
        }
        long unit = 1;
        while (number / unit >= 100) {
            unit *= 10;
        }
        return "about " + grouped((number + unit / 2) / unit * unit);
    }
}
