package dev.penstock.gateway;

import dev.penstock.format.PageWriter;
import dev.penstock.format.RowFormat;
import dev.penstock.http.Exchange;
import dev.penstock.query.Column;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The list of tables and columns, as JSON for programs and as a page for people. */
final class Catalogue {
    private static final String PAGE_START =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Tables</title>
            <style>
            :root { color-scheme: light dark; }
            body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem; max-width: 60rem; }
            h1 { font-size: 1.4rem; }
            h2 { font-size: 1.1rem; margin: 1.6rem 0 .3rem; }
            h2 small { font-weight: normal; color: #888; }
            p { margin: .2rem 0; }
            td { padding: .1rem 1.2rem .1rem 0; vertical-align: top; }
            td + td { color: #888; }
            </style>
            </head>
            <body>
            <h1>Tables</h1>
            """;

    private final Schema schema;
    private final Names names;
    private final String path;
    private final List<RowFormat> formats;
    private final Negotiation negotiation =
            new Negotiation(List.of(RowFormat.JSON, RowFormat.HTML));

    Catalogue(Schema schema, Names names, String path, List<RowFormat> formats) {
        this.schema = schema;
        this.names = names;
        this.path = path;
        this.formats = formats;
    }

    void handle(Exchange exchange) throws IOException {
        RowFormat format = negotiation.choose(exchange);
        exchange.header("Vary", "Accept").header("X-Content-Type-Options", "nosniff");
        boolean page = format.equals(RowFormat.HTML);
        if (page) {
            exchange.header(
                            "Content-Security-Policy",
                            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none';"
                                    + " form-action 'none'; frame-ancestors 'none'")
                    .header("Referrer-Policy", "no-referrer");
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
        return path + "/" + Answer.encoded(names.shown(table));
    }

    private void json(PageWriter out) throws IOException {
        out.append("{\"formats\":[");
        separated(formats, ",", format -> out.append(quoted(format.name())), out);
        out.append("],\"tables\":[\n");
        separated(schema.tables(), ",\n", table -> json(table, out), out);
        out.append("]}\n");
    }

    private void json(Table table, PageWriter out) throws IOException {
        out.append("{\"name\":").append(quoted(names.shown(table)));
        out.append(",\"url\":").append(quoted(url(table)));
        out.append(",\"view\":").append(String.valueOf(table.view()));
        out.append(",\"primaryKey\":[");
        separated(
                table.primaryKey(),
                ",",
                key -> out.append(quoted(names.shown(table, table.column(key)))),
                out);
        out.append("],\"columns\":[");
        separated(table.columns(), ",", column -> json(table, column, out), out);
        out.append("]}");
    }

    private void json(Table table, Column column, PageWriter out) throws IOException {
        out.append("{\"name\":").append(quoted(names.shown(table, column)));
        out.append(",\"type\":").append(quoted(type(column)));
        out.append(",\"databaseType\":").append(quoted(column.databaseType()));
        out.append(",\"nullable\":").append(String.valueOf(column.nullable())).append("}");
    }

    private static String type(Column column) {
        return column.type().name().toLowerCase(Locale.ROOT);
    }

    private void page(PageWriter out) throws IOException {
        out.write(PAGE_START);
        if (schema.tables().isEmpty()) {
            out.write("<p>There are none.</p>\n");
        }
        for (Table table : schema.tables()) {
            page(table, out);
        }
        out.write("</body>\n</html>\n");
    }

    private void page(Table table, PageWriter out) throws IOException {
        String url = escaped(url(table));
        out.append("<h2><a href=\"").append(url).append("?limit=100\">");
        out.append(escaped(names.shown(table))).append("</a>");
        out.append(table.view() ? " <small>view</small>" : "").append("</h2>\n<p>");
        for (RowFormat format : formats) {
            out.append("<a href=\"").append(url).append("?format=").append(format.name());
            out.append("\">").append(format.name()).append("</a> ");
        }
        out.append("</p>\n<table>\n");
        for (Column column : table.columns()) {
            out.append("<tr><td>").append(escaped(names.shown(table, column)));
            out.append("</td><td>").append(escaped(column.databaseType()));
            out.append(column.nullable() ? "" : ", not null");
            out.append(table.primaryKey().contains(column.name()) ? ", key" : "");
            out.append("</td></tr>\n");
        }
        out.append("</table>\n");
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

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character < 0x20) {
                quoted.append(String.format("\\u%04x", (int) character));
            } else {
                quoted.append(character == '"' || character == '\\' ? "\\" : "").append(character);
            }
        }
        return quoted.append('"').toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
