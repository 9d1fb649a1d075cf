package dev.penstock.codegen.schema;

import java.util.List;

/**
 * The constants of an enum and their texts in the database.
 *
 * @param databaseName the name of the database's own type, or what the schema file calls it; empty for an enum of one
 *     column
 * @param javaName the name of the class; empty until it has one
 * @param constants in their order
 */
public record Labels(String databaseName, String javaName, List<Constant> constants) {
    /**
     * A constant.
     *
     * @param text its text in the database
     * @param javaName its name; empty until it has one
     */
    public record Constant(String text, String javaName) {}

    public Labels {
        constants = List.copyOf(constants);
    }

    /** Constants that have no names yet. */
    static Labels of(String databaseName, List<String> texts) {
        return new Labels(
                databaseName, "", texts.stream().map(text -> new Constant(text, "")).toList());
    }

    /** Returns whether it is a file of its own, which several columns may use. */
    public boolean isShared() {
        return !databaseName.isEmpty();
    }
}
