package dev.penstock.format;

import dev.penstock.query.Cursor;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A way to write rows as bytes, one at a time, in a fixed amount of memory. Formats are immutable and thread-safe. More
 * come from outside as services of this type (see {@link ServiceLoader}).
 *
 * <p>The ones here go from {@link Cursor#text} to the bytes of the channel through one array of 16 KiB, and make no
 * object for a row or a cell. Text that is not well-formed UTF-8 gets U+FFFD for every byte that is not, so that what
 * is written always is.
 */
public interface RowFormat {
    /**
     * An array of objects. Numbers stand as the database writes them, with every digit; NaN and infinities are strings;
     * NULL is {@code null}; binary is base64; JSON columns are embedded as they are (as a string, should the database
     * hold something there that is no JSON).
     */
    RowFormat JSON = new JsonFormat(false, false);

    /** One object a line, each as in {@link #JSON}. */
    RowFormat NDJSON = new JsonFormat(true, false);

    /**
     * RFC 4180: a line of names, lines end in CR LF. NULL is empty and unquoted, the empty text is {@code ""}. Values
     * stand exactly as they are: text that starts with {@code =} is not disarmed for spreadsheets, since that would
     * change it.
     */
    RowFormat CSV = new CsvFormat();

    /** A page with one table, for people; see {@link #html} for a title. */
    RowFormat HTML = html("Rows");

    /**
     * An element {@code row} for each row in an element {@code rows}, with an element for each column that is not NULL.
     * Names that XML does not allow are escaped as SQL/XML does it ({@code a b} is {@code a_x0020_b}). Characters that
     * XML 1.0 can't hold, not even escaped, become U+FFFD.
     */
    RowFormat XML = new XmlFormat();

    /** The short name that URLs use, such as {@code csv}: lower-case letters and digits. */
    String name();

    /** The media type of what is written, with its charset where it has one. */
    String mediaType();

    /**
     * Writes the rows that are left in the cursor, with whatever comes before and after them. Closes neither. It calls
     * {@link Cursor#next} before it writes anything, so that a query that fails early leaves the channel untouched.
     *
     * @throws IOException if the channel fails; what was written is then no complete answer
     * @throws dev.penstock.query.QueryException if the cursor fails; likewise
     */
    void write(Cursor rows, WritableByteChannel out) throws IOException;

    /** A format in which cells that are NULL are left out with their names: of JSON and NDJSON; empty for others. */
    static Optional<RowFormat> withoutNulls(RowFormat format) {
        return format instanceof JsonFormat json
                ? Optional.of(json.withoutNulls())
                : Optional.empty();
    }

    /** {@link #HTML} with this title. */
    static RowFormat html(String title) {
        return new HtmlFormat(title);
    }

    /**
     * The formats here, then those that services bring, in that order. Services are looked up at each call, with the
     * thread's context class loader: keep the list.
     *
     * @throws IllegalStateException if a service's name is not of lower-case letters and digits, or is taken
     */
    static List<RowFormat> all() {
        List<RowFormat> all = new ArrayList<>(List.of(JSON, NDJSON, CSV, HTML, XML));
        for (RowFormat service : ServiceLoader.load(RowFormat.class)) {
            String name = service.name();
            String who = "the row format " + service.getClass().getName() + " is named \"" + name;
            if (!name.matches("[a-z0-9]+")) {
                throw new IllegalStateException(
                        who + "\"; names are of lower-case letters and digits");
            }
            for (RowFormat other : all) {
                if (other.name().equals(name)) {
                    throw new IllegalStateException(
                            who + "\", as is " + other.getClass().getName() + "; rename it");
                }
            }
            all.add(service);
        }
        return List.copyOf(all);
    }

    /** The format of that name among {@link #all}. */
    static Optional<RowFormat> named(String name) {
        return all().stream().filter(format -> format.name().equals(name)).findFirst();
    }
}
