package dev.penstock.bench.documents;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.documents.collection.DocumentCollection;
import dev.penstock.documents.collection.Documents;
import dev.penstock.documents.collection.XmlDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** People in a collection of Penstock's. */
final class CollectionPeople implements PeopleStore {
    private final PeopleKind kind;
    private final String table;
    private final HikariDataSource pool;
    private final DocumentCollection people;

    CollectionPeople(PeopleKind kind, DatabaseAddress address, String name, int connections) {
        this.kind = kind;
        table = "doc__" + name;
        pool = address.pool(connections);
        people = Documents.open(pool).collection(name);
        people.index("person.@id");
    }

    @Override
    public void insert(String xml) {
        people.insert(xml);
    }

    @Override
    public void load(long from, long count) {
        long loaded = people.load(People.document(from, count), People.RECORD, _ -> {});
        if (loaded != count) {
            throw new IllegalStateException(loaded + " people were loaded, and not " + count);
        }
    }

    @Override
    public void analyse() throws SQLException {
        switch (kind) {
            case POSTGRESQL -> execute("VACUUM ANALYZE " + table);
            case MARIADB -> execute("ANALYZE TABLE " + table + ", " + table + "__texts");
            case SQLITE, H2 -> execute("ANALYZE");
            case XML, XML_INDEXED -> throw new IllegalStateException(kind + " is no collection");
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public List<String> find(PeopleQuestion question, long number) {
        try (Stream<XmlDocument> found =
                question == PeopleQuestion.PATH
                        ? people.findByPath("person.@id = " + number)
                        : people.find(question.xpath(number))) {
            return found.map(XmlDocument::xml).toList();
        }
    }

    @Override
    public long bytes() throws SQLException, IOException {
        return switch (kind) {
            case POSTGRESQL ->
                    sum(
                            """
                            SELECT SUM(pg_total_relation_size(oid)) FROM pg_class
                            WHERE relkind = 'r' AND split_part(relname, '__', 2) = split_part(?, '__', 2)
                            AND relname LIKE 'doc%'
                            """);
            case MARIADB ->
                    sum(
                            """
                            SELECT SUM(file_size) FROM information_schema.innodb_sys_tablespaces
                            WHERE CONCAT(SUBSTRING_INDEX(name, '/', -1), '__') LIKE CONCAT(?, '\\_\\_%')
                            AND SUBSTRING_INDEX(name, '/', 1) = DATABASE()
                            """);
            case SQLITE -> {
                execute("PRAGMA wal_checkpoint(TRUNCATE)");
                yield file(pool.getJdbcUrl().replaceAll("^jdbc:sqlite:|\\?.*", ""));
            }
            case H2 -> {
                // The last connection closes the database, which gives back room that nothing is
                // in.
                pool.close();
                yield file(pool.getJdbcUrl().substring("jdbc:h2:file:".length()) + ".mv.db");
            }
            case XML, XML_INDEXED -> throw new IllegalStateException(kind + " is no collection");
        };
    }

    private static long file(String name) throws IOException {
        return Files.size(Path.of(name));
    }

    private long sum(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, table);
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
