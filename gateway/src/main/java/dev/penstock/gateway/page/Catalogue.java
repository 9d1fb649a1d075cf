package dev.penstock.gateway.page;

import dev.penstock.format.PageWriter;
import dev.penstock.format.RowFormat;
import dev.penstock.gateway.request.Negotiation;
import dev.penstock.gateway.request.Profile;
import dev.penstock.gateway.request.SchemaNames;
import dev.penstock.gateway.response.RowResponse;
import dev.penstock.http.Exchange;
import dev.penstock.http.text.Json;
import dev.penstock.query.Column;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The list of tables and columns, as JSON for programs and as a page for people. */
public final class Catalogue {
    private final Schema schema;
    private final SchemaNames names;
    private final String path;
    private final List<RowFormat> formats;
    private final Negotiation negotiation =
            new Negotiation(List.of(RowFormat.JSON, RowFormat.HTML));

    public Catalogue(Schema schema, SchemaNames names, String path, List<RowFormat> formats) {
        this.schema = schema;
        this.names = names;
        this.path = path;
        this.formats = formats;
    }

    public void handle(Exchange exchange) throws IOException {
        Profile.check(exchange, schema);
        RowFormat format = negotiation.choose(exchange);
        exchange.header("Vary", "Accept").header("X-Content-Type-Options", "nosniff");
        boolean page = format.equals(RowFormat.HTML);
        if (page) {
            PageFrame.headers(exchange);
        }
        try (PageWriter out = new PageWriter(exchange.body(format.mediaType()))) {
            if (page) {
                page(out);
            } else {
                json(out);
            }
        }
    }

    private String url(Table table) {
        return path + "/" + RowResponse.encoded(names.shown(table));
    }

    private void json(PageWriter out) throws IOException {
        out.append("{\"formats\":[");
        separated(formats, ",", format -> out.append(Json.string(format.name())), out);
        out.append("],\"tables\":[\n");
        separated(schema.tables(), ",\n", table -> json(table, out), out);
        out.append("]}\n");
    }

    private void json(Table table, PageWriter out) throws IOException {
        out.append("{\"name\":").append(Json.string(names.shown(table)));
        out.append(",\"url\":").append(Json.string(url(table)));
        out.append(",\"view\":").append(String.valueOf(table.view()));
        out.append(",\"primaryKey\":[");
        separated(
                table.primaryKey(),
                ",",
                key -> out.append(Json.string(names.shown(table, table.column(key)))),
                out);
        out.append("],\"columns\":[");
        separated(table.columns(), ",", column -> json(table, column, out), out);
        out.append("]}");
    }

    private void json(Table table, Column column, PageWriter out) throws IOException {
        out.append("{\"name\":").append(Json.string(names.shown(table, column)));
        out.append(",\"type\":").append(Json.string(type(column)));
        out.append(",\"databaseType\":").append(Json.string(column.databaseType()));
        out.append(",\"nullable\":").append(String.valueOf(column.nullable())).append("}");
    }

    private static String type(Column column) {
        return column.type().name().toLowerCase(Locale.ROOT);
    }

    private void page(PageWriter out) throws IOException {
        PageFrame.begin("Tables", "tables", out);
        out.write("<header><h1>Tables</h1></header>\n<main>\n");
        if (schema.tables().isEmpty()) {
            out.write("<p>There are none.</p>\n");
        }
        for (Table table : schema.tables()) {
            page(table, out);
        }
        out.write("</main>\n");
        PageFrame.end(out);
    }

    private void page(Table table, PageWriter out) throws IOException {
        String url = url(table);
        String name = names.shown(table);
        out.write("<section>\n<h2><a href=\"");
        out.writeEscaped(url);
        out.write("\">");
        out.writeEscaped(name);
        out.write("</a>" + (table.view() ? " <small>view</small>" : "") + "</h2>\n<p>");
        for (RowFormat format : formats) {
            if (!format.equals(RowFormat.HTML)) {
                out.write("<a href=\"");
                out.writeEscaped(url + "?format=" + format.name());
                out.write("\" download=\"");
                out.writeEscaped(name + "." + format.name());
                out.write("\">" + format.name() + "</a> ");
            }
        }
        out.write(
                "</p>\n<details><summary>"
                        + table.columns().size()
                        + " columns</summary>\n<table>\n");
        for (Column column : table.columns()) {
            out.write("<tr><td>");
            out.writeEscaped(names.shown(table, column));
            out.write("</td><td>");
            out.writeEscaped(column.databaseType());
            out.write(column.nullable() ? "" : ", not null");
            out.write(table.primaryKey().contains(column.name()) ? ", key" : "");
            out.write("</td></tr>\n");
        }
        out.write("</table></details>\n</section>\n");
    }

    private interface Part<T> {
        void write(T each) throws IOException;
    }

    private static <T> void separated(List<T> all, String separator, Part<T> part, PageWriter out)
            throws IOException {
        boolean first = true;
        for (T each : all) {
            out.append(first ? "" : separator);
            part.write(each);
            first = false;
        }
    }
}
