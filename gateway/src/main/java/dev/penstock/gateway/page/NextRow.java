package dev.penstock.gateway.page;

import dev.penstock.query.Cursor;
import dev.penstock.query.Keyset;
import dev.penstock.query.Plan;
import dev.penstock.query.Utf8;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The values of a page's last row that say where the next page starts, as {@code after} has them. Not thread-safe.
 */
final class NextRow {
    /** Longer values make no link: URLs have their limit. */
    private static final int LONGEST = 512;

    private final int[] cells;
    private @Nullable String text;

    private NextRow(int[] cells) {
        this.cells = cells;
    }

    /** Of a plan in an order whose columns are all selected; null for another one. */
    static @Nullable NextRow of(Plan plan) {
        List<String> selected = plan.items().stream().map(Plan.Item::column).toList();
        int[] cells =
                Keyset.of(plan).stream()
                        .flatMap(keyset -> keyset.order().stream())
                        .mapToInt(by -> selected.indexOf(by.column()))
                        .toArray();
        for (int cell : cells) {
            if (cell < 0) {
                return null;
            }
        }
        return cells.length == 0 ? null : new NextRow(cells);
    }

    /** Takes the values of the row that the cursor stands at. */
    void read(Cursor rows) {
        StringJoiner values = new StringJoiner(",", "(", ")");
        for (int cell : cells) {
            Utf8 value = rows.text(cell);
            if (value != null && value.length() > LONGEST) {
                text = null;
                return;
            }
            values.add(value == null ? "null" : PageQuery.quoted(value.toString()));
        }
        text = values.toString();
    }

    /** The values; null where none were taken, or they are too long for a link. */
    @Nullable String text() {
        return text;
    }
}
