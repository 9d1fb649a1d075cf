package dev.penstock.presidents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.databases.TestDatabase;
import dev.penstock.http.Admission;
import dev.penstock.http.server.Server;
import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.Database;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class PresidentsIT {
    private static TestDatabase filled;

    @BeforeAll
    static void fill() throws SQLException {
        filled = TestDatabase.create(TestDatabase.Kind.H2);
        create(filled);
    }

    @AfterAll
    static void drop() {
        filled.close();
    }

    @ParameterizedTest
    @EnumSource
    void everyDatabase_isFilledOnce_andServesThePageInBothEngines(TestDatabase.Kind kind)
            throws Exception {
        try (TestDatabase test = TestDatabase.create(kind)) {
            create(test);
            create(test);
            assertFilled(test);
            test.execute(
                    "UPDATE president SET summary = 'x' WHERE number = 3",
                    "DELETE FROM president_repeated WHERE id > 500");
            create(test);
            assertFilled(test);
            GatedDataSource source = new GatedDataSource(test.dataSource());
            try (Server server = server(source)) {
                byte[] page = get(server, "?rows=86").body();
                assertThat((long) page.length).isCloseTo(879_530L, within(879_530L * 3 / 100));
                String text = withoutTimes(page);
                assertThat(text.split("<td class=\"name\">Abraham Lincoln</td>", -1)).hasSize(3);
                assertThat(text).doesNotContain("Barack Obama");
                assertThat(withoutTimes(get(server, "?rows=86&engine=st4").body())).isEqualTo(text);
                assertThat(names(withoutTimes(get(server, "").body())))
                        .isEqualTo(Presidency.all().stream().map(Presidency::name).toList());
            }
            assertThat(source.open()).isZero();
        }
    }

    @Test
    void rowsAndEngine_badValues_are400_andSayWhatIsRight() throws Exception {
        try (Server server = server(filled.dataSource())) {
            for (String rows : List.of("0", "990", "-1", "x", "1e2", "", "99999999999", "%31.0")) {
                HttpResponse<byte[]> response = get(server, "?rows=" + rows);
                assertThat(response.statusCode()).as(rows).isEqualTo(400);
                assertThat(new String(response.body(), UTF_8)).contains("from 1 to 989");
            }
            HttpResponse<byte[]> response = get(server, "?engine=velocity");
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(new String(response.body(), UTF_8)).contains("jte or st4");
            for (int rows : new int[] {1, 46, 47, 48, 989}) {
                String page = withoutTimes(get(server, "?rows=" + rows).body());
                assertThat(names(page)).hasSize(rows);
            }
        }
    }

    @Test
    void header_arrives_beforeTheDatabaseHasAnswered() throws Exception {
        GatedDataSource source = new GatedDataSource(filled.dataSource());
        try (Server server = server(source);
                HttpClient client = HttpClient.newHttpClient()) {
            source.shut();
            HttpResponse<InputStream> response =
                    client.send(
                            request(server, "?rows=86"), HttpResponse.BodyHandlers.ofInputStream());
            String header = readUntil(response.body(), "<tbody>");
            assertThat(header).contains("<h1>The presidents of the United States</h1>");
            assertThat(source.waited()).isTrue();
            source.release();
            String rest = new String(response.body().readAllBytes(), UTF_8);
            assertThat(names(rest)).hasSize(86);
            assertThat(rest).contains("Time till close").endsWith("</html>\n");
        }
    }

    @Test
    void clientThatLeaves_hasItsConnectionGivenBack() throws Exception {
        GatedDataSource source = new GatedDataSource(filled.dataSource());
        try (Server server = server(source)) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.setReceiveBufferSize(4096);
                socket.getOutputStream()
                        .write(
                                "GET /presidents?rows=989 HTTP/1.1\r\nHost: x\r\n\r\n"
                                        .getBytes(UTF_8));
                readUntil(socket.getInputStream(), "John Adams");
                assertThat(source.open()).isEqualTo(1);
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (source.open() > 0 && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(source.open()).isZero();
        }
    }

    @Test
    void head_asksTheDatabaseNothing() throws Exception {
        GatedDataSource source = new GatedDataSource(filled.dataSource());
        try (Server server = server(source);
                HttpClient client = HttpClient.newHttpClient()) {
            source.shut();
            HttpResponse<Void> response =
                    client.send(
                            HttpRequest.newBuilder(request(server, ""), (_, _) -> true)
                                    .HEAD()
                                    .build(),
                            HttpResponse.BodyHandlers.discarding());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type"))
                    .contains("text/html; charset=utf-8");
            source.release();
        }
    }

    @Test
    void databaseWithoutTheTables_isRefused() {
        try (TestDatabase test = TestDatabase.create(TestDatabase.Kind.H2)) {
            Database database = Database.connect(test.dataSource());
            assertThatThrownBy(() -> new Presidents(database))
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("president");
        }
    }

    @Test
    void presidents_readAsObjects_areTheSame() throws Exception {
        Database database = Database.connect(filled.dataSource());
        Presidents presidents = new Presidents(database);
        List<President> read = new ArrayList<>();
        try (Cursor cursor = database.open(presidents.plan(47))) {
            President.lazily(cursor).forEach(read::add);
        }
        assertThat(read).hasSize(47);
        for (Presidency each : Presidency.all()) {
            President president = read.get(each.number() - 1);
            assertThat(president.name()).isEqualTo(each.name());
            assertThat(president.officeStart()).isEqualTo(each.start());
            assertThat(president.officeEnd()).isEqualTo(each.end());
            assertThat(president.summary()).isEqualTo(each.summary());
            assertThat(president.thumbnail()).isEqualTo(each.picture());
        }
    }

    private static void create(TestDatabase test) throws SQLException {
        try (Connection connection = test.connect()) {
            Presidents.create(connection);
            assertThat(connection.getAutoCommit()).isTrue();
        }
    }

    private static void assertFilled(TestDatabase test) throws SQLException {
        assertThat(count(test, "president")).isEqualTo(47);
        assertThat(count(test, "president_repeated")).isEqualTo(989);
        assertThat(count(test, "president WHERE summary = 'x'")).isZero();
    }

    private static int count(TestDatabase test, String from) throws SQLException {
        try (Connection connection = test.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + from)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static Server server(DataSource source) {
        Presidents presidents = new Presidents(Database.connect(source));
        Admission bulk = new Admission(8, 100, Duration.ofSeconds(30));
        return presidents.mount(Server.builder().port(0), bulk).start();
    }

    private static HttpRequest request(Server server, String query) {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/presidents" + query);
        return HttpRequest.newBuilder(uri).version(HttpClient.Version.HTTP_1_1).build();
    }

    private static HttpResponse<byte[]> get(Server server, String query) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request(server, query), HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    private static String readUntil(InputStream in, String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!bytes.toString(UTF_8).contains(text)) {
            int next = in.read();
            assertThat(next).as("the page ended before " + text).isNotNegative();
            bytes.write(next);
        }
        return bytes.toString(UTF_8);
    }

    private static List<String> names(String page) {
        return Pattern.compile("<td class=\"name\">([^<]*)</td>")
                .matcher(page)
                .results()
                .map(each -> each.group(1))
                .toList();
    }

    private static String withoutTimes(byte[] page) {
        return new String(page, UTF_8).replaceAll("= [0-9]+ ns", "= … ns");
    }
}
