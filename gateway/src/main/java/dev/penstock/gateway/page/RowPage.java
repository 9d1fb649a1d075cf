package dev.penstock.gateway.page;

import dev.penstock.format.PageWriter;
import dev.penstock.format.RowFormat;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.io.IOException;
import java.util.List;

/**
 * The page of one row: each column on a line of its own, with links to the rows that it names and to those that name
 * it.
 */
final class RowPage {
    private final PageTable shown;
    private final PageQuery query;
    private final List<RowFormat> formats;

    RowPage(PageTable shown, PageQuery query, List<RowFormat> formats) {
        this.shown = shown;
        this.query = query;
        this.formats = formats;
    }

    /** Writes the page of the row that the cursor stands at. */
    void write(Cursor row, PageWriter out) throws IOException {
        String heading = shown.name() + heading(row);
        PageFrame.begin(heading, "row", out);
        out.write("<header>\n");
        shown.trail(out, heading);
        out.write("</header>\n<main>\n<table>\n");
        for (PageColumn column : shown.columns()) {
            out.write("<tr><th scope=\"row\" title=\"");
            out.writeEscaped(shown.type(column.column()));
            out.write("\">");
            out.writeEscaped(column.label());
            out.write(" <small>");
            out.writeEscaped(column.column().databaseType());
            out.write("</small></th>");
            column.writeInRow(row, this::whole, out);
            out.write("</tr>\n");
        }
        out.write("</table>\n");
        referrers(row, out);
        out.write("<h2>Download</h2>\n");
        PageQuery itself = query.without("limit", "offset", "after");
        shown.downloads(itself, formats, out);
        out.write("</main>\n");
        PageFrame.end(out);
    }

    /** The key's cells, where they are short. */
    private String heading(Cursor row) {
        StringBuilder heading = new StringBuilder();
        for (String key : shown.table().primaryKey()) {
            for (int i = 0; i < shown.columns().size(); i++) {
                // No other cell is asked for its text, which a long one of bytes would have to
                // make.
                boolean isKey = shown.columns().get(i).column().name().equals(key);
                Utf8 cell = isKey ? row.text(i) : null;
                if (cell != null && cell.length() <= 64) {
                    heading.append(' ').append(cell);
                }
            }
        }
        return heading.isEmpty() ? " row" : heading.toString();
    }

    private void whole(PageColumn column, PageWriter out) throws IOException {
        String name = shown.name(column.column());
        PageQuery whole = query.without("limit", "offset", "after", "order");
        out.writeEscaped(
                whole.with("select", PageQuery.name(name)).with("format", "json").reference());
    }

    private void referrers(Cursor row, PageWriter out) throws IOException {
        boolean first = true;
        for (PageTable.Referrer referrer : shown.referrers()) {
            if (!referrer.link().exists(row)) {
                continue;
            }
            out.write(first ? "<h2>Rows that name this one</h2>\n<ul>\n" : "");
            out.write("<li><a href=\"");
            referrer.link().write(row, out);
            out.write("\">");
            out.writeEscaped(referrer.table());
            out.write("</a> <small>by ");
            out.writeEscaped(referrer.columns());
            out.write("</small></li>\n");
            first = false;
        }
        out.write(first ? "" : "</ul>\n");
    }
}
