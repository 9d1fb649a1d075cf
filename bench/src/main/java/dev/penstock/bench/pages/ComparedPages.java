package dev.penstock.bench.pages;

import dev.penstock.bench.server.GatewayServer;
import dev.penstock.databases.TestDatabase;
import dev.penstock.format.PageTemplate;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.presidents.President;
import dev.penstock.presidents.Presidents;
import dev.penstock.query.Cursor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Spliterators;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The page of the presidents as the application streams it, and in the ways that it is compared with: <em>local</em>,
 * which reads a list of objects and then runs the template over it; <em>remote</em>, which serialises that list and
 * reads it back in between; <em>lazy</em>, which hands the template an iterable on the cursor; and <em>by-rows</em>,
 * which streams as a servlet over plain JDBC does, with each of its choices as a parameter. Same server, template,
 * pool and admission for all.
 */
final class ComparedPages {
    private static final String SQL =
            "SELECT name, office_start, office_end, thumbnail, summary FROM president_repeated"
                    + " ORDER BY id LIMIT ";
    private static final String MEDIA_TYPE = "text/html; charset=utf-8";

    private final GatewayServer server;
    private final Presidents presidents;

    private ComparedPages(GatewayServer server) {
        this.server = server;
        presidents = new Presidents(server.database());
    }

    /** Adds all of them to a server. */
    static void mount(GatewayServer server, ServerBuilder builder) {
        ComparedPages pages = new ComparedPages(server);
        pages.presidents.mount(builder, server.bulk());
        pages.add(builder, "local", exchange -> page(pages.list(exchange), exchange));
        pages.add(builder, "remote", exchange -> page(copy(pages.list(exchange)), exchange));
        pages.add(builder, "lazy", pages::lazy);
        pages.add(builder, "by-rows", pages::byRows);
    }

    private void add(ServerBuilder builder, String name, Handler handler) {
        // An error, of memory above all, must fail the request and not the thread.
        Handler guarded =
                exchange -> {
                    try {
                        handler.handle(exchange);
                    } catch (OutOfMemoryError e) {
                        throw new IOException("out of memory", e);
                    }
                };
        builder.get("/" + name, guarded, _ -> server.bulk());
    }

    /** Makes a database with the presidents. */
    static TestDatabase database(TestDatabase.Kind kind) throws SQLException {
        TestDatabase database = TestDatabase.kept(kind, "presidents");
        try (Connection connection = database.connect()) {
            Presidents.create(connection);
        }
        return database;
    }

    private static int number(Exchange exchange, String name) {
        String text = exchange.parameter(name).orElse("0");
        if (!text.matches("\\d{1,6}")) {
            throw new HttpException(400, name + "=" + text + " is not a number up to 999999");
        }
        return Integer.parseInt(text);
    }

    private static void page(Iterable<President> rows, Exchange exchange) throws IOException {
        Presidents.write(rows, timings(), exchange.body(MEDIA_TYPE));
    }

    private static Supplier<PageTemplate.Timings> timings() {
        long start = System.nanoTime();
        return () -> {
            long now = System.nanoTime() - start;
            return new PageTemplate.Timings(now, now, now);
        };
    }

    private Connection connection(Exchange exchange) throws SQLException {
        return exchange.parameter("connect").isPresent()
                ? server.address().connect()
                : server.pool().getConnection();
    }

    /** Reads as everybody does it: with the driver's defaults, and all rows into a list. */
    private List<President> list(Exchange exchange) throws SQLException {
        try (Connection connection = connection(exchange);
                PreparedStatement statement =
                        connection.prepareStatement(SQL + number(exchange, "rows"));
                ResultSet row = statement.executeQuery()) {
            List<President> list = new ArrayList<>();
            while (row.next()) {
                list.add(president(row));
            }
            return list;
        }
    }

    private static President president(ResultSet row) throws SQLException {
        return new President(
                row.getString(1),
                row.getObject(2, LocalDate.class),
                row.getObject(3, LocalDate.class),
                row.getBytes(4),
                row.getString(5));
    }

    @SuppressWarnings("unchecked")
    private static List<President> copy(List<President> list)
            throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(list);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (List<President>) in.readObject();
        }
    }

    private void lazy(Exchange exchange) throws IOException {
        try (Cursor rows = server.database().open(presidents.plan(number(exchange, "rows")))) {
            exchange.onDisconnect(rows::cancel);
            page(President.lazily(rows), exchange);
        }
    }

    /**
     * Streams a row at a time over plain JDBC. Parameters: {@code fetch}, the rows that are fetched at a time (0 for
     * all); {@code flush}, whether what the template has written is sent at once; {@code connect}, whether a
     * connection is opened for the request.
     */
    private void byRows(Exchange exchange) throws IOException, SQLException {
        int fetch = number(exchange, "fetch");
        ResponseBody body = exchange.body(MEDIA_TYPE);
        WritableByteChannel out =
                exchange.parameter("flush").isPresent() ? new Flushing(body) : body;
        try (Connection connection = connection(exchange)) {
            connection.setAutoCommit(fetch == 0);
            try (PreparedStatement statement =
                    connection.prepareStatement(SQL + number(exchange, "rows"))) {
                statement.setFetchSize(fetch);
                try (ResultSet rows = statement.executeQuery()) {
                    Iterable<President> lazily =
                            () -> Spliterators.iterator(new ResultSetRows(rows));
                    Presidents.write(lazily, timings(), out);
                }
            }
            if (fetch != 0) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    /** A body that sends every write at once; the page's writer writes about once a row. */
    private record Flushing(ResponseBody body) implements WritableByteChannel {
        @Override
        public int write(ByteBuffer source) throws IOException {
            int written = body.write(source);
            body.flush();
            return written;
        }

        @Override
        public boolean isOpen() {
            return body.isOpen();
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    /** Reads a row when the template asks for one. */
    private static final class ResultSetRows extends AbstractSpliterator<President> {
        private final ResultSet rows;

        private ResultSetRows(ResultSet rows) {
            super(Long.MAX_VALUE, ORDERED);
            this.rows = rows;
        }

        @Override
        public boolean tryAdvance(Consumer<? super President> action) {
            try {
                boolean some = rows.next();
                if (some) {
                    action.accept(president(rows));
                }
                return some;
            } catch (SQLException e) {
                throw new IllegalStateException("reading the presidents", e);
            }
        }
    }
}
