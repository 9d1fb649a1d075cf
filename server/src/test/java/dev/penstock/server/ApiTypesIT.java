package dev.penstock.server;

import static dev.penstock.query.ColumnType.BINARY;
import static dev.penstock.query.ColumnType.JSON;
import static dev.penstock.query.ColumnType.TIMESTAMP_UTC;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.databases.TestDatabase;
import dev.penstock.gateway.Gateway;
import dev.penstock.http.server.Server;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.NativeType;
import dev.penstock.query.NativeType.Comparison;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The types of the databases through {@code /api}: what is shown can be asked for, and compares as it does in the
 * database.
 */
@Tag("any-loops")
class ApiTypesIT {
    /** What fits the line of a request. */
    private static final int MAX_URL = 6000;

    /** A server in front of a table of every type. */
    private static final class Served implements AutoCloseable {
        final TestDatabase database;
        final Database engine;
        final Table table;
        private final Server server;
        private final HttpClient client = HttpClient.newHttpClient();

        Served(TestDatabase.Kind kind) {
            database = TestDatabase.create(kind);
            EveryType.create(database);
            engine = Database.connect(database.pooled());
            table = engine.table(EveryType.TABLE);
            server =
                    Gateway.builder(engine)
                            .build()
                            .mount(Server.builder().port(0).accessLog(false))
                            .start();
        }

        HttpResponse<String> get(String query) throws Exception {
            URI uri =
                    URI.create(
                            "http://127.0.0.1:%d/api/%s?%s"
                                    .formatted(server.port(), EveryType.TABLE, query));
            return client.send(
                    HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }

        /** The keys of the rows that a condition leaves; or the status, where that is not 200. */
        List<String> ids(String query) throws Exception {
            HttpResponse<String> response = get(query + "&select=id&format=csv");
            return response.statusCode() == 200
                    ? response.body().lines().skip(1).toList()
                    : List.of("status " + response.statusCode() + ": " + response.body());
        }

        /** The keys that the database gives. */
        List<String> sql(String rest) throws SQLException {
            List<String> ids = new ArrayList<>();
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery(
                                    "SELECT id FROM " + EveryType.TABLE + " " + rest)) {
                while (row.next()) {
                    ids.add(row.getString(1));
                }
            }
            return ids;
        }

        /** The canonical texts of a column, by the row's key. */
        List<String> shown(Column column) {
            List<String> shown = new ArrayList<>();
            Plan plan =
                    Plan.of(table)
                            .select(List.of(new Plan.Item(column.name(), "c")))
                            .orderBy(List.of(new Plan.Order(table.key().getFirst(), false, false)));
            try (Cursor cursor = engine.open(plan)) {
                while (cursor.next()) {
                    shown.add(String.valueOf(cursor.getString(0)));
                }
            }
            return shown;
        }

        Stream<Column> columns() {
            return table.columns().stream().skip(1);
        }

        String name(Column column) {
            return engine.schema().shown(table, column);
        }

        boolean isMariaDb() {
            return database.kind() == TestDatabase.Kind.MARIADB;
        }

        @Override
        public void close() {
            client.close();
            server.close();
            database.close();
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void value_asItIsShown_isFoundAgain(TestDatabase.Kind kind) throws Exception {
        SoftAssertions all = new SoftAssertions();
        try (Served served = new Served(kind)) {
            for (Column column : served.columns().toList()) {
                List<String> shown = served.shown(column);
                for (int id = 0; id < shown.size() - 1; id++) {
                    String text = shown.get(id);
                    if (text.length() > MAX_URL) {
                        continue;
                    }
                    String condition = served.name(column) + "=eq." + encoded(text);
                    List<String> ids = served.ids(condition);
                    if (column.nativeType().comparison().hasEquality()) {
                        all.assertThat(ids).as(condition).contains(Integer.toString(id));
                        all.assertThat(ids).as(condition).doesNotContain("" + (shown.size() - 1));
                    } else {
                        all.assertThat(ids.getFirst())
                                .as(condition)
                                .contains("status 400", "no equality", "is.null");
                    }
                }
            }
        }
        all.assertAll();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void order_byTheDatabasesOwnTypes_isTheDatabases(TestDatabase.Kind kind) throws Exception {
        SoftAssertions all = new SoftAssertions();
        try (Served served = new Served(kind)) {
            for (Column column : served.columns().toList()) {
                String name = served.name(column);
                Comparison comparison = column.nativeType().comparison();
                if (!comparison.hasOrder()) {
                    for (String query : List.of("order=" + name, name + "=gt.1")) {
                        all.assertThat(served.ids(query).getFirst())
                                .as(query)
                                .contains("status 400", "no_order", "have no order");
                    }
                } else if (comparison == Comparison.ORDERED) {
                    inOrder(served, column, all);
                }
            }
        }
        all.assertAll();
    }

    private static void inOrder(Served served, Column column, SoftAssertions all) throws Exception {
        String name = served.name(column);
        for (String direction : List.of("asc", "desc")) {
            String last =
                    served.isMariaDb()
                            ? "ORDER BY %s IS NULL, %s %s, id"
                            : "ORDER BY %s IS NULL, %s %s NULLS LAST, id";
            all.assertThat(served.ids("order=" + name + "." + direction + ".nullslast,id"))
                    .as("order=" + name + "." + direction)
                    .isEqualTo(served.sql(last.formatted(name, name, direction)));
        }
        if (column.databaseType().matches("(enum|set)\\(.*") && served.isMariaDb()) {
            // Against a text, MariaDB compares these as texts, and only sorts them by their
            // numbers.
            return;
        }
        List<String> shown = served.shown(column);
        // A domain over an enum has no operators of its own.
        String value = column.databaseType().equals("temper") ? name + "::mood" : name;
        for (int id = 0; id < Math.min(shown.size() - 1, 8); id++) {
            for (String[] operator : new String[][] {{"gt", ">"}, {"lte", "<="}, {"neq", "<>"}}) {
                String text = shown.get(id);
                String condition =
                        "%s=%s.%s&%s=not.is.null".formatted(name, operator[0], encoded(text), name);
                String same =
                        "WHERE %s %s (SELECT %s FROM %s WHERE id = %d) ORDER BY id"
                                .formatted(value, operator[1], value, EveryType.TABLE, id);
                all.assertThat(served.ids(condition + "&order=id"))
                        .as(condition)
                        .isEqualTo(served.sql(same));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "H2"})
    void array_inJson_isAnArray(TestDatabase.Kind kind) throws Exception {
        SoftAssertions all = new SoftAssertions();
        int arrays = 0;
        try (Served served = new Served(kind)) {
            for (Column column : served.columns().toList()) {
                ColumnType element = column.nativeType().element();
                if (element == null || (kind == TestDatabase.Kind.H2 && element == BINARY)) {
                    continue;
                }
                arrays++;
                String query = "id=eq.0&format=ndjson&select=x:" + served.name(column);
                String row = served.get(query).body().strip();
                all.assertThat(row).as(column.databaseType()).startsWith("{\"x\":[").endsWith("]}");
                if (column.nativeType().comparison() == Comparison.ORDERED) {
                    String value = row.substring("{\"x\":".length(), row.length() - 1);
                    boolean hasDocuments = element == JSON || element == TIMESTAMP_UTC;
                    String condition = served.name(column) + "=eq." + encoded(value);
                    if (!hasDocuments) {
                        all.assertThat(served.ids(condition)).as(condition).contains("0");
                    }
                }
            }
        }
        all.assertThat(arrays).isGreaterThan(7);
        all.assertAll();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void value_thatIsNoneOfItsType_isRefused(TestDatabase.Kind kind) throws Exception {
        SoftAssertions all = new SoftAssertions();
        try (Served served = new Served(kind)) {
            for (Column column : served.columns().toList()) {
                NativeType type = column.nativeType();
                boolean takesAnything =
                        column.databaseType()
                                        .matches("(?i)citext|tsvector|tsquery|varchar_ignorecase")
                                || (column.type().isTextual()
                                        && type.comparison() == Comparison.CANONICAL)
                                || column.databaseType().matches("character.*\\[]|text\\[]");
                String garbage = "gar(bage";
                for (String query :
                        List.of(
                                served.name(column) + "=eq." + encoded(garbage),
                                served.name(column)
                                        + "=in.("
                                        + encoded("\"" + garbage + "\"")
                                        + ")",
                                "id=eq.-1&" + served.name(column) + "=eq." + encoded(garbage))) {
                    HttpResponse<String> response = served.get(query);
                    if (!takesAnything) {
                        all.assertThat(response.statusCode())
                                .as(query + " of " + column.databaseType() + response.body())
                                .isEqualTo(400);
                        all.assertThat(response.body())
                                .as(query)
                                .containsIgnoringCase(served.name(column));
                    }
                }
            }
        }
        all.assertAll();
    }
}
