package dev.penstock.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.films.store.FilmStore;
import dev.penstock.gateway.Gateway;
import dev.penstock.http.server.Server;
import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Snapshot;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random requests for tables of the film store and for one of every type: what memory answers is what the database
 * does, byte for byte; where neither an order nor a slice is asked for, the same lines in any order. Others each time,
 * and more, with {@code -Dpenstock.soak=true}.
 */
@Tag("any-loops")
class AccelerateDifferentialIT {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int REQUESTS =
            Integer.getInteger("penstock.requests", SOAK ? 20_000 : 500);
    private static final int MAX_VALUE = 300;

    private static final List<String> FILMS =
            List.of("film", "actor", "film_actor", "customer", "rental", "payment", "address");

    /** The headers of an answer that say something of its rows. */
    private static final List<String> HEADERS =
            List.of("Content-Type", "Content-Range", "Range-Unit", "Preference-Applied");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void requests_inMemoryAndInTheDatabase_haveTheSameAnswers(TestDatabase.Kind kind)
            throws Exception {
        long seed = Long.getLong("penstock.seed", SOAK ? System.nanoTime() : 1);
        try (TestDatabase database = TestDatabase.create(kind)) {
            EveryType.create(database);
            try (Connection connection = database.connect()) {
                FilmStore.of(0.1).create(connection);
            }
            Database engine = Database.connect(database.pooled());
            List<Table> tables =
                    Stream.concat(FILMS.stream(), Stream.of(EveryType.TABLE))
                            .map(engine::table)
                            .toList();
            Snapshot.Builder loading = Snapshot.of(engine);
            tables.forEach(loading::table);
            try (Snapshot snapshot = loading.load();
                    HttpClient client = HttpClient.newHttpClient();
                    Server slow = server(engine);
                    Server fast = server(snapshot.engine(engine))) {
                Requests requests = new Requests(engine, tables, new Random(seed));
                for (int i = 0; i < REQUESTS; i++) {
                    Asked asked = requests.next();
                    String expected = answer(client, slow, asked);
                    String actual = answer(client, fast, asked);
                    assertThat(difference(actual, expected))
                            .as("%s, seed %d, request %d: %s", kind, seed, i, asked)
                            .isEmpty();
                }
            }
        }
    }

    /** The first lines that differ, for whole answers would be too long to read. */
    private static String difference(String actual, String expected) {
        if (actual.equals(expected)) {
            return "";
        }
        List<String> lines = actual.lines().toList();
        List<String> others = expected.lines().toList();
        int at = 0;
        while (at < Math.min(lines.size(), others.size()) && lines.get(at).equals(others.get(at))) {
            at++;
        }
        return "line %d of %d and %d:%n%s%n%s"
                .formatted(at, lines.size(), others.size(), line(lines, at), line(others, at));
    }

    private static String line(List<String> lines, int at) {
        return at < lines.size() ? lines.get(at) : "(none)";
    }

    private static Server server(Engine engine) {
        return Gateway.builder(engine)
                .build()
                .mount(Server.builder().port(0).accessLog(false))
                .start();
    }

    /**
     * A request.
     *
     * @param inOrder whether the order of the rows is told
     */
    private record Asked(String path, List<String> headers, boolean inOrder) {}

    private static String answer(HttpClient client, Server server, Asked asked)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + asked.path());
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (!asked.headers().isEmpty()) {
            request.headers(asked.headers().toArray(String[]::new));
        }
        HttpResponse<String> response =
                client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        StringBuilder answer = new StringBuilder("status " + response.statusCode() + "\n");
        for (String name : HEADERS) {
            answer.append(name)
                    .append(": ")
                    .append(response.headers().allValues(name))
                    .append('\n');
        }
        String body = PageTotals.without(response.body());
        if (!asked.inOrder()) {
            // A line begins or ends with what depends on its place in an array.
            body =
                    body.replaceAll("(?m)^[\\[,]|[,\\]]$", "")
                            .lines()
                            .sorted()
                            .reduce("", (all, line) -> all + line + "\n");
        }
        return answer.append(body).toString();
    }

    /** A source of random requests. */
    private static final class Requests {
        private static final List<String> FORMATS = List.of("json", "ndjson", "csv", "html", "xml");
        private static final List<String> OPERATORS =
                List.of("eq", "neq", "gt", "gte", "lt", "lte", "isdistinct");

        private final Database database;
        private final List<Table> tables;
        private final Random random;
        private final Map<String, List<String>> values = new HashMap<>();

        Requests(Database database, List<Table> tables, Random random) {
            this.database = database;
            this.tables = tables;
            this.random = random;
        }

        Asked next() {
            Table table =
                    random.nextBoolean()
                            ? tables.getLast()
                            : tables.get(random.nextInt(tables.size()));
            List<String> parameters = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                parameters.add(filter(table));
            }
            if (random.nextInt(3) == 0) {
                parameters.add("select=" + select(table));
            }
            boolean ordered = random.nextInt(4) > 0;
            if (ordered) {
                parameters.add("order=" + order(table));
            }
            parameters.add("format=" + one(FORMATS));
            boolean sliced = random.nextBoolean();
            if (sliced) {
                parameters.add("limit=" + one(List.of("0", "1", "2", "7", "50", "999", "1001")));
                parameters.add(random.nextBoolean() ? "offset=" + random.nextInt(60) : "offset=0");
            }
            List<String> headers = new ArrayList<>();
            if (random.nextInt(6) == 0) {
                int from = random.nextInt(40);
                sliced = true;
                headers.addAll(
                        List.of(
                                "Range-Unit",
                                "items",
                                "Range",
                                from + "-" + (from + random.nextInt(40))));
            }
            if (random.nextInt(6) == 0) {
                headers.addAll(List.of("Prefer", "count=exact"));
            }
            String path = "/api/" + name(table) + "?" + String.join("&", parameters);
            return new Asked(path, headers, ordered || sliced);
        }

        private String filter(Table table) {
            if (random.nextInt(5) > 0) {
                return condition(table, "=", false);
            }
            String any = random.nextBoolean() ? "or" : "and";
            String not = random.nextInt(3) == 0 ? "not." : "";
            return not
                    + any
                    + "=("
                    + condition(table, ".", true)
                    + ","
                    + condition(table, ".", true)
                    + ")";
        }

        private String condition(Table table, String between, boolean nested) {
            Column column = one(table.columns());
            String not = random.nextInt(5) == 0 ? "not." : "";
            String start = name(table, column) + between + not;
            return switch (random.nextInt(10)) {
                case 0 -> start + (random.nextBoolean() ? "is.null" : "is.not_null");
                case 1, 2 -> {
                    List<String> in = new ArrayList<>();
                    for (int i = random.nextInt(4); i >= 0; i--) {
                        in.add(quoted(value(table, column)));
                    }
                    yield start + "in.(" + String.join(",", in) + ")";
                }
                default -> {
                    String value = value(table, column);
                    String operator = one(OPERATORS);
                    yield start + operator + "." + (nested ? quoted(value) : encoded(value));
                }
            };
        }

        /** A value of the column, or one near it. */
        private String value(Table table, Column column) {
            List<String> known =
                    values.computeIfAbsent(
                            table.name() + "." + column.name(), _ -> values(table, column));
            String value = known.isEmpty() ? "0" : one(known);
            return switch (random.nextInt(12)) {
                case 0 -> value.isEmpty() ? "" : value.substring(0, value.length() - 1);
                case 1 -> value + one(List.of("0", "a", " ", "\u00E9", "Z"));
                default -> value;
            };
        }

        private List<String> values(Table table, Column column) {
            List<String> values = new ArrayList<>();
            Plan plan =
                    Plan.of(table).select(List.of(new Plan.Item(column.name(), "c"))).limit(200);
            try (Cursor cursor = database.open(plan)) {
                while (cursor.next()) {
                    String value = cursor.getString(0);
                    if (value != null && value.length() <= MAX_VALUE) {
                        values.add(value);
                    }
                }
            }
            return values;
        }

        private String select(Table table) {
            List<String> items = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                items.add("a" + i + ":" + name(table, one(table.columns())));
            }
            return String.join(",", items);
        }

        private String order(Table table) {
            List<String> items = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                items.add(
                        name(table, one(table.columns()))
                                + one(List.of("", ".asc", ".desc"))
                                + one(List.of("", "", ".nullsfirst", ".nullslast")));
            }
            return String.join(",", items);
        }

        private static String quoted(String value) {
            return encoded("\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, UTF_8).replace("+", "%20");
        }

        private String name(Table table) {
            return database.schema().shown(table);
        }

        private String name(Table table, Column column) {
            return encoded(database.schema().shown(table, column));
        }

        private <T> T one(List<T> all) {
            return all.get(random.nextInt(all.size()));
        }
    }
}
