package dev.penstock.snapshot;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.TextField;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** A row of the table that snapshots are tested with. */
record Film(int id, String title, Integer length, long changed) {
    static final IntField<Film> ID = IntField.of(Film.class, "id", Film::id);
    static final TextField<Film> TITLE = TextField.nullable(Film.class, "title", Film::title);
    static final IntField<Film> LENGTH = IntField.nullable(Film.class, "length", Film::length);
    static final LongField<Film> CHANGED = LongField.of(Film.class, "changed", Film::changed);

    static final Entity<Film> TABLE =
            Entity.of(
                    Film.class,
                    "films",
                    row ->
                            new Film(
                                    row.getInt(0),
                                    row.getString(1),
                                    row.isNull(2) ? null : row.getInt(2),
                                    row.getLong(3)),
                    List.of(ID, TITLE, LENGTH, CHANGED),
                    List.of(ID));

    /** A database with so many films and a table of something else. */
    static TestDatabase database(Kind kind, int films) {
        TestDatabase server = TestDatabase.create(kind);
        server.execute(
                "create table films (id int primary key, title varchar(200), length int, changed bigint not null)",
                "create table actors (id int primary key, name varchar(20))",
                "insert into actors values (1, 'PENELOPE')");
        insert(server, 1, films);
        return server;
    }

    /** Inserts films with these ids. */
    static void insert(TestDatabase server, int first, int last) {
        try (Connection connection = server.connect();
                PreparedStatement statement =
                        connection.prepareStatement("insert into films values (?, ?, ?, ?)")) {
            connection.setAutoCommit(false);
            for (int id = first; id <= last; id++) {
                statement.setInt(1, id);
                statement.setString(2, "A thoughtful tale of film number " + id + " and another");
                statement.setObject(3, id % 10 == 0 ? null : (Integer) (40 + id % 150));
                statement.setLong(4, id);
                statement.addBatch();
                if (id % 1000 == 0) {
                    statement.executeBatch();
                }
            }
            statement.executeBatch();
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
