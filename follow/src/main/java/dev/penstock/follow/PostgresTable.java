package dev.penstock.follow;

import dev.penstock.query.Column;
import dev.penstock.query.Table;
import dev.penstock.snapshot.ChangeFeed;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A table as PostgreSQL's log describes it: where the columns of its key are in the rows there. Collects the keys that
 * one transaction has changed. Not thread-safe.
 */
final class PostgresTable {
    private static final int NAME = 19;
    private static final int TEXT = 25;
    private static final int BPCHAR = 1042;
    private static final int VARCHAR = 1043;

    private static final DateTimeFormatter TIMESTAMP =
            new DateTimeFormatterBuilder()
                    .append(DateTimeFormatter.ISO_LOCAL_DATE)
                    .appendLiteral(' ')
                    .append(DateTimeFormatter.ISO_LOCAL_TIME)
                    .toFormatter();

    private static final DateTimeFormatter TIMESTAMP_UTC =
            new DateTimeFormatterBuilder()
                    .append(TIMESTAMP)
                    .appendOffset("+HH:mm:ss", "+00")
                    .toFormatter();

    /**
     * A column of the key.
     *
     * @param place where it is in a row of the log
     * @param type the number of its type in the log
     */
    private record KeyColumn(Column column, int place, int type) {}

    private final Table table;
    private final PgOutput.Relation relation;

    /** In the order of the primary key; empty where the log can't tell a key. */
    private final List<KeyColumn> key;

    private final Set<List<Object>> keys = new HashSet<>();
    private boolean isWhole;

    private PostgresTable(Table table, PgOutput.Relation relation, List<KeyColumn> key) {
        this.table = table;
        this.relation = relation;
        this.key = key;
    }

    /** Returns a table of the schema as the log describes it. */
    static PostgresTable of(Table table, PgOutput.Relation relation) {
        List<KeyColumn> key = new ArrayList<>();
        for (String name : table.primaryKey()) {
            for (int i = 0; i < relation.columns().size(); i++) {
                PgOutput.Attribute attribute = relation.columns().get(i);
                boolean isTold = attribute.isIdentity() || relation.identity() == 'f';
                if (attribute.name().equals(name) && isTold) {
                    key.add(new KeyColumn(table.column(name), i, attribute.type()));
                }
            }
        }
        boolean isComplete = key.size() == table.primaryKey().size();
        return new PostgresTable(table, relation, isComplete ? key : List.of());
    }

    Table table() {
        return table;
    }

    /** Returns whether the log describes it so. */
    boolean isAs(PgOutput.Relation other) {
        return relation.equals(other);
    }

    /** Takes notice of a change of a row. */
    void add(PgOutput.Change change) {
        PgOutput.Tuple before = change.before();
        PgOutput.Tuple after = change.after();
        if (before != null) {
            add(key(before, before));
        }
        if (after != null) {
            // A long value that has not changed is not sent again after the change.
            add(key(after, before == null ? after : before));
        }
    }

    private void add(@Nullable List<Object> changed) {
        if (isWhole) {
            return;
        }
        if (changed == null) {
            addAll();
            return;
        }
        keys.add(changed);
        if (keys.size() > ChangeFeed.MOST_KEYS) {
            addAll();
        }
    }

    /** Takes notice that any row may have changed. */
    void addAll() {
        isWhole = true;
        keys.clear();
    }

    /** Returns what has changed since the last call; null where nothing has. */
    @Nullable ChangedRows taken() {
        if (!isWhole && keys.isEmpty()) {
            return null;
        }
        ChangedRows rows = isWhole ? new ChangedRows.All() : new ChangedRows.Keys(keys);
        isWhole = false;
        keys.clear();
        return rows;
    }

    /** Returns a row's key; null where it is not known. */
    private @Nullable List<Object> key(PgOutput.Tuple row, PgOutput.Tuple otherwise) {
        if (key.isEmpty()) {
            return null;
        }
        List<Object> values = new ArrayList<>(key.size());
        for (KeyColumn column : key) {
            String text = row.cell(column.place);
            if (text == null) {
                text = otherwise.cell(column.place);
            }
            Object value = text == null ? null : value(column, text);
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        return values;
    }

    /** Returns a value of the log as plans have it; null where that can't be said exactly. */
    private static @Nullable Object value(KeyColumn key, String text) {
        try {
            return switch (key.column.type()) {
                case BOOLEAN -> text.equals("t");
                case INT -> Integer.valueOf(text);
                case LONG -> Long.valueOf(text);
                case DECIMAL -> new BigDecimal(text);
                case TEXT -> text(key, text);
                case DATE -> LocalDate.parse(text);
                case TIME -> text.startsWith("24") ? null : LocalTime.parse(text);
                case TIMESTAMP -> LocalDateTime.parse(text, TIMESTAMP);
                case TIMESTAMP_UTC -> OffsetDateTime.parse(text, TIMESTAMP_UTC).toInstant();
                case UUID -> UUID.fromString(text);
                case FLOAT, DOUBLE, BINARY, JSON, OTHER -> null;
            };
        } catch (DateTimeException | IllegalArgumentException e) {
            // Infinity, what is no number, and years that are written in another way.
            return null;
        }
    }

    private static @Nullable String text(KeyColumn key, String text) {
        return switch (key.type) {
            case TEXT, VARCHAR, NAME -> text;
            case BPCHAR -> text.replaceFirst(" +\\z", "");
            default -> key.column.nativeType().labels().contains(text) ? text : null;
        };
    }
}
