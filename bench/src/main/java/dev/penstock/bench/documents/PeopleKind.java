package dev.penstock.bench.documents;

import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.databases.TestDatabase;
import java.nio.file.Path;
import java.sql.SQLException;

/** A way to hold people: a collection in a database, or a column of PostgreSQL's type {@code xml}. */
enum PeopleKind {
    POSTGRESQL("PostgreSQL"),
    MARIADB("MariaDB"),
    SQLITE("SQLite"),
    H2("H2"),
    XML("xml column, PostgreSQL"),
    XML_INDEXED("xml column with an index");

    private final String label;

    PeopleKind(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }

    /** Returns whether it is Penstock's. */
    boolean isCollection() {
        return this != XML && this != XML_INDEXED;
    }

    /** Returns whether its database is a file that the child opens, and no server. */
    boolean isFile() {
        return this == SQLITE || this == H2;
    }

    TestDatabase.Kind server() {
        return this == MARIADB ? TestDatabase.Kind.MARIADB : TestDatabase.Kind.POSTGRESQL;
    }

    /** Returns a new file's address. Neither waits for the disk at each commit, as the servers here don't. */
    DatabaseAddress file(Path file) {
        return this == H2
                ? new DatabaseAddress("jdbc:h2:file:" + file.toAbsolutePath(), "sa", "")
                : new DatabaseAddress(
                        "jdbc:sqlite:%s?journal_mode=WAL&synchronous=OFF&busy_timeout=60000"
                                .formatted(file.toAbsolutePath()),
                        "",
                        "");
    }

    /**
     * Opens an empty store.
     *
     * @param name of its collection or table
     */
    PeopleStore open(DatabaseAddress address, String name, int connections) throws SQLException {
        return isCollection()
                ? new CollectionPeople(this, address, name, connections)
                : new XmlColumnPeople(this == XML_INDEXED, address, name, connections);
    }
}
