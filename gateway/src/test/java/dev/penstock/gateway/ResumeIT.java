package dev.penstock.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase.Kind;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Exports that broke off and are continued behind their last row, over HTTP, as a client does it that knows nothing but
 * CSV.
 */
@Tag("any-loops")
class ResumeIT {
    private static final String HEADER = "Penstock-Resume-After";
    private static final String[] PIECES = {
        "a",
        "B",
        "\"",
        "\\",
        ",",
        "(",
        ")",
        " ",
        "+",
        "%",
        "&",
        "\u20AC",
        "\uD83D\uDE00",
        "null",
        "\u0001",
        "\u001F",
        "\t",
        "\n",
        "\r\n",
        "'",
        "."
    };
    private static final String[] FILMS = {
        "create table film (film_id int primary key, title varchar(40), length int)",
        "insert into film values (1, 'ACE', 48), (2, null, 50), (3, 'ACADEMY', 48), (4, 'BIRD', null),"
                + " (5, 'null', 50), (6, '', 48), (7, null, null)",
        "create view titles as select title, film_id from film",
    };

    /** Rows of CSV, the head first; NULL, which has no quotes, is null. */
    private static List<List<String>> csv(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        for (int at = 0; at < text.length(); at++) {
            boolean quoted = text.charAt(at) == '"';
            StringBuilder cell = new StringBuilder();
            for (at += quoted ? 1 : 0; ; at++) {
                char character = text.charAt(at);
                if (quoted && character == '"') {
                    at++;
                    if (text.charAt(at) != '"') {
                        break;
                    }
                } else if (!quoted && (character == ',' || character == '\r')) {
                    break;
                }
                cell.append(text.charAt(at));
            }
            row.add(!quoted && cell.isEmpty() ? null : cell.toString());
            if (text.charAt(at) == '\r') {
                at++;
                rows.add(row);
                row = new ArrayList<>();
            }
        }
        return rows;
    }

    /** The values of a row that the header names, as the parameter has them. */
    private static String after(String header, List<String> names, List<String> row) {
        StringJoiner after = new StringJoiner(",", "(", ")");
        for (String name : header.split(",", -1)) {
            String value = row.get(names.indexOf(name));
            after.add(
                    value == null
                            ? "null"
                            : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
        }
        return "&after=" + Serving.encoded(after.toString());
    }

    /** Breaks an export off behind every row. */
    private static void requireContinued(Serving serving, String url) throws Exception {
        HttpResponse<String> whole = serving.get(url + "&format=csv");
        assertThat(whole.statusCode()).as(url + whole.body()).isEqualTo(200);
        String header = whole.headers().firstValue(HEADER).orElseThrow();
        List<List<String>> rows = csv(whole.body());
        assertThat(rows).hasSizeGreaterThan(2);
        for (int i = 1; i < rows.size(); i++) {
            String rest = url + after(header, rows.getFirst(), rows.get(i)) + "&format=csv";
            HttpResponse<String> answer = serving.get(rest);
            assertThat(answer.statusCode()).as(rest + answer.body()).isEqualTo(200);
            assertThat(answer.headers().firstValue(HEADER)).contains(header);
            List<List<String>> all = new ArrayList<>(rows.subList(0, i + 1));
            List<List<String>> behind = csv(answer.body());
            assertThat(behind.getFirst()).isEqualTo(rows.getFirst());
            all.addAll(behind.subList(1, behind.size()));
            assertThat(all).as(rest).isEqualTo(rows);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void textsAtRandom_brokenOffBehindEveryRow_goOn(Kind kind) throws Exception {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        Random random = new Random(seed);
        try (Serving serving =
                new Serving(kind, "create table odd (id int primary key, t varchar(100))")) {
            insert(serving, random);
            for (String order : List.of("t", "t.desc", "t.nullsfirst,id.desc", "id.desc")) {
                requireContinued(serving, "/api/odd?order=" + order);
            }
        }
    }

    private static void insert(Serving serving, Random random) throws SQLException {
        try (Connection connection = serving.database.connect();
                PreparedStatement insert =
                        connection.prepareStatement("insert into odd values (?, ?)")) {
            for (int i = 0; i < 40; i++) {
                insert.setInt(1, i);
                String text =
                        IntStream.range(0, random.nextInt(6))
                                .mapToObj(_ -> PIECES[random.nextInt(PIECES.length)])
                                .collect(Collectors.joining());
                insert.setString(2, random.nextInt(8) == 0 ? null : text);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** MariaDB sorts by the beginning of a text, so a longer one says no place. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void longTexts_brokenOffBehindEveryRow_goOnOrAreRefused(Kind kind) throws Exception {
        String a = "a".repeat(340);
        try (Serving serving =
                new Serving(
                        kind,
                        "create table long_ones (id int primary key, t varchar(3000))",
                        "insert into long_ones values (1, '"
                                + a
                                + "c'), (2, '"
                                + a
                                + "b'), (3, '"
                                + a
                                + "'), (4, '"
                                + a
                                + "ab'), (5, '"
                                + a.repeat(4)
                                + "'), (6, '"
                                + a.repeat(4)
                                + "b'), (7, null), (8, 'b')")) {
            if (kind == Kind.POSTGRESQL || kind == Kind.H2) {
                requireContinued(serving, "/api/long_ones?order=t");
                return;
            }
            String url = "/api/long_ones?select=id,t&order=t&format=csv";
            List<List<String>> whole = csv(serving.get(url).body());
            for (int i = 1; i < whole.size(); i++) {
                String t = whole.get(i).get(1);
                String rest = url + after("t,id", whole.getFirst(), whole.get(i));
                HttpResponse<String> answer = serving.get(rest);
                boolean isLong = t != null && t.length() > 341;
                assertThat(answer.statusCode()).as(rest).isEqualTo(isLong ? 400 : 200);
                if (isLong) {
                    assertThat(answer.body()).contains("urn:penstock:problem:value_too_long");
                } else {
                    assertThat(csv(answer.body()).stream().skip(1).toList())
                            .as(rest)
                            .isEqualTo(whole.subList(i + 1, whole.size()));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void typesOfEachDatabase_brokenOffBehindEveryRow_goOn(Kind kind) throws Exception {
        try (Serving serving = new Serving(kind, types(kind))) {
            for (String column :
                    serving.get("/api/types?limit=0&format=csv").body().strip().split(",", -1)) {
                requireContinued(serving, "/api/types?order=" + column);
                requireContinued(serving, "/api/types?order=" + column + ".desc.nullslast");
            }
        }
    }

    private static String[] types(Kind kind) {
        return switch (kind) {
            case POSTGRESQL ->
                    new String[] {
                        "create type mood as enum ('sad', 'ok', 'happy')",
                        "create table types (k uuid, j int, m mood, f real, d double precision, n numeric, s interval,"
                                + " a timestamp, z timestamptz, y date, c time, b bytea, o boolean, p inet, g int[], primary key (k, j))",
                        "insert into types values"
                                + " ('00000000-0000-0000-0000-0000000000ff', 1, 'ok', 'NaN', '-0', 'NaN', '1 day', 'infinity', '-infinity', 'infinity', '24:00', '\\x00ff', true, '10.0.0.1', '{1,2}'),"
                                + " ('00000000-0000-0000-0000-0000000000ff', 2, 'sad', '-0', '0', '1.50', '24 hours', '2026-11-21 13:45:00.25', '2026-11-21 13:45:00+02', '2026-11-21', '13:45', '\\x', false, '10.0.0.2', '{1}'),"
                                + " ('f0000000-0000-0000-0000-000000000000', 1, 'happy', '1.1', 'Infinity', '1.5', '1 month', '0044-03-15 12:00:00 BC', '12026-01-01 00:00:00Z', '0044-03-15 BC', '00:00', '\\x00', null, '9.0.0.1', '{}'),"
                                + " ('f0000000-0000-0000-0000-000000000000', 2, null, null, null, null, null, null, null, null, null, null, null, null, null),"
                                + " ('f0000000-0000-0000-0000-000000000000', 3, 'ok', '0', 'NaN', '-0.001', '-1 day', '2026-11-21 13:45:00', '2026-11-21 11:45:00Z', '2026-11-20', '13:45:00.25', '\\xff', true, '::1', '{2}')",
                    };
            case MARIADB, MYSQL ->
                    new String[] {
                        "create table types (k varbinary(4), j int, m enum('sad','ok','happy'), f float, d double, n decimal(12,4),"
                                + " a datetime(6), z timestamp(6) null, y date, c time(6), o boolean, t set('x','y'), primary key (k, j))",
                        "insert into types values (x'00ff', 1, 'ok', 1.1, -0e0, 1.5, '2026-11-21 13:45:00.25', '2026-11-21 13:45:00', '2026-11-21', '838:59:59', true, 'x,y'),"
                                + " (x'00ff', 2, 'sad', -0e0, 0e0, 1.25, '2026-11-21 13:45:00', '2026-11-21 13:45:00.000001', '2026-11-20', '-838:59:59', false, 'y'),"
                                + " (x'', 1, 'happy', 0e0, 1e300, -0.0001, '1000-01-01', '1971-01-01', '1000-01-01', '00:00:00', null, ''),"
                                + " (x'ff', 2, null, null, null, null, null, null, null, null, null, null),"
                                + " (x'ff', 3, 'ok', 3.4e38, -1e300, 99999999.9999, '9999-12-31 23:59:59.999999', '2026-11-21 13:45:00', '9999-12-31', '13:45:00.25', true, 'x')",
                    };
            case H2 ->
                    new String[] {
                        "create table types (k uuid, j int, m enum('sad','ok','happy'), f real, d double precision, n decimal(12,4),"
                                + " s interval day to second, a timestamp(9), z timestamp(9) with time zone, y date, c time(9), b varbinary(9), o boolean,"
                                + " g int array, primary key (k, j))",
                        "insert into types values"
                                + " ('00000000-0000-0000-0000-0000000000ff', 1, 'ok', 'NaN', 0, 1.5, interval '1' day, '2026-11-21 13:45:00.25', '2026-11-21 13:45:00+02', '2026-11-21', '13:45', x'00ff', true, array[1,2]),"
                                + " ('00000000-0000-0000-0000-0000000000ff', 2, 'sad', 0, 'NaN', 1.25, interval '24' hour, '2026-11-21 13:45:00.000000001', '2026-11-21 11:45:00+00', '2026-11-20', '13:45:00.25', x'', false, array[1]),"
                                + " ('f0000000-0000-0000-0000-000000000000', 1, 'happy', 1.1, 'Infinity', -0.0001, interval '-1' day, '-0043-03-15 12:00:00', '2026-11-21 11:45:00.000000001+00', '-0043-03-15', '00:00', x'00', null, array[]),"
                                + " ('f0000000-0000-0000-0000-000000000000', 2, null, null, null, null, null, null, null, null, null, null, null, null),"
                                + " ('f0000000-0000-0000-0000-000000000000', 3, 'ok', -1e30, '-Infinity', 99999999.9999, interval '9' second, '12026-01-01 00:00:00', '2026-11-21 11:45:00-09', '12026-01-01', '23:59:59.999999999', x'ff', true, array[2])",
                    };
        };
    }

    /** The connection is cut behind so many bytes as come, and the last line that is whole says where to go on. */
    @Test
    void longExport_cutAHundredTimes_hasEachRowOnce() throws Exception {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        Random random = new Random(seed);
        boolean isSoak = Boolean.getBoolean("penstock.soak");
        int rows = isSoak ? 10_000_000 : 300_000;
        int group = rows / 1000;
        // More rows than H2's heap holds are PostgreSQL's.
        String series = isSoak ? "generate_series" : "system_range";
        String[] steps = {
            "create table steps (grp int not null, id int primary key)",
            "insert into steps select mod(x, 1000) as g, x from "
                    + series
                    + "(0, "
                    + (rows - 1)
                    + ") as s(x) order by g, x",
            "create index by_grp on steps (grp, id)",
            "analyze",
        };
        int[] breaks = random.ints(100, 1, rows).sorted().toArray();
        try (Serving serving = new Serving(isSoak ? Kind.POSTGRESQL : Kind.H2, steps);
                HttpClient client = HttpClient.newHttpClient()) {
            String url =
                    "http://127.0.0.1:" + serving.server.port() + "/api/steps?order=grp&format=csv";
            String after = "";
            int read = 0;
            for (int i = 0; i <= breaks.length; i++) {
                int end = i < breaks.length ? breaks[i] : Integer.MAX_VALUE;
                HttpRequest request =
                        HttpRequest.newBuilder(URI.create(url + after))
                                .timeout(Duration.ofMinutes(2))
                                .build();
                try (InputStream body = client.send(request, BodyHandlers.ofInputStream()).body();
                        BufferedReader lines =
                                new BufferedReader(new InputStreamReader(body, UTF_8))) {
                    assertThat(lines.readLine()).isEqualTo("grp,id");
                    while (read < end) {
                        String line = lines.readLine();
                        if (line == null) {
                            break;
                        }
                        int of = read / group;
                        String expected = of + "," + (read % group * 1000 + of);
                        if (!line.equals(expected)) {
                            throw new AssertionError(
                                    "-Dpenstock.seed=%d: row %d is %s, and not %s"
                                            .formatted(seed, read, line, expected));
                        }
                        after = "&after=(" + line + ")";
                        read++;
                    }
                }
            }
            assertThat(read).isEqualTo(rows);
        }
    }

    /**
     * The header names columns as the response does, percent-encoded; only where there is an order, all of it selected.
     */
    @Test
    void header_ofAResponse_namesTheOrdersColumns() throws Exception {
        try (Serving serving = new Serving(Kind.H2, FILMS)) {
            String films = "/api/film";
            assertThat(header(serving, films + "?order=title")).isEqualTo("title,film_id");
            assertThat(header(serving, films + "?order=title&format=csv"))
                    .isEqualTo("title,film_id");
            assertThat(header(serving, films + "?order=title&format=ndjson"))
                    .isEqualTo("title,film_id");
            assertThat(header(serving, films + "?limit=3")).isEqualTo("film_id");
            assertThat(header(serving, films + "?offset=3")).isEqualTo("film_id");
            assertThat(header(serving, films + "?after=(3)")).isEqualTo("film_id");
            assertThat(
                            header(
                                    serving,
                                    films + "?select=der%20Titel:title,%C3%A9:film_id&order=title"))
                    .isEqualTo("der%20Titel,%C3%A9");
            assertThat(header(serving, films)).isEmpty();
            assertThat(header(serving, films + "?order=title&format=xml")).isEmpty();
            assertThat(header(serving, films + "?order=title&format=html")).isEmpty();
            assertThat(header(serving, films + "?order=title&select=title")).isEmpty();
            assertThat(header(serving, "/api/titles?order=film_id")).isEmpty();
            HttpResponse<String> ranged =
                    serving.get(films + "?order=title", "Range", "0-1", "Range-Unit", "items");
            assertThat(ranged.headers().firstValue(HEADER)).isEmpty();
            assertThat(serving.send("HEAD", films + "?order=title").headers().firstValue(HEADER))
                    .contains("title,film_id");
            assertThat(serving.get(films + "?order=title&after=(1)").headers().firstValue(HEADER))
                    .as("of an error")
                    .isEmpty();
        }
    }

    private static String header(Serving serving, String path) throws Exception {
        HttpResponse<String> answer = serving.get(path);
        assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
        return answer.headers().firstValue(HEADER).orElse("");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void rowsBehind_withFilterAndLimit_countFromThere(Kind kind) throws Exception {
        try (Serving serving = new Serving(kind, FILMS)) {
            String by = "/api/film?select=film_id,length&order=length,film_id&format=csv";
            assertThat(serving.get(by).body())
                    .isEqualTo(
                            "film_id,length\r\n1,48\r\n3,48\r\n6,48\r\n2,50\r\n5,50\r\n4,\r\n7,\r\n");
            assertThat(serving.get(by + "&after=(48,3)&limit=2").body())
                    .isEqualTo("film_id,length\r\n6,48\r\n2,50\r\n");
            assertThat(serving.get(by + "&after=(48,3)&film_id=neq.6&limit=2").body())
                    .isEqualTo("film_id,length\r\n2,50\r\n5,50\r\n");
            assertThat(serving.get(by + "&after=(null,4)").body())
                    .isEqualTo("film_id,length\r\n7,\r\n");
            assertThat(serving.get(by + "&after=(null,7)").body()).isEqualTo("film_id,length\r\n");
            // A row that is gone by now leaves no gap.
            assertThat(serving.get(by + "&after=(49,0)&limit=1").body())
                    .isEqualTo("film_id,length\r\n2,50\r\n");
            assertThat(serving.post("/api/film", by.substring(10) + "&after=(50,5)").body())
                    .isEqualTo("film_id,length\r\n4,\r\n7,\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"json", "ndjson", "csv", "xml"})
    void rowsBehind_inEachFormat_areThoseOfAFilter(String format) throws Exception {
        try (Serving serving = new Serving(Kind.H2, FILMS)) {
            String by = "/api/film?order=film_id&format=" + format;
            assertThat(serving.get(by + "&after=(3)").body())
                    .isEqualTo(serving.get(by + "&film_id=gt.3").body());
        }
    }

    @Test
    void count_ofRowsBehind_isTheirNumber() throws Exception {
        try (Serving serving = new Serving(Kind.H2, FILMS)) {
            HttpResponse<String> answer =
                    serving.get("/api/film?after=(3)&limit=2", "Prefer", "count=exact");
            assertThat(answer.headers().firstValue("Content-Range")).contains("0-1/4");
            assertThat(serving.get("/api/film?after=(3)", "Range", "0-1").statusCode())
                    .isEqualTo(206);
            HttpResponse<String> ranged = serving.get("/api/film?after=(3)", "Range", "2-3");
            assertThat(ranged.statusCode()).isEqualTo(400);
            assertThat(ranged.body()).contains("urn:penstock:problem:bad_range", "leave Range out");
        }
    }

    @Test
    void mistakes_areProblemDocuments() throws Exception {
        try (Serving serving = new Serving(Kind.H2, FILMS)) {
            HttpResponse<String> answer = serving.get("/api/film?order=title&after=(ACE)");
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.headers().firstValue("Content-Type"))
                    .contains("application/problem+json");
            assertThat(answer.body())
                    .contains(
                            "urn:penstock:problem:wrong_count",
                            "\"parameter\":\"after\"",
                            "\"position\":22",
                            "write the last row's values of title, film_id");
            assertThat(serving.get("/api/titles?after=(ACE)").body())
                    .contains("urn:penstock:problem:no_key", "titles has no primary key");
            assertThat(serving.get("/api/film?after=(3)&offset=1").body())
                    .contains("urn:penstock:problem:bad_offset");
            assertThat(serving.get("/api/film?select=title&after=(3)").body())
                    .contains("urn:penstock:problem:not_selected");
        }
    }

    /** A page behind a row leads on by the values of its last row; orders and filters begin anew. */
    @Test
    void page_behindARow_leadsToTheNext() throws Exception {
        try (Serving serving = new Serving(Kind.H2, FILMS)) {
            String page =
                    serving.get("/api/film?order=title&limit=2&after=(ACADEMY,3)&format=html")
                            .body();
            assertThat(page)
                    .contains("ACE", "BIRD", "order=title.desc\"", "rel=\"first\"")
                    .contains("after=(%22BIRD%22,%224%22)\">Next</a>")
                    .doesNotContain("offset=", "rel=\"last\"");
            assertThat(page.split("after=", -1)).hasSize(2);
            String next =
                    serving.get(
                                    "/api/film?order=title&limit=2&after=(%22BIRD%22,%224%22)&format=html")
                            .body();
            assertThat(next)
                    .contains("after=(null,%222%22)\">Next</a>")
                    .doesNotContain("ACE", "BIRD</");
        }
    }
}
