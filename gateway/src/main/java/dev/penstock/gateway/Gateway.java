package dev.penstock.gateway;

import dev.penstock.query.sql.Database;

/** Serves the tables and views of a database. */
public final class Gateway {
    private final Database database;

    public Gateway(Database database) {
        this.database = database;
    }

    /** What is served. */
    public Database database() {
        return database;
    }
}
