package dev.penstock.codegen.schema;

import java.util.List;

/**
 * A foreign key.
 *
 * @param columns the names of the columns that refer
 * @param table the name of the table that is referred to
 * @param targets the names of the columns that are referred to, in the same order
 * @param constant the name of the foreign key in the class that refers; empty until it has one
 * @param others the name of its other direction, in the class that is referred to; empty until it has one
 */
public record Reference(
        List<String> columns, String table, List<String> targets, String constant, String others) {
    public Reference {
        columns = List.copyOf(columns);
        targets = List.copyOf(targets);
    }

    boolean isSame(Reference other) {
        return columns.equals(other.columns)
                && table.equals(other.table)
                && targets.equals(other.targets);
    }

    Reference withNames(String constant, String others) {
        return new Reference(columns, table, targets, constant, others);
    }
}
