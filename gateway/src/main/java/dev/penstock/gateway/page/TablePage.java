package dev.penstock.gateway.page;

import dev.penstock.format.PageWriter;
import dev.penstock.format.RowFormat;
import dev.penstock.gateway.problem.Problems;
import dev.penstock.gateway.response.RowTotal;
import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table as a page for people: a part of them at a time, with links to the next, to other orders, to the rows
 * that foreign keys name, and a form for filters. The page of a single row, which a filter by the whole key gives, is
 * {@link RowPage}. Rows are written while they are read; the number of all is asked for after them, with the connection
 * given back.
 */
public final class TablePage {
    /** Rows on a page where the URL has no limit. */
    static final long ROWS = 100;

    private final Exchange exchange;
    private final PageTable shown;
    private final Plan plan;
    private final PageQuery query;
    private final List<RowFormat> formats;
    private final long offset;
    private final long limit;

    /** The start of the next page, of a page that starts behind a row itself; null where offsets say it. */
    private final @Nullable NextRow next;

    public TablePage(
            Exchange exchange,
            PageTable shown,
            PageQuery query,
            Plan plan,
            List<RowFormat> formats) {
        this.exchange = exchange;
        this.shown = shown;
        this.query = query;
        this.formats = formats;
        long skipped = 0;
        long most = ROWS;
        for (Plan.Slice slice : plan.slices()) {
            switch (slice) {
                case Plan.Slice.Skip(long rows) -> skipped = rows;
                case Plan.Slice.Limit(long rows) -> most = rows;
            }
        }
        offset = skipped;
        limit = most;
        next = query.has("after") ? NextRow.of(plan) : null;
        Plan part = new Plan(plan.source(), plan.filter(), plan.order(), List.of(), plan.output());
        part = offset == 0 ? part : part.skip(offset);
        // One more tells whether there is a next page.
        this.plan = part.limit(limit == Long.MAX_VALUE ? limit : limit + 1);
    }

    /** Answers with the page. */
    public void respond(Engine engine, RowTotal totals) throws IOException {
        ResponseBody body;
        PageWriter out;
        boolean oneRow = shown.isOneRow(plan.filter()) && offset == 0 && limit > 0;
        RowCount count;
        try (Cursor rows = engine.open(plan)) {
            exchange.onDisconnect(rows::cancel);
            boolean some = rows.next();
            PageFrame.headers(exchange);
            body = exchange.body(RowFormat.HTML.mediaType());
            if (exchange.method().equals("HEAD")) {
                // Flushed, the head does not claim that the length of a GET would be 0.
                body.flush();
                body.close();
                return;
            }
            out = new PageWriter(body);
            if (oneRow && some) {
                new RowPage(shown, query, formats).write(rows, out);
                out.close();
                body.close();
                return;
            }
            head(out);
            count = rows(rows, some, out);
        } catch (QueryException e) {
            throw Problems.told(e);
        }
        if (count.needsTotal()) {
            // What there is can be read while the rest is counted.
            out.flush();
            count = count.withTotal(totals.of(engine, plan));
        }
        foot(count, out);
        out.close();
        body.close();
    }

    private void head(PageWriter out) throws IOException {
        PageFrame.begin(shown.name(), "list", out);
        out.write("<header>\n");
        shown.trail(out, shown.name());
        FilterForm form = new FilterForm(query);
        out.write("<details><summary>Filter</summary>\n");
        form.write(filterable(), out);
        out.write("</details>\n<details><summary>Download all rows</summary>\n");
        shown.downloads(query.without("limit", "offset", "after"), formats, out);
        out.write("</details>\n");
        form.writeFilters(out);
        out.write(
                "</header>\n<main tabindex=\"0\" role=\"region\" aria-label=\"Rows\">\n<table>\n<thead><tr>");
        if (shown.key() != null) {
            out.write("<th class=\"k\"><span hidden>Row</span></th>");
        }
        for (PageColumn column : shown.columns()) {
            head(column, out);
        }
        out.write("</tr></thead>\n<tbody>\n");
    }

    private Map<String, Column> filterable() {
        Map<String, Column> columns = new LinkedHashMap<>();
        for (Column column : shown.table().columns()) {
            columns.put(shown.name(column), column);
        }
        return columns;
    }

    private void head(PageColumn shownColumn, PageWriter out) throws IOException {
        Column column = shownColumn.column();
        Boolean descending = null;
        for (Plan.Order order : plan.order()) {
            if (order.column().equals(column.name())) {
                descending = order.descending();
                break;
            }
        }
        boolean next = Boolean.FALSE.equals(descending);
        out.write(shownColumn.isNumeric() ? "<th class=\"n\"" : "<th");
        if (descending != null) {
            out.write(" aria-sort=\"" + (descending ? "descending" : "ascending") + "\"");
        }
        out.write(" title=\"");
        out.writeEscaped(shown.type(column));
        out.write("\"><a href=\"");
        String order = PageQuery.name(shown.name(column)) + (next ? ".desc" : ".asc");
        out.writeEscaped(query.without("offset", "after").with("order", order).reference());
        out.write("\" title=\"");
        out.writeEscaped(shown.type(column));
        out.write(next ? "; sort descending\">" : "; sort ascending\">");
        out.writeEscaped(shownColumn.label());
        out.write(descending == null ? "" : descending ? " \u25BC" : " \u25B2");
        out.write("</a> <small>");
        out.writeEscaped(column.databaseType());
        out.write("</small></th>");
    }

    private RowCount rows(Cursor rows, boolean some, PageWriter out) throws IOException {
        long count = 0;
        boolean more = some;
        RowLink key = shown.key();
        for (; more && count < limit; more = rows.next()) {
            long row = offset + count;
            PageColumn.Whole whole = (column, to) -> whole(column, rows, row, to);
            out.write("<tr>");
            if (key != null) {
                key(key, rows, out);
            }
            for (PageColumn column : shown.columns()) {
                column.writeInList(rows, whole, out);
            }
            out.write("</tr>\n");
            count++;
            if (next != null && count == limit) {
                next.read(rows);
            }
        }
        out.write("</tbody>\n</table>\n");
        if (count == 0) {
            out.write(
                    offset == 0
                            ? "<p>There are no rows"
                                    + (query.without("limit", "order", "select", "format")
                                                    .parameters()
                                                    .isEmpty()
                                            ? ".</p>\n"
                                            : " that pass these filters.</p>\n")
                            : "<p>There are no rows here: the page starts after %,d.</p>\n"
                                    .formatted(offset));
        }
        return RowCount.of(offset, count, limit, more);
    }

    private static void key(RowLink key, Cursor rows, PageWriter out) throws IOException {
        if (!key.exists(rows)) {
            out.write("<td class=\"k\"></td>");
            return;
        }
        out.write("<td class=\"k\"><a title=\"This row\" aria-label=\"This row\" href=\"");
        key.write(rows, out);
        out.write("\">\u203A</a></td>");
    }

    /**
     * A cell that is shown in part leads to the page of its row; without a key, to the cell in a format that has it
     * whole.
     */
    private void whole(PageColumn column, Cursor rows, long row, PageWriter out)
            throws IOException {
        RowLink key = shown.key();
        if (key != null && key.exists(rows)) {
            key.write(rows, out);
            return;
        }
        out.writeEscaped(
                query.with("select", PageQuery.name(shown.name(column.column())))
                        .with("offset", Long.toString(row))
                        .with("limit", "1")
                        .with("format", "json")
                        .reference());
    }

    private void foot(RowCount count, PageWriter out) throws IOException {
        out.write("</main>\n<footer>\n<span>");
        out.writeEscaped(count.toString());
        out.write("</span>\n<nav aria-label=\"Pages\">");
        if (next != null) {
            page("First", "first", 0, out);
            String last = count.more() ? next.text() : null;
            if (last != null) {
                link("Next", "next", query.with("after", last), out);
            }
            out.write("</nav>\n</footer>\n");
            PageFrame.end(out);
            return;
        }
        if (offset > 0) {
            page("First", "first", 0, out);
            page("Back", "prev", Math.max(0, count.back()), out);
        }
        if (count.more()) {
            page("Next", "next", offset + limit, out);
            if (count.last() > 0) {
                page("Last", "last", count.last(), out);
            }
        } else if (count.rows() == 0 && count.last() > 0) {
            page("Last", "last", count.last(), out);
        }
        out.write("</nav>\n</footer>\n");
        PageFrame.end(out);
    }

    private void page(String label, String relation, long start, PageWriter out)
            throws IOException {
        PageQuery rest = query.without("offset", "after");
        link(label, relation, start == 0 ? rest : rest.with("offset", Long.toString(start)), out);
    }

    private static void link(String label, String relation, PageQuery page, PageWriter out)
            throws IOException {
        out.write("<a rel=\"" + relation + "\" href=\"");
        out.writeEscaped(page.reference());
        out.write("\">" + label + "</a>");
    }
}
