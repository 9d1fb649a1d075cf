package dev.penstock.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.databases.TestDatabase;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.Schema;
import dev.penstock.query.sql.Database;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** A fresh database, a pool on it, and a server with a gateway in front of it. */
final class Serving implements AutoCloseable {
    final TestDatabase database;
    final HikariDataSource pool;
    final Server server;
    final Gateway gateway;
    private final Schema schema;
    private final HttpClient client = HttpClient.newHttpClient();

    Serving(TestDatabase.Kind kind, String... statements) {
        this(kind, gateway -> gateway, statements);
    }

    Serving(TestDatabase.Kind kind, UnaryOperator<Gateway.Builder> settings, String... statements) {
        database = TestDatabase.create(kind);
        for (String statement : statements) {
            database.execute(sql(statement).replace('\u201D', '"'));
        }
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setConnectionTimeout(60_000);
        pool = new HikariDataSource(config);
        Database served = Database.builder(pool).evictor(pool::evictConnection).connect();
        schema = served.schema();
        // A busy machine takes longer to count a few rows than a user is to wait for it.
        Gateway.Builder builder = Gateway.builder(served).countLimit(Duration.ofMinutes(1));
        gateway = settings.apply(builder).build();
        server = gateway.mount(builder()).start();
    }

    /** One on any port, with as many event loops as the suite runs with, for clients that may read slowly. */
    static ServerBuilder builder() {
        return Server.builder()
                .port(0)
                .minimumRate(0, Duration.ofSeconds(30))
                .eventLoops(Integer.getInteger("penstock.eventLoops", 2));
    }

    private boolean isMySql() {
        return database.kind() == TestDatabase.Kind.MARIADB
                || database.kind() == TestDatabase.Kind.MYSQL;
    }

    /** Standard SQL as this database spells it; a curly quote stands for a straight one within a text. */
    private String sql(String statement) {
        if (isMySql()) {
            return statement
                    .replace("\"", "`")
                    .replace(" bytea", " longblob")
                    .replace(" timestamp(6)", " datetime(6)")
                    .replace(" text", " longtext")
                    .replace(" double precision", " double");
        }
        return database.kind() == TestDatabase.Kind.H2
                ? statement.replace(" bytea", " varbinary(1000)").replace(" text", " varchar")
                : statement;
    }

    HttpResponse<String> get(Server other, String path, String... headers)
            throws IOException, InterruptedException {
        return send(other, "GET", path, headers);
    }

    HttpResponse<String> get(String path, String... headers)
            throws IOException, InterruptedException {
        return send("GET", path, headers);
    }

    HttpResponse<String> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        return send(server, method, path, headers);
    }

    private HttpResponse<String> send(Server to, String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + to.port() + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .timeout(Duration.ofSeconds(60));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a form, unless the headers say that the body is something else. */
    HttpResponse<String> post(String path, String form, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .POST(HttpRequest.BodyPublishers.ofString(form))
                        .timeout(Duration.ofSeconds(60))
                        .header("Content-Type", "application/x-www-form-urlencoded");
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The whole response to a request of these lines, over a connection of its own. */
    String raw(String requestLine) throws IOException {
        try (Socket socket = open(requestLine + "\r\nConnection: close")) {
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    /** The schema that is served, as it is called outside. */
    String schema() {
        String name = schema.tables().getFirst().schema();
        return schema.display(Objects.requireNonNull(name));
    }

    /** A table of so many numbers from 1 on, and their names. */
    static String[] numbers(int count) {
        StringBuilder rows = new StringBuilder("insert into numbers values ");
        for (int i = 1; i <= count; i++) {
            rows.append(i == 1 ? "" : ",").append("(" + i + ", 'n " + i + "')");
        }
        return new String[] {
            "create table numbers (id int primary key, label varchar(20))", rows.toString()
        };
    }

    /** Has the database look at a table again. */
    void analyze(String table) {
        switch (database.kind()) {
            case POSTGRESQL -> database.execute("analyze " + table);
            case MARIADB, MYSQL -> database.execute("analyze table " + table);
            case H2 -> {}
        }
    }

    /** A connection on which a request was sent as it is. */
    Socket open(String requestLine) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write((requestLine + "\r\nHost: x\r\n\r\n").getBytes(UTF_8));
        return socket;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        server.close();
        client.close();
        pool.close();
        database.close();
    }
}
