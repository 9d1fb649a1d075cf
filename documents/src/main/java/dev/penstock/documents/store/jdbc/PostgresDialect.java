package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.DocumentBuffer;
import dev.penstock.documents.store.JsonText;
import java.sql.SQLException;
import java.util.List;

/**
 * PostgreSQL: documents are {@code jsonb}, conditions are SQL/JSON paths in lax mode, which goes through arrays by
 * itself, and an index is a GIN index over the array of a path's texts, which holds long ones by their hash.
 */
final class PostgresDialect implements Dialect {
    /** A value that has a text: a string, null, or an object with no member {@code #text} but a string. */
    private static final String IS_STRING = "@.type() == \"string\"";

    private static final String HAS_MEMBER =
            "(@.type() == \"object\" && @.\"#text\".type() == \"string\")";
    private static final String IS_EMPTY =
            "(@ == null || (@.type() == \"object\" && !exists(@.\"#text\")))";

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public int depthLimit() {
        // Its parser goes deeper, as far as max_stack_depth; 1000 is within its smallest setting.
        return 1000;
    }

    @Override
    public long sizeLimit() {
        return DocumentBuffer.MEMORY_BYTES;
    }

    @Override
    public String idType() {
        return "varchar(200) COLLATE \"C\"";
    }

    @Override
    public String jsonType() {
        return "jsonb";
    }

    @Override
    public String keyType(int bytes) {
        return "bytea";
    }

    @Override
    public String bytesType() {
        return "bytea";
    }

    @Override
    public String jsonPlaceholder() {
        return "?::jsonb";
    }

    @Override
    public String insertIfAbsent(String table, String columns, int count, String keyColumns) {
        return Dialect.insert("INSERT", table, columns, count) + " ON CONFLICT DO NOTHING";
    }

    @Override
    public String writerLock() {
        return "SELECT name FROM " + CollectionTables.COLLECTIONS + " WHERE name = ? FOR SHARE";
    }

    @Override
    public String exclusiveLock() {
        return "SELECT name FROM " + CollectionTables.COLLECTIONS + " WHERE name = ? FOR UPDATE";
    }

    @Override
    public String snapshotStatement() {
        return "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ";
    }

    @Override
    public boolean findsFewFast() {
        return true;
    }

    @Override
    public boolean duplicate(SQLException failure) {
        return "23505".equals(failure.getSQLState());
    }

    @Override
    public boolean textTable() {
        return false;
    }

    @Override
    public List<String> indexStatements(TextIndex index) {
        return List.of(
                "CREATE INDEX "
                        + index.tables().texts()
                        + index.number()
                        + " ON "
                        + index.tables().documents()
                        + " USING gin (("
                        + texts(index.path())
                        + "))");
    }

    @Override
    public SqlCondition exists(List<String> path) {
        return SqlCondition.of("jsonb_path_exists(doc, ?::jsonpath)", values(path));
    }

    @Override
    public SqlCondition equal(List<String> path, String text) {
        String own = "(" + IS_STRING + " && @ == $v)";
        String member = "(" + HAS_MEMBER + " && @.\"#text\" == $v)";
        String empty = text.isEmpty() ? " || " + IS_EMPTY : "";
        return variable(path, own + " || " + member + empty, text);
    }

    @Override
    public SqlCondition startsWith(List<String> path, String prefix) {
        String own = "(" + IS_STRING + " && @ starts with $v)";
        String member = "(" + HAS_MEMBER + " && @.\"#text\" starts with $v)";
        String empty = prefix.isEmpty() ? " || " + IS_EMPTY : "";
        return variable(path, own + " || " + member + empty, prefix);
    }

    @Override
    public SqlCondition contains(List<String> path, String part) {
        if (part.isEmpty()) {
            return startsWith(path, part);
        }
        String some =
                "EXISTS (SELECT 1 FROM jsonb_path_query(doc, ?::jsonpath) AS v(json)"
                        + " WHERE position(?::text IN v.json #>> '{}') > 0)";
        return SqlCondition.of(some + " OR " + some, strings(path), part, members(path), part);
    }

    private static SqlCondition variable(List<String> path, String condition, String value) {
        return SqlCondition.of(
                "jsonb_path_exists(doc, ?::jsonpath, jsonb_build_object('v', ?::text))",
                values(path) + " ? (" + condition + ")",
                value);
    }

    /** The index holds texts whole or by hash and compares the document's again, so that it is exact. */
    @Override
    public SqlCondition equalByIndex(TextIndex index, String text, SqlCondition scan) {
        return SqlCondition.of("(" + texts(index.path()) + ") ?? ?::text", text)
                .servedBy(index.path());
    }

    @Override
    public SqlCondition startsWithByIndex(TextIndex index, String prefix, SqlCondition scan) {
        return scan;
    }

    /** The array of the texts at a path. Queries must spell it as the index does, so its paths are literals. */
    private static String texts(List<String> path) {
        return "jsonb_path_query_array(doc, "
                + literal(strings(path))
                + ") || jsonb_path_query_array(doc, "
                + literal(members(path))
                + ") || CASE WHEN jsonb_path_exists(doc, "
                + literal(values(path) + " ? " + IS_EMPTY)
                + ") THEN '[\"\"]'::jsonb ELSE '[]'::jsonb END";
    }

    private static String strings(List<String> path) {
        return values(path) + " ? (" + IS_STRING + ")";
    }

    private static String members(List<String> path) {
        return values(path) + " ? " + HAS_MEMBER + ".\"#text\"";
    }

    private static String values(List<String> path) {
        var values = new StringBuilder("$");
        for (String key : path) {
            values.append('.').append(JsonText.quoted(key));
        }
        return values.append("[*]").toString();
    }

    /** A literal, in the form that means the same whatever standard_conforming_strings is. */
    private static String literal(String path) {
        return "E'" + path.replace("\\", "\\\\").replace("'", "''") + "'::jsonpath";
    }
}
