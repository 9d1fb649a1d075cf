package dev.penstock.query;

import static java.util.Objects.requireNonNull;

/**
 * A column of a table or view, as it was read from the database's schema.
 *
 * @param name the name in the database, exactly
 * @param type what it holds
 * @param databaseType the database's own name of the type, such as {@code character varying(44)}
 * @param nullable whether it may hold NULL
 * @param maxBytes an upper bound of one value's canonical text in bytes of UTF-8, from the declared type; or {@link
 *     #UNBOUNDED}
 * @param nativeType what the database itself knows of the type
 */
public record Column(
        String name,
        ColumnType type,
        String databaseType,
        boolean nullable,
        int maxBytes,
        NativeType nativeType) {
    /** The bound of a column that declares none, such as {@code text}, {@code jsonb} or {@code bytea}. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    public Column {
        requireNonNull(name);
        requireNonNull(type);
        requireNonNull(databaseType);
        requireNonNull(nativeType);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a column's name is empty");
        }
        if (maxBytes <= 0) {
            throw new IllegalArgumentException(
                    "column " + name + ": maxBytes " + maxBytes + " is not positive");
        }
    }

    /** A column that compares as its type says. */
    public Column(
            String name, ColumnType type, String databaseType, boolean nullable, int maxBytes) {
        this(name, type, databaseType, nullable, maxBytes, NativeType.CANONICAL);
    }

    /** Returns the same column of another type in the database. */
    public Column of(NativeType other) {
        return new Column(name, type, databaseType, nullable, maxBytes, other);
    }

    /** Returns the same column under another name. */
    public Column named(String other) {
        return name.equals(other)
                ? this
                : new Column(other, type, databaseType, nullable, maxBytes, nativeType);
    }
}
