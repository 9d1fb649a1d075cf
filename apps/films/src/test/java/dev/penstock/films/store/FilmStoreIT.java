package dev.penstock.films.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store on every database that it can be made in. */
class FilmStoreIT {
    @ParameterizedTest
    @EnumSource
    void create_scaleOne_hasTheFactsOfTheArticle(TestDatabase.Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.create(kind);
                Connection connection = database.connect()) {
            List<String> steps = new ArrayList<>();
            FilmStore store = FilmStore.of(1);
            store.create(
                    connection,
                    (doing, rows, of) -> {
                        assertThat(rows).isBetween(0L, of);
                        assertThat(of).isEqualTo(store.rows());
                        if (!steps.contains(doing)) {
                            steps.add(doing);
                        }
                    });

            assertThat(steps).contains("filling film", "filling payment").hasSize(17);
            assertThat(
                            column(
                                    connection,
                                    "SELECT CONCAT(title, ' ', length) FROM film WHERE film_id <= 3 ORDER BY film_id"))
                    .containsExactly(
                            "ACADEMY DINOSAUR 86", "ACE GOLDFINGER 48", "ADAPTATION HOLES 50");
            assertThat(number(connection, "SELECT COUNT(*) FROM film")).isEqualTo(1000);
            assertThat(number(connection, "SELECT COUNT(*) FROM film WHERE length > 60"))
                    .isEqualTo(896);
            assertThat(number(connection, "SELECT COUNT(*) FROM film WHERE rating = 'PG-13'"))
                    .isEqualTo(223);
            assertThat(number(connection, "SELECT COUNT(DISTINCT title) FROM film"))
                    .isEqualTo(1000);
            assertThat(number(connection, "SELECT AVG(CHAR_LENGTH(description)) FROM film"))
                    .isBetween(80L, 100L);
            assertThat(number(connection, "SELECT COUNT(*) FROM rental")).isEqualTo(16_044);
            assertThat(number(connection, "SELECT COUNT(*) FROM payment WHERE rental_id IS NULL"))
                    .isEqualTo(5);
            assertThat(number(connection, "SELECT COUNT(*) FROM rental WHERE return_date IS NULL"))
                    .isBetween(100L, 500L);
            assertThat(rows(connection)).isEqualTo(store.rows());
            views(connection);
            keyCountsOn(connection);
        }
    }

    private static void views(Connection connection) throws SQLException {
        assertThat(number(connection, "SELECT COUNT(*) FROM film_list")).isEqualTo(1000);
        assertThat(number(connection, "SELECT COUNT(*) FROM customer_list")).isEqualTo(599);
        assertThat(number(connection, "SELECT COUNT(*) FROM staff_list")).isEqualTo(2);
        assertThat(number(connection, "SELECT COUNT(*) FROM sales_by_store")).isEqualTo(2);
        assertThat(number(connection, "SELECT SUM(total_sales) FROM sales_by_film_category"))
                .isEqualTo(
                        number(
                                connection,
                                "SELECT SUM(amount) FROM payment WHERE rental_id IS NOT NULL"));
    }

    /** A key to another table holds, and a row without its own key gets the next one. */
    private static void keyCountsOn(Connection connection) throws SQLException {
        assertThatThrownBy(() -> insertCity(connection, 110)).isInstanceOf(SQLException.class);
        insertCity(connection, 109);
        assertThat(number(connection, "SELECT MAX(city_id) FROM city")).isBetween(601L, 602L);
    }

    private static void insertCity(Connection connection, int country) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO city (city, country_id) VALUES ('X', " + country + ")");
        }
    }

    @ParameterizedTest
    @EnumSource
    void create_onlySomeTables_hasTheirRowsAndIndexes(TestDatabase.Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.create(kind);
                Connection connection = database.connect()) {
            FilmStore films = FilmStore.of(0.1).only("film");
            films.create(connection);

            assertThat(films.rows()).isEqualTo(100);
            assertThat(number(connection, "SELECT COUNT(*) FROM film WHERE length > 60"))
                    .isEqualTo(90);
            assertThatThrownBy(() -> number(connection, "SELECT COUNT(*) FROM language"))
                    .isInstanceOf(SQLException.class);
            List<String> indexes = new ArrayList<>();
            String name = kind == TestDatabase.Kind.H2 ? "FILM" : "film";
            try (ResultSet row =
                    connection
                            .getMetaData()
                            .getIndexInfo(
                                    connection.getCatalog(),
                                    connection.getSchema(),
                                    name,
                                    false,
                                    true)) {
                while (row.next()) {
                    indexes.add(row.getString("INDEX_NAME").toLowerCase(java.util.Locale.ROOT));
                }
            }
            assertThat(indexes).contains("film_title", "film_rating", "film_length");
        }
    }

    @Test
    void only_unknownTable_saysWhichThereAre() {
        assertThatThrownBy(() -> FilmStore.of(1).only("film", "films"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[film, films]: each must be one of [language, category,");
    }

    @Test
    void create_again_saysWhatIsThere() throws SQLException {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL);
                Connection connection = database.connect()) {
            FilmStore.of(0.01).create(connection);

            assertThatThrownBy(() -> FilmStore.of(0.01).create(connection))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("there is a table or view")
                    .hasMessageContaining("film_actor")
                    .hasMessageContaining("drop the old film store first");
            assertThat(number(connection, "SELECT COUNT(*) FROM film")).isEqualTo(10);

            FilmStore.drop(connection);
            FilmStore.drop(connection);
            FilmStore.of(0.02).create(connection);
            assertThat(number(connection, "SELECT COUNT(*) FROM film")).isEqualTo(20);
        }
    }

    @Test
    void create_failure_leavesNothing() throws SQLException {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.H2);
                Connection connection = database.connect()) {
            assertThatThrownBy(() ->
                            FilmStore.of(0.01)
                                    .create(
                                            connection,
                                            (doing, _, _) -> {
                                                if (doing.equals("filling payment")) {
                                                    throw new IllegalStateException("enough");
                                                }
                                            }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasNoSuppressedExceptions();
            assertThat(connection.getAutoCommit()).isTrue();
            FilmStore.of(0.01).create(connection);
        }
    }

    private static long rows(Connection connection) throws SQLException {
        long rows = 0;
        for (String table :
                List.of(
                        "actor",
                        "address",
                        "category",
                        "city",
                        "country",
                        "customer",
                        "film",
                        "film_actor",
                        "film_category",
                        "film_text",
                        "inventory",
                        "language",
                        "payment",
                        "rental",
                        "staff",
                        "store")) {
            rows += number(connection, "SELECT COUNT(*) FROM " + table);
        }
        return rows;
    }

    private static long number(Connection connection, String sql) throws SQLException {
        return Double.valueOf(column(connection, sql).getFirst()).longValue();
    }

    private static List<String> column(Connection connection, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
    }
}
