package dev.penstock.gateway.page;

import dev.penstock.format.PageWriter;
import dev.penstock.format.RowFormat;
import dev.penstock.gateway.response.RowResponse;
import dev.penstock.query.Column;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Reference;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of a table that a page shows: its selected columns, and what they link to. References are relative to the
 * page. Not thread-safe.
 */
public final class PageTable {
    private final Schema schema;
    private final Table table;
    private final List<Plan.Item> items;
    private final String siblings;
    private final String list;
    private final List<PageColumn> columns = new ArrayList<>();
    private final @Nullable RowLink key;

    /**
     * @param items what is selected
     * @param path of the list of tables
     * @param below whether the page's path ends with a slash
     */
    public PageTable(
            Schema schema, Table table, List<Plan.Item> items, String path, boolean below) {
        this.schema = schema;
        this.table = table;
        this.items = items;
        siblings = below ? "../" : "./";
        list = siblings + "../" + PageFrame.lastPart(path);
        for (int i = 0; i < items.size(); i++) {
            Column column = table.column(items.get(i).column());
            columns.add(new PageColumn(i, items.get(i).label(), column, reference(column.name())));
        }
        key =
                table.primaryKey().isEmpty()
                        ? null
                        : link("", table, table.primaryKey(), table.primaryKey());
    }

    Table table() {
        return table;
    }

    /** How the table is called outside. */
    String name() {
        return schema.shown(table);
    }

    /** How one of its columns is called outside. */
    String name(Column column) {
        return schema.shown(table, column);
    }

    List<PageColumn> columns() {
        return columns;
    }

    /** A link to a row's own page; null where no key says which row it is. */
    @Nullable RowLink key() {
        return key;
    }

    /** What is to be said of a column's type. */
    String type(Column column) {
        return column.databaseType()
                + (column.nullable() ? "" : ", not null")
                + (table.primaryKey().contains(column.name()) ? ", key" : "");
    }

    /** A link to the row that a column names, by the foreign key of the fewest columns. */
    private @Nullable RowLink reference(String column) {
        Reference best = null;
        for (Reference each : schema.references()) {
            boolean fits = each.table().equals(table.name()) && each.columns().contains(column);
            if (fits && (best == null || each.columns().size() < best.columns().size())) {
                best = each;
            }
        }
        if (best == null) {
            return null;
        }
        Table target = schema.table(best.target()).orElse(null);
        return target == null
                ? null
                : link(reference(target), target, best.targetColumns(), best.columns());
    }

    /** The rows of other tables that name a row of this one. */
    List<Referrer> referrers() {
        List<Referrer> referrers = new ArrayList<>();
        for (Reference each : schema.references()) {
            Table from = schema.table(each.table()).orElse(null);
            if (!each.target().equals(table.name()) || from == null) {
                continue;
            }
            RowLink link = link(reference(from), from, each.columns(), each.targetColumns());
            if (link != null) {
                List<String> by =
                        each.columns().stream()
                                .map(column -> schema.shown(from, from.column(column)))
                                .toList();
                referrers.add(new Referrer(schema.shown(from), String.join(", ", by), link));
            }
        }
        return referrers;
    }

    /**
     * Rows of another table that name a row.
     *
     * @param table its name outside
     * @param columns by which they do
     * @param link to them
     */
    record Referrer(String table, String columns, RowLink link) {}

    private String reference(Table other) {
        return siblings + RowResponse.encoded(schema.shown(other));
    }

    /**
     * A link to the rows of a table whose columns have the values of columns of this one; null where these are not
     * selected.
     */
    private @Nullable RowLink link(
            String reference, Table target, List<String> targetColumns, List<String> columns) {
        int[] cells = new int[columns.size()];
        List<String> names = new ArrayList<>();
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cell(columns.get(i));
            if (cells[i] < 0) {
                return null;
            }
            names.add(schema.shown(target, target.column(targetColumns.get(i))));
        }
        return new RowLink(reference, names, cells);
    }

    private int cell(String column) {
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).column().equals(column)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether a condition lets pass one row at the most: it says what each column of the key is. */
    boolean isOneRow(Predicate filter) {
        Set<String> known = new HashSet<>();
        collect(filter, known);
        return !table.primaryKey().isEmpty() && known.containsAll(table.primaryKey());
    }

    private static void collect(Predicate filter, Set<String> known) {
        if (filter instanceof Predicate.And(List<Predicate> all)) {
            all.forEach(each -> collect(each, known));
        } else if (filter
                instanceof
                Predicate.Comparison(String column, Predicate.Comparator comparator, _)) {
            if (comparator == Predicate.Comparator.EQUAL) {
                known.add(column);
            }
        }
    }

    /** Writes links to where the page belongs, and its heading. */
    void trail(PageWriter out, String heading) throws IOException {
        out.write("<div><nav><a href=\"" + list + "\">Tables</a>");
        if (!heading.equals(name())) {
            out.write("<a href=\"" + reference(table) + "\">");
            out.writeEscaped(name());
            out.write("</a>");
        }
        out.write("</nav><h1>");
        out.writeEscaped(heading);
        out.write("</h1></div>\n");
    }

    /** Writes links to all rows of a query in every other format. */
    void downloads(PageQuery query, List<RowFormat> formats, PageWriter out) throws IOException {
        out.write("<p>");
        // Whole: what is on the page is a look, what is downloaded is all of it.
        for (RowFormat format : formats) {
            if (format.equals(RowFormat.HTML)) {
                continue;
            }
            out.write("<a href=\"");
            out.writeEscaped(query.with("format", format.name()).reference());
            out.write("\" download=\"");
            out.writeEscaped(name() + "." + format.name());
            out.write("\">" + format.name() + "</a> ");
        }
        out.write("</p>\n");
    }
}
