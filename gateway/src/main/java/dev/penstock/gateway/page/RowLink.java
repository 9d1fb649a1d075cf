package dev.penstock.gateway.page;

import dev.penstock.format.PageWriter;
import dev.penstock.gateway.request.PlanGrammar;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A link to the rows of a table in which some columns have the values that stand in cells of the row that is being
 * read. Written from the cells' bytes. Not thread-safe.
 */
final class RowLink {
    /** Longer values make no link: URLs have their limit. */
    private static final int LONGEST = 512;

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private final String target;
    private final List<String> columns;
    private final int[] cells;
    private final byte[] encoded = new byte[6 * LONGEST];
    private final Utf8 view = new Utf8();

    /**
     * @param target a relative reference to the table, without a query
     * @param columns what its columns are called outside
     * @param cells which cells of a row have their values, in the same order
     */
    RowLink(String target, List<String> columns, int[] cells) {
        this.target = target;
        this.columns = List.copyOf(columns);
        this.cells = cells;
    }

    /** Returns whether the row names one: none of its cells is NULL, or too long for a URL. */
    boolean exists(Cursor rows) {
        for (int cell : cells) {
            Utf8 value = rows.text(cell);
            if (value == null || value.length() > LONGEST) {
                return false;
            }
        }
        return true;
    }

    /** Writes the reference, which needs no further escaping in a quoted attribute. */
    void write(Cursor rows, PageWriter out) throws IOException {
        out.write(target);
        for (int i = 0; i < cells.length; i++) {
            String column = columns.get(i);
            boolean listed = PlanGrammar.isReserved(column);
            out.write(i == 0 ? "?" : "&amp;");
            String start = PageQuery.condition(column, "eq", "").value();
            if (listed) {
                out.write("and=" + PageQuery.encoded(start.substring(0, start.length() - 2)));
            } else {
                out.write(PageQuery.encoded(column) + "=eq.");
            }
            Utf8 value = rows.text(cells[i]);
            if (value != null) {
                out.write(encoded(value, listed));
            }
            out.write(listed ? "%22)" : "");
        }
    }

    private Utf8 encoded(Utf8 value, boolean listed) {
        int length = 0;
        for (int i = 0; i < value.length(); i++) {
            byte octet = value.array()[value.offset() + i];
            if (listed && (octet == '"' || octet == '\\')) {
                length = percent((byte) '\\', length);
            }
            if (isPlain(octet)) {
                encoded[length++] = octet;
            } else {
                length = percent(octet, length);
            }
        }
        return view.set(encoded, 0, length);
    }

    private int percent(byte octet, int at) {
        encoded[at] = '%';
        encoded[at + 1] = HEX[(octet & 0xFF) >> 4];
        encoded[at + 2] = HEX[octet & 0xF];
        return at + 3;
    }

    private static boolean isPlain(byte octet) {
        return (octet >= '0' && octet <= '9')
                || (octet >= 'a' && octet <= 'z')
                || (octet >= 'A' && octet <= 'Z')
                || octet == '-'
                || octet == '.'
                || octet == '_'
                || octet == '~'
                || octet == ':';
    }
}
