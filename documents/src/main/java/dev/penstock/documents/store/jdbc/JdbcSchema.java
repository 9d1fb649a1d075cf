package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The tables of a collection and of the catalog, made where they are missing. */
final class JdbcSchema {
    /** PostgreSQL may fail to make a table that another makes at the same time; then it is there the next time. */
    private static final int MOST_TRIES = 3;

    private final DataSource dataSource;
    private final Dialect dialect;
    private final CollectionTables tables;

    JdbcSchema(DataSource dataSource, Dialect dialect, CollectionTables tables) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.tables = tables;
    }

    void create() throws SQLException {
        for (int tried = 1; ; tried++) {
            try {
                createOnce();
                return;
            } catch (SQLException e) {
                if (tried == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    private void createOnce() throws SQLException {
        String id = dialect.idType() + " NOT NULL";
        table(CollectionTables.COLLECTIONS, "name VARCHAR(40) NOT NULL PRIMARY KEY");
        table(
                CollectionTables.ENTRIES,
                "name VARCHAR(40) NOT NULL, hash VARCHAR(64) NOT NULL, entry "
                        + dialect.bytesType()
                        + " NOT NULL, PRIMARY KEY (name, hash)");
        table(
                CollectionTables.INDEXES,
                "name VARCHAR(40) NOT NULL, number INT NOT NULL, path "
                        + dialect.bytesType()
                        + " NOT NULL, PRIMARY KEY (name, number)");
        table(
                tables.documents(),
                "id "
                        + id
                        + " PRIMARY KEY, version BIGINT NOT NULL, parts INT NOT NULL, doc "
                        + dialect.jsonType());
        index(tables.documents(), "parts");
        table(
                tables.parts(),
                "id "
                        + id
                        + ", version BIGINT NOT NULL, number INT NOT NULL, part "
                        + dialect.bytesType()
                        + " NOT NULL, PRIMARY KEY (id, version, number)");
        if (dialect.textTable()) {
            textTable(id);
        }
        addCollection();
    }

    private void textTable(String id) throws SQLException {
        table(
                tables.texts(),
                "path INT NOT NULL, text "
                        + dialect.keyType(TextIndex.KEY_BYTES)
                        + " NOT NULL, id "
                        + id
                        + ", PRIMARY KEY (path, text, id)");
        index(tables.texts(), "id");
    }

    private void index(String table, String column) throws SQLException {
        String name = table + "__by_" + column;
        boolean there;
        try (var transaction = new JdbcTransaction(dataSource)) {
            there = transaction.hasIndex(table, name);
        }
        if (!there) {
            run("CREATE INDEX " + name + " ON " + table + " (" + column + ")");
        }
    }

    private void addCollection() throws SQLException {
        try (var transaction = new JdbcTransaction(dataSource)) {
            transaction.update(
                    dialect.insertIfAbsent(CollectionTables.COLLECTIONS, "name", 1, "name"),
                    tables.collection());
            transaction.commit();
        }
    }

    private void table(String name, String columns) throws SQLException {
        run("CREATE TABLE IF NOT EXISTS " + name + " (" + columns + ")" + dialect.tableOptions());
    }

    private void run(String sql) throws SQLException {
        try (var transaction = new JdbcTransaction(dataSource)) {
            transaction.execute(sql);
            transaction.commit();
        }
    }
}
