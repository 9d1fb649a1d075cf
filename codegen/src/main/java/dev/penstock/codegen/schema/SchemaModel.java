package dev.penstock.codegen.schema;

import java.util.List;

/**
 * The tables, views and enums of a schema with the names that they get in Java, and what is left out or mapped.
 *
 * @param labels the enums that are files of their own
 * @param tables in the order of the file
 * @param comments of the file
 * @param leftOut what the database has and no code can be generated for, each in words
 */
public record SchemaModel(
        List<Labels> labels, List<TableModel> tables, Comments comments, List<String> leftOut) {
    public SchemaModel {
        labels = List.copyOf(labels);
        tables = List.copyOf(tables);
        leftOut = List.copyOf(leftOut);
    }

    /** The same with other names. */
    SchemaModel with(List<Labels> labels, List<TableModel> tables) {
        return new SchemaModel(labels, tables, comments, leftOut);
    }
}
