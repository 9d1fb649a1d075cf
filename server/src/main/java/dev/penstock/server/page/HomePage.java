package dev.penstock.server.page;

import dev.penstock.format.RowFormat;
import dev.penstock.http.Exchange;
import dev.penstock.http.Resource;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.Column;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.server.config.PenstockVersion;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The page at {@code /}: the live state of the server, requests to try, and every table if there is a database. */
public final class HomePage {
    private static final int MAX_TABLES = 500;
    private static final int MAX_COLUMNS = 40;
    private static final Pattern HOST =
            Pattern.compile(
                    "[A-Za-z0-9.\\-]{1,253}(:\\d{1,5})?|\\[[0-9a-fA-F:.]{2,45}](:\\d{1,5})?");
    private static final String BASE_MARKER = "{{base}}";

    private final String scheme;
    private final @Nullable Tables tables;

    /** The page with markers where the tables belong. */
    private final String frame;

    private volatile String page;

    /**
     * The part of the page that differs between commands.
     *
     * @param title the heading
     * @param lead what this is, in one sentence
     * @param examples what to try; may be empty
     * @param streamPath what the button streams; null for no button
     * @param streamLabel what stands on it
     */
    public record Content(
            String title,
            String lead,
            List<Example> examples,
            @Nullable String streamPath,
            String streamLabel) {}

    /**
     * The part of the page about the tables of a database.
     *
     * @param database product, database and schema; neither the address nor the user, since anyone may read the page
     * @param schema as it is at the start
     * @param formats of rows
     */
    public record Tables(String database, Schema schema, List<String> formats) {
        public Tables {
            formats = List.copyOf(formats);
        }
    }

    /**
     * Makes the page.
     *
     * @param tables null where no database is served
     */
    public HomePage(Content content, @Nullable Tables tables, String scheme) {
        this.scheme = scheme;
        this.tables = tables;
        this.frame =
                PageText.resource(HomePage.class, "home.html")
                        .replace("{{title}}", PageText.escape(content.title()))
                        .replace("{{lead}}", PageText.escape(content.lead()))
                        .replace("{{version}}", PageText.escape(PenstockVersion.text()))
                        .replace("{{source}}", tables == null ? "." : source(tables))
                        .replace("{{stream}}", stream(content))
                        .replace("{{examples}}", examples(content.examples()))
                        .replace("{{tables-section}}", tables == null ? "" : section(tables));
        this.page = tables == null ? frame : page(tables, tables.schema());
    }

    private static String source(Tables tables) {
        return " on %s. <a href=\"/api\">What there is, as JSON</a>."
                .formatted(PageText.escape(tables.database()));
    }

    private static String section(Tables tables) {
        return PageText.resource(HomePage.class, "tables.html")
                .replace("{{formats}}", formats(tables.formats()));
    }

    /** Replaces the tables by those of another schema. */
    public void show(Schema schema) {
        if (tables != null) {
            page = page(tables, schema);
        }
    }

    private String page(Tables shown, Schema schema) {
        return frame.replace("{{tables-lead}}", tablesLead(schema))
                .replace("{{tables}}", tables(schema, shown.formats()));
    }

    /** Serves the page, its style and its script. */
    public void mount(ServerBuilder builder) {
        builder.get("/", this::page)
                .get("/home.css", Resource.of(HomePage.class, "home.css"))
                .get("/home.js", Resource.of(HomePage.class, "home.js"));
    }

    private void page(Exchange exchange) {
        String host = exchange.header("Host").filter(HomePage::plain).orElse("HOST");
        String base = scheme + "://" + host;
        PagePolicy.SCRIPT.send(exchange, 200, "no-cache", page.replace(BASE_MARKER, base));
    }

    private static boolean plain(String host) {
        return HOST.matcher(host).matches();
    }

    private static String stream(Content content) {
        return content.streamPath() == null
                ? ""
                : """
                <div class="stream"><button type="button" hidden data-path="%s">%s</button><output></output></div>\
                """
                        .formatted(
                                PageText.escape(content.streamPath()),
                                PageText.escape(content.streamLabel()));
    }

    private static String examples(List<Example> examples) {
        if (examples.isEmpty()) {
            return "";
        }
        return examples.stream()
                .map(HomePage::card)
                .collect(
                        Collectors.joining(
                                "\n",
                                """
                                <section aria-labelledby="try">
                                <h2 id="try">To try</h2>
                                <div class="cards">
                                """,
                                "\n</div>\n</section>"));
    }

    private static String card(Example example) {
        return """
        <article class="card">
        <h3><a href="%s">%s</a></h3>
        <p>%s</p>
        <div class="command"><code>%s</code></div>
        </article>\
        """
                .formatted(
                        PageText.escape(example.path()),
                        PageText.escape(example.title()),
                        PageText.escape(example.text()),
                        PageText.escape(example.command(BASE_MARKER))
                                .replace(PageText.escape(BASE_MARKER), BASE_MARKER));
    }

    private static String formats(List<String> formats) {
        return formats.stream()
                .map(name -> "<code>" + PageText.escape(name) + "</code>")
                .collect(Collectors.joining(", "));
    }

    private static String tablesLead(Schema schema) {
        int count = schema.tables().size();
        if (count == 0) {
            return "There is none that this user can see in this schema; --schema chooses another.";
        }
        return count > MAX_TABLES
                ? "The first "
                        + MAX_TABLES
                        + " of "
                        + count
                        + "; <a href=\"/api\"><code>/api</code></a> lists all."
                : "Each is a resource below <a href=\"/api\"><code>/api</code></a>.";
    }

    private static String tables(Schema schema, List<String> formats) {
        return schema.tables().stream()
                .limit(MAX_TABLES)
                .map(table -> row(schema, table, formats))
                .collect(Collectors.joining("\n"));
    }

    private static String row(Schema schema, Table table, List<String> formats) {
        String name = schema.shown(table);
        String path = "/api/" + Example.encoded(name);
        // A download is all of the table; a look, by its name, is a page of it.
        String links =
                formats.stream()
                        .filter(format -> !format.equals(RowFormat.HTML.name()))
                        .map(format ->
                                "<a href=\"%s?format=%s\" download=\"%s.%s\">%s</a>"
                                        .formatted(
                                                path,
                                                PageText.escape(format),
                                                PageText.escape(name),
                                                PageText.escape(format),
                                                PageText.escape(format)))
                        .collect(Collectors.joining(" "));
        return """
        <tr><th scope="row"><a href="%s">%s</a>%s</th>\
        <td class="columns">%s</td><td class="formats">%s</td></tr>\
        """
                .formatted(
                        path,
                        PageText.escape(name),
                        table.view() ? " <span class=\"kind\">view</span>" : "",
                        columns(schema, table),
                        links);
    }

    private static String columns(Schema schema, Table table) {
        List<Column> columns = table.columns();
        String names =
                columns.stream()
                        .limit(MAX_COLUMNS)
                        .map(column -> PageText.escape(schema.shown(table, column)))
                        .collect(Collectors.joining(", "));
        return columns.size() > MAX_COLUMNS
                ? names + " and " + (columns.size() - MAX_COLUMNS) + " more"
                : names;
    }
}
