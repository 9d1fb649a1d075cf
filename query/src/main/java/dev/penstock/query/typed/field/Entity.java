package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The description of a table in generated code: the class of its rows, its columns, and the reader of a row. Immutable.
 *
 * @param <R> the class of a row
 */
public final class Entity<R> extends TableSelection<R> {
    private final Class<R> type;
    private final @Nullable String schema;
    private final String table;
    private final RowReader<R> reader;
    private final List<Field<R, ?>> fields;
    private final List<Field<R, ?>> key;

    private Entity(
            Class<R> type,
            @Nullable String schema,
            String table,
            RowReader<R> reader,
            List<? extends Field<R, ?>> fields,
            List<? extends Field<R, ?>> key) {
        this.type = requireNonNull(type);
        this.schema = schema;
        this.table = requireNonNull(table);
        this.reader = requireNonNull(reader);
        this.fields = List.copyOf(fields);
        this.key = List.copyOf(key);
        if (fields.isEmpty()) {
            throw wrong("has no field");
        }
        Set<String> columns = new HashSet<>();
        for (Field<R, ?> field : fields) {
            if (field.entity() != type) {
                throw wrong("has the field " + field + ", which is another entity's");
            }
            if (!columns.add(field.column())) {
                throw wrong("has two fields of the column " + field.column());
            }
        }
        for (Field<R, ?> field : key) {
            if (!this.fields.contains(field)) {
                throw wrong("has " + field + " in its key, which is none of its fields");
            }
        }
    }

    /**
     * Returns the entity of a table in the schema that the database was opened with.
     *
     * @param type the class of a row
     * @param table the table's name in the database
     * @param reader makes a row of a cursor that has the fields' columns, in their order
     * @param fields every field that the class has
     * @param key the fields of the primary key, in key order; none where there is no key
     */
    public static <R> Entity<R> of(
            Class<R> type,
            String table,
            RowReader<R> reader,
            List<? extends Field<R, ?>> fields,
            List<? extends Field<R, ?>> key) {
        return new Entity<>(type, null, table, reader, fields, key);
    }

    /** Returns the entity of a table in a named schema. */
    public static <R> Entity<R> of(
            Class<R> type,
            @Nullable String schema,
            String table,
            RowReader<R> reader,
            List<? extends Field<R, ?>> fields,
            List<? extends Field<R, ?>> key) {
        return new Entity<>(type, schema, table, reader, fields, key);
    }

    /** Returns the class of a row. */
    public Class<R> type() {
        return type;
    }

    /** Returns the name of the schema that holds the table; null for the one that the database was opened with. */
    public @Nullable String schema() {
        return schema;
    }

    /** Returns the table's name in the database. */
    public String table() {
        return table;
    }

    /** Returns the reader of a row. */
    public RowReader<R> reader() {
        return reader;
    }

    @Override
    public Entity<R> entity() {
        return this;
    }

    /** Returns nothing: every row belongs to the table. */
    @Override
    public Optional<Condition<R>> condition() {
        return Optional.empty();
    }

    /** Returns every field, in the order in which the reader reads them. */
    @Override
    public List<Field<R, ?>> fields() {
        return fields;
    }

    /** Returns the fields of the primary key; none where there is no key. */
    public List<Field<R, ?>> key() {
        return key;
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(
                "entity %s of table %s %s".formatted(type.getSimpleName(), table, what));
    }

    /** Returns the class's and the table's name. */
    @Override
    public String toString() {
        return type.getSimpleName() + " (table " + table + ")";
    }
}
