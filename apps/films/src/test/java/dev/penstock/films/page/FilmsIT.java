package dev.penstock.films.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.films.Actor;
import dev.penstock.films.Address;
import dev.penstock.films.Category;
import dev.penstock.films.City;
import dev.penstock.films.Country;
import dev.penstock.films.Customer;
import dev.penstock.films.Film;
import dev.penstock.films.FilmActor;
import dev.penstock.films.FilmCategory;
import dev.penstock.films.FilmText;
import dev.penstock.films.Inventory;
import dev.penstock.films.Language;
import dev.penstock.films.Payment;
import dev.penstock.films.Rating;
import dev.penstock.films.Rental;
import dev.penstock.films.Staff;
import dev.penstock.films.Store;
import dev.penstock.films.store.FilmStore;
import dev.penstock.http.Admission;
import dev.penstock.http.server.Server;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Entity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.IntSummaryStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store through its entities, and the page. */
class FilmsIT {
    private static final List<Entity<?>> ENTITIES =
            List.of(
                    Actor.TABLE,
                    Address.TABLE,
                    Category.TABLE,
                    City.TABLE,
                    Country.TABLE,
                    Customer.TABLE,
                    Film.TABLE,
                    FilmActor.TABLE,
                    FilmCategory.TABLE,
                    FilmText.TABLE,
                    Inventory.TABLE,
                    Language.TABLE,
                    Payment.TABLE,
                    Rental.TABLE,
                    Staff.TABLE,
                    Store.TABLE);

    @ParameterizedTest
    @EnumSource
    void streams_everyDatabase_haveTheFactsOfTheArticle(TestDatabase.Kind kind)
            throws SQLException {
        try (TestDatabase database = filled(kind)) {
            Database engine = Database.connect(database.dataSource());
            long rows = 0;
            for (Entity<?> entity : ENTITIES) {
                TypedTable<?> table = TypedTable.of(engine, entity);
                long count = table.stream().count();
                // Each of them becomes a record.
                assertThat(table.stream().toList()).hasSize((int) count);
                rows += count;
            }
            assertThat(rows).isEqualTo(FilmStore.of(1).rows());

            TypedTable<Film> films = TypedTable.of(engine, Film.TABLE);
            assertThat(films.stream().filter(Film.LENGTH.greaterThan(60)).count()).isEqualTo(896);
            assertThat(films.stream().filter(Film.RATING.equal(Rating.PG13)).count())
                    .isEqualTo(223);
            IntSummaryStatistics days =
                    films.stream()
                            .sorted(Film.LENGTH.reversed())
                            .skip(745)
                            .limit(5)
                            .mapToInt(Film.RENTAL_DURATION.asInt())
                            .summaryStatistics();
            assertThat(days.getCount()).isEqualTo(5);
        }
    }

    @Test
    void page_filledStore_showsJavaSqlAndAnswer() throws Exception {
        try (TestDatabase database = filled(TestDatabase.Kind.H2);
                Server server =
                        new Films(Database.connect(database.dataSource()))
                                .mount(
                                        Server.builder().port(0),
                                        new Admission(2, 8, Duration.ofSeconds(10)))
                                .start();
                HttpClient client = HttpClient.newHttpClient()) {
            String page = get(client, server, "/films");

            assertThat(page)
                    .doesNotContain("{{", "&#")
                    .contains("<b>Film.RATING</b>.equal(<b>Rating.PG13</b>)")
                    .contains("<b>SELECT</b> <b>COUNT</b>")
                    .contains("<li>223</li>", "ACADEMY DINOSAUR", "count=5", "PG13 = 223")
                    .containsPattern("\\d\\.\\d\\d ms")
                    .contains("in the JVM");
            assertThat(get(client, server, "/films.css")).contains("--accent");
        }
    }

    @Test
    void page_otherTables_saysWhatIsMissing() {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.H2)) {
            database.execute("CREATE TABLE film (film_id INT PRIMARY KEY)");
            Database engine = Database.connect(database.dataSource());

            assertThatThrownBy(() -> new Films(engine)).hasMessageContaining("film");
        }
    }

    /** What the page shows is what it runs. */
    @Test
    void showings_text_isTheCode() throws Exception {
        String source =
                Files.readString(Path.of("src/main/java/dev/penstock/films/page/Showings.java"))
                        .replaceAll("\\s", "");
        try (TestDatabase database = filled(TestDatabase.Kind.H2)) {
            for (Showing<?> showing : Showings.of(Database.connect(database.dataSource()))) {
                String code =
                        showing.java().replaceAll("^\\w+\\.stream\\(\\)", "").replaceAll("\\s", "");
                assertThat(source).contains("stream->stream" + code + ")");
            }
        }
    }

    private static TestDatabase filled(TestDatabase.Kind kind) throws SQLException {
        TestDatabase database = TestDatabase.create(kind);
        try (Connection connection = database.connect()) {
            FilmStore.of(1).create(connection);
        }
        return database;
    }

    private static String get(HttpClient client, Server server, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        HttpResponse<String> response =
                client.send(
                        HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }
}
