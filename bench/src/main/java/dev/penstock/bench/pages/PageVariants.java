package dev.penstock.bench.pages;

import dev.penstock.bench.child.Answer;
import dev.penstock.format.PageTemplate;
import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Server;
import dev.penstock.presidents.President;
import dev.penstock.presidents.Presidents;
import dev.penstock.query.Cursor;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.DriverSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The page of the presidents in the ways that it is compared with: <em>local</em>, which reads a list of objects and then
 * runs the template over it; <em>remote</em>, which serialises that list and reads it back in between; <em>lazy</em>, which
 * hands the template an iterable on the cursor; and <em>article</em>, which streams as article 1 did, with each of its
 * choices as a parameter. Same server, template, pool and admission as the streaming page.
 */
final class PageVariants {
    private static final String SQL =
            "SELECT name, office_start, office_end, thumbnail, summary FROM president_repeated"
                    + " ORDER BY id LIMIT ";
    private static final String MEDIA_TYPE = "text/html; charset=utf-8";

    private final Answer settings;
    private final DataSource pool;
    private final Database database;
    private final Presidents presidents;

    PageVariants(Answer settings, DataSource pool, Database database) {
        this.settings = settings;
        this.pool = pool;
        this.database = database;
        presidents = new Presidents(database);
    }

    void mount(Server.Builder server, Admission bulk) {
        mount(server, bulk, "local", exchange -> page(list(exchange), exchange));
        mount(server, bulk, "remote", exchange -> page(copy(list(exchange)), exchange));
        mount(server, bulk, "lazy", this::lazy);
        mount(server, bulk, "article", this::article);
    }

    private static void mount(Server.Builder server, Admission bulk, String name, Handler handler) {
        // An error, of memory above all, must fail the request and not the thread.
        Handler guarded =
                exchange -> {
                    try {
                        handler.handle(exchange);
                    } catch (OutOfMemoryError e) {
                        throw new IOException("out of memory", e);
                    }
                };
        server.get("/" + name, guarded, _ -> bulk);
    }

    private static int rows(Exchange exchange) {
        return number(exchange, "rows");
    }

    private static int number(Exchange exchange, String name) {
        String text = exchange.parameter(name).orElse("0");
        if (!text.matches("\\d{1,6}")) {
            throw new HttpException(400, name + "=" + text + " is no number");
        }
        return Integer.parseInt(text);
    }

    private static void page(Iterable<President> rows, Exchange exchange) throws IOException {
        Presidents.write(rows, timings(System.nanoTime()), exchange.body(MEDIA_TYPE));
    }

    private static Supplier<PageTemplate.Timings> timings(long start) {
        return () -> {
            long now = System.nanoTime() - start;
            return new PageTemplate.Timings(now, now, now);
        };
    }

    /** As everybody does it: the driver's defaults, and all rows in a list. */
    private List<President> list(Exchange exchange) throws SQLException {
        try (Connection connection = connection(exchange);
                PreparedStatement statement = connection.prepareStatement(SQL + rows(exchange));
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
        try (Cursor rows = database.open(presidents.plan(rows(exchange)))) {
            exchange.onDisconnect(rows::cancel);
            page(President.lazily(rows), exchange);
        }
    }

    /**
     * A row at a time over plain JDBC. Parameters: {@code fetch}, the rows that are fetched at a time (0 for all); {@code
     * flush}, whether what the template has written is sent at once; {@code connect}, whether a connection is opened for the
     * request, as the article did.
     */
    private void article(Exchange exchange) throws IOException, SQLException {
        boolean flush = exchange.parameter("flush").isPresent();
        int fetch = number(exchange, "fetch");
        ResponseBody body = exchange.body(MEDIA_TYPE);
        try (Connection connection = connection(exchange)) {
            connection.setAutoCommit(fetch == 0);
            try (PreparedStatement statement = connection.prepareStatement(SQL + rows(exchange))) {
                statement.setFetchSize(fetch);
                try (ResultSet rows = statement.executeQuery()) {
                    Iterable<President> lazily = () -> new ResultSetRows(rows);
                    WritableByteChannel out = flush ? new Flushing(body) : body;
                    Presidents.write(lazily, timings(System.nanoTime()), out);
                }
            }
            if (fetch != 0) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    /** With the same settings as the pool's. */
    private Connection connect() throws SQLException {
        Properties properties = DriverSettings.of(settings.text("url"));
        properties.setProperty("user", settings.text("user"));
        properties.setProperty("password", settings.text("password"));
        return DriverManager.getConnection(settings.text("url"), properties);
    }

    private Connection connection(Exchange exchange) throws SQLException {
        return exchange.parameter("connect").isPresent() ? connect() : pool.getConnection();
    }

    /** Sends every write at once; the page's writer writes about once a row. */
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

    private static final class ResultSetRows implements java.util.Iterator<President> {
        private final ResultSet rows;
        private boolean there;

        private ResultSetRows(ResultSet rows) {
            this.rows = rows;
            advance();
        }

        private void advance() {
            try {
                there = rows.next();
            } catch (SQLException e) {
                throw new IllegalStateException("reading the presidents", e);
            }
        }

        @Override
        public boolean hasNext() {
            return there;
        }

        @Override
        public President next() {
            if (!there) {
                throw new java.util.NoSuchElementException();
            }
            try {
                President next = president(rows);
                advance();
                return next;
            } catch (SQLException e) {
                throw new IllegalStateException("reading the presidents", e);
            }
        }
    }
}
