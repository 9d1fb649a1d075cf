package dev.penstock.presidents;

import static java.util.Objects.requireNonNull;

import dev.penstock.format.PageTemplate;
import dev.penstock.format.PageWriter;
import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/**
 * The page {@code GET /presidents}: every row goes from the database through the template to the client before the next
 * one is read, and the page's head is sent before the query starts.
 *
 * <pre>{@code
 * try (Connection connection = source.getConnection()) {
 *     Presidents.create(connection);
 * }
 * ServerBuilder server = Server.builder();
 * new Presidents(Database.connect(source)).mount(server, bulk);
 * }</pre>
 *
 * <p>{@code ?rows=} takes 1 to 989 (47 unless given, every presidency once). More than 47 are the first 43 over and
 * over: 86 is them twice, 989 twenty-three times, and so many rows are stored and read. {@code ?engine=} takes {@code
 * jte} or {@code st4}; the page is the same.
 *
 * <p>Thread-safe. A page holds one batch of the cursor and the writer's fixed buffers. If the database fails once the
 * head is out, the response is broken, as the others are.
 */
public final class Presidents {
    /** The page by jte: header, row and footer. */
    public static final PageTemplate JTE = new JtePage();

    /** The same page by StringTemplate 4. */
    public static final PageTemplate STRING_TEMPLATE = new StringTemplatePage();

    /** How many rows a page has at the most: 23 times 43. */
    public static final int MAX_ROWS = PresidentTables.FIRST * PresidentTables.REPETITIONS;

    /** How many presidencies there are, and rows on a page unless it is asked for others. */
    public static final int PRESIDENCIES = 47;

    private static final String MEDIA_TYPE = "text/html; charset=utf-8";

    private final Database database;
    private final Plan once;
    private final Plan repeated;

    /**
     * The page over a database that {@link #create} has filled.
     *
     * @throws dev.penstock.query.QueryException if it has not
     */
    public Presidents(Database database) {
        this.database = requireNonNull(database);
        this.once = plan(PresidentTables.ONCE, "number");
        this.repeated = plan(PresidentTables.REPEATED, "id");
    }

    /**
     * Creates and fills the tables {@code president} (every presidency) and {@code president_repeated} (the first 43,
     * twenty-three times, about 8 MB) in the connection's schema. Does nothing where that has been done already. Works
     * on PostgreSQL, MariaDB, MySQL and H2.
     *
     * @param connection left open
     */
    public static void create(Connection connection) throws SQLException {
        new PresidentTables(connection).create();
    }

    /** Serves the page at {@code /presidents}, under the admission of bulk reads. Returns the builder. */
    public ServerBuilder mount(ServerBuilder server, Admission bulk) {
        return server.get("/presidents", this::respond, _ -> bulk);
    }

    /**
     * What the page of so many rows reads; its cursor is what the templates, {@link President#of} and {@link
     * President#lazily} expect.
     *
     * @param rows 1 to {@link #MAX_ROWS}
     */
    public Plan plan(int rows) {
        if (rows < 1 || rows > MAX_ROWS) {
            throw new IllegalArgumentException(
                    "a page of " + rows + " rows; it has 1 to " + MAX_ROWS);
        }
        return (rows <= PRESIDENCIES ? once : repeated).limit(rows);
    }

    /**
     * Writes the same page by one jte template that iterates over the rows itself: over a list, or over {@link
     * President#lazily}. The channel stays open.
     *
     * @param rows iterated once
     * @param timings asked once, after the last row
     */
    public static void write(
            Iterable<? extends PresidentRow> rows,
            Supplier<PageTemplate.Timings> timings,
            WritableByteChannel out)
            throws IOException {
        PageWriter writer = new PageWriter(out);
        JtePage.whole(rows, timings, writer);
        writer.close();
    }

    private void respond(Exchange exchange) throws IOException {
        Plan plan = plan(rows(exchange));
        PageTemplate page = engine(exchange);
        exchange.header("Cache-Control", "no-store")
                .header(
                        "Content-Security-Policy",
                        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none';"
                                + " form-action 'none'; frame-ancestors 'none'")
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer");
        ResponseBody body = exchange.body(MEDIA_TYPE);
        if (exchange.method().equals("HEAD")) {
            return; // nobody would see the rows
        }
        PageTemplate.write(page, () -> open(plan, exchange), body);
    }

    private Cursor open(Plan plan, Exchange exchange) {
        Cursor cursor = database.open(plan);
        exchange.onDisconnect(cursor::cancel);
        return cursor;
    }

    private static int rows(Exchange exchange) {
        String text = exchange.parameter("rows").orElse(Integer.toString(PRESIDENCIES));
        if (text.matches("[0-9]{1,4}")) {
            int rows = Integer.parseInt(text);
            if (rows >= 1 && rows <= MAX_ROWS) {
                return rows;
            }
        }
        throw new HttpException(
                400,
                "rows="
                        + text
                        + ": a whole number from 1 to "
                        + MAX_ROWS
                        + " is expected, such as 86");
    }

    private static PageTemplate engine(Exchange exchange) {
        String name = exchange.parameter("engine").orElse("jte");
        return switch (name) {
            case "jte" -> JTE;
            case "st4" -> STRING_TEMPLATE;
            default -> throw new HttpException(400, "engine=" + name + ": jte or st4 is expected");
        };
    }

    private Plan plan(String tableName, String key) {
        Schema schema = database.schema();
        Table table = database.table(tableName);
        List<Plan.Item> items =
                CursorRow.COLUMNS.stream()
                        .map(name -> new Plan.Item(column(schema, table, name).name(), name))
                        .toList();
        return Plan.of(table)
                .orderBy(List.of(new Plan.Order(column(schema, table, key).name(), false, false)))
                .select(items);
    }

    private static Column column(Schema schema, Table table, String name) {
        return schema.column(table, name).orElseGet(() -> table.column(name));
    }
}
