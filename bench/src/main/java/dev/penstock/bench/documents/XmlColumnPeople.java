package dev.penstock.bench.documents;

import dev.penstock.bench.server.DatabaseAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** People in a column of PostgreSQL's type {@code xml}, asked by {@code xpath()}: what one does without Penstock. */
final class XmlColumnPeople extends PooledPeople {
    /** As many documents are loaded in one statement. */
    private static final int BATCH = 500;

    private static final String ID = "((xpath('/person/@id', doc))[1]::text)";

    /**
     * @param indexed whether an index is on the attribute {@code id}
     */
    XmlColumnPeople(boolean indexed, DatabaseAddress address, String name, int connections)
            throws SQLException {
        super("xml__" + name, address.pool(connections));
        execute("CREATE TABLE " + table + " (id varchar(200) PRIMARY KEY, doc xml NOT NULL)");
        if (indexed) {
            execute("CREATE INDEX " + table + "__id ON " + table + " (" + ID + ")");
        }
    }

    @Override
    public void insert(String xml) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(
                                "INSERT INTO " + table + " (id, doc) VALUES (?, ?::xml)")) {
            statement.setString(1, UUID.randomUUID().toString());
            statement.setString(2, xml);
            statement.executeUpdate();
        }
    }

    @Override
    public void load(long from, long count) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(
                                "INSERT INTO "
                                        + table
                                        + " (id, doc) SELECT * FROM unnest(?::text[], ?::xml[])")) {
            for (long next = from; next < from + count; next += BATCH) {
                List<String> ids = new ArrayList<>();
                List<String> documents = new ArrayList<>();
                for (long i = next; i < Math.min(next + BATCH, from + count); i++) {
                    ids.add("%032d".formatted(i));
                    documents.add(People.person(i));
                }
                statement.setArray(1, connection.createArrayOf("text", ids.toArray()));
                statement.setArray(2, connection.createArrayOf("text", documents.toArray()));
                statement.executeUpdate();
            }
        }
    }

    @Override
    public void analyse() throws SQLException {
        execute("VACUUM ANALYZE " + table);
    }

    @Override
    public List<String> find(PeopleQuestion question, long number) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(
                                "SELECT doc::text FROM "
                                        + table
                                        + " WHERE "
                                        + (question.asksForId()
                                                ? ID + " = ?"
                                                : "xpath_exists(?, doc)")
                                        + " ORDER BY id")) {
            statement.setString(
                    1, question.asksForId() ? Long.toString(number) : question.xpath(number));
            try (ResultSet rows = statement.executeQuery()) {
                List<String> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
                return found;
            }
        }
    }

    @Override
    public long bytes() throws SQLException {
        return number("SELECT pg_total_relation_size(?::regclass)");
    }
}
