package dev.penstock.query.sql.schema;

import dev.penstock.query.Reference;
import dev.penstock.query.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reader of a schema's foreign keys, by one query of the dialect's. It gives a row for each column of each key, in
 * order: the key's name, its table, the column, the table that it names, and the column there.
 */
public final class ReferenceReader {
    private final List<Reference> references = new ArrayList<>();
    private final List<String> columns = new ArrayList<>();
    private final List<String> targetColumns = new ArrayList<>();
    private String key = "";
    private String table = "";
    private String target = "";

    private ReferenceReader() {}

    /**
     * Those between the given tables.
     *
     * @param sql the dialect's query, whose parameter is the schema's name; null where it has none
     */
    public static List<Reference> read(
            Connection connection, @Nullable String sql, List<Table> tables) throws SQLException {
        if (sql == null || tables.isEmpty()) {
            return List.of();
        }
        ReferenceReader reader = new ReferenceReader();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, tables.getFirst().schema());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    reader.add(row);
                }
            }
        }
        reader.end();
        return reader.references.stream()
                .filter(each -> has(tables, each.table()) && has(tables, each.target()))
                .toList();
    }

    private static boolean has(List<Table> tables, String name) {
        return tables.stream().anyMatch(table -> table.name().equals(name));
    }

    private void add(ResultSet row) throws SQLException {
        String nextKey = String.valueOf(row.getString(1));
        String nextTable = row.getString(2);
        if (!nextKey.equals(key) || !nextTable.equals(table)) {
            end();
            key = nextKey;
            table = nextTable;
            target = row.getString(4);
        }
        columns.add(row.getString(3));
        targetColumns.add(row.getString(5));
    }

    private void end() {
        if (!columns.isEmpty()) {
            references.add(new Reference(table, columns, target, targetColumns));
            columns.clear();
            targetColumns.clear();
        }
    }
}
