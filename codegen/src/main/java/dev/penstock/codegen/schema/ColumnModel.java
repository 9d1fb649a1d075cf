package dev.penstock.codegen.schema;

import static java.util.Objects.requireNonNull;

import dev.penstock.codegen.naming.JavadocText;
import dev.penstock.query.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * A column of the database, with its name and type in Java.
 *
 * @param name its name in the database
 * @param type what it holds
 * @param databaseType the database's own name of the type
 * @param nullable whether it may be NULL
 * @param generated whether the database computes it
 * @param excluded whether it is left out
 * @param javaName the name of the component; empty until it has one
 * @param constant the name of the field; empty until it has one
 * @param javaType what the value is in Java
 * @param labels the enum that it is; null where it is none
 * @param comment what the database's comment says of it; empty where it has none
 */
public record ColumnModel(
        String name,
        ColumnType type,
        String databaseType,
        boolean nullable,
        boolean generated,
        boolean excluded,
        String javaName,
        String constant,
        JavaType javaType,
        @Nullable Labels labels,
        String comment) {
    public ColumnModel {
        requireNonNull(type);
        requireNonNull(javaType);
        comment = JavadocText.bounded(comment);
    }

    ColumnModel withNames(String javaName, String constant) {
        return with(excluded, javaName, constant, javaType, labels);
    }

    ColumnModel withTarget(JavaType javaType, @Nullable Labels labels) {
        return with(excluded, javaName, constant, javaType, labels);
    }

    ColumnModel withComment(String comment) {
        return new ColumnModel(
                name,
                type,
                databaseType,
                nullable,
                generated,
                excluded,
                javaName,
                constant,
                javaType,
                labels,
                comment);
    }

    ColumnModel withExcluded(boolean excluded) {
        return with(excluded, javaName, constant, javaType, labels);
    }

    /** The same column of the database, with other choices. */
    private ColumnModel with(
            boolean excluded,
            String javaName,
            String constant,
            JavaType javaType,
            @Nullable Labels labels) {
        return new ColumnModel(
                name,
                type,
                databaseType,
                nullable,
                generated,
                excluded,
                javaName,
                constant,
                javaType,
                labels,
                comment);
    }
}
