package dev.penstock.bench.documents;

import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.documents.collection.DocumentCollection;
import dev.penstock.documents.collection.Documents;
import dev.penstock.documents.collection.XmlDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** People in a collection of Penstock's. */
final class CollectionPeople extends PooledPeople {
    private final PeopleKind kind;
    private final DocumentCollection people;

    CollectionPeople(PeopleKind kind, DatabaseAddress address, String name, int connections) {
        super("doc__" + name, address.pool(connections));
        this.kind = kind;
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
                    number(
                            """
                            SELECT SUM(pg_total_relation_size(oid)) FROM pg_class
                            WHERE relkind = 'r' AND split_part(relname, '__', 2) = split_part(?, '__', 2)
                            AND relname LIKE 'doc%'
                            """);
            case MARIADB ->
                    number(
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
}
