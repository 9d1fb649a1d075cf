package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;

/** The choice of a dialect for a database. */
final class Dialects {
    private Dialects() {}

    /** The dialect of the database that a connection leads to. */
    static Dialect of(DataSource dataSource) {
        String product;
        try (Connection connection = dataSource.getConnection()) {
            DatabaseMetaData metaData = connection.getMetaData();
            product = metaData.getDatabaseProductName();
            // Through MySQL's driver, MariaDB tells what it is by its version only.
            if (metaData.getDatabaseProductVersion().toLowerCase(Locale.ROOT).contains("mariadb")) {
                product = "MariaDB";
            }
        } catch (SQLException e) {
            throw new DocumentException(
                    Kind.STORE, "the database can't be reached: " + e.getMessage(), e);
        }
        return switch (product) {
            case "PostgreSQL" -> new PostgresDialect();
            case "MariaDB" -> new MySqlDialect(true);
            case "MySQL" -> new MySqlDialect(false);
            case "SQLite" -> new SqliteDialect();
            case "H2" -> new H2Dialect();
            default ->
                    throw new DocumentException(
                            Kind.STORE,
                            "there is no store for documents in "
                                    + product
                                    + "; use PostgreSQL, MariaDB, MySQL, SQLite or H2");
        };
    }
}
