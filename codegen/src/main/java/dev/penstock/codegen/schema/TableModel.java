package dev.penstock.codegen.schema;

import dev.penstock.codegen.naming.JavadocText;
import java.util.List;
import java.util.Optional;

/**
 * A table or view of the database, with its class in Java.
 *
 * @param name its name in the database
 * @param view whether it is a view
 * @param excluded whether it is left out
 * @param javaName the name of the class; empty until it has one
 * @param interfaces names of interfaces that the class implements
 * @param columns in their order
 * @param key the names of the primary key's columns, in key order
 * @param references the foreign keys
 * @param comment what the database's comment says of it; empty where it has none
 */
public record TableModel(
        String name,
        boolean view,
        boolean excluded,
        String javaName,
        List<String> interfaces,
        List<ColumnModel> columns,
        List<String> key,
        List<Reference> references,
        String comment) {
    public TableModel {
        interfaces = List.copyOf(interfaces);
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        references = List.copyOf(references);
        comment = JavadocText.bounded(comment);
    }

    public Optional<ColumnModel> column(String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    /** The columns that are not left out. */
    public List<ColumnModel> shown() {
        return columns.stream().filter(column -> !column.excluded()).toList();
    }

    /** Returns whether every one of these columns is there and not left out. */
    public boolean shows(List<String> names) {
        return names.stream().allMatch(name -> column(name).filter(c -> !c.excluded()).isPresent());
    }

    /** Returns whether both ends of a foreign key of this table are there, and are of like types. */
    boolean canRefer(Reference reference, TableModel target) {
        for (int i = 0; i < reference.columns().size(); i++) {
            Optional<ColumnModel> from = column(reference.columns().get(i));
            Optional<ColumnModel> to = target.column(reference.targets().get(i));
            if (from.isEmpty()
                    || to.isEmpty()
                    || !from.get().javaType().isLike(to.get().javaType())) {
                return false;
            }
        }
        return true;
    }

    TableModel withJavaName(String javaName) {
        return new TableModel(
                name, view, excluded, javaName, interfaces, columns, key, references, comment);
    }

    TableModel withColumns(List<ColumnModel> columns) {
        return new TableModel(
                name, view, excluded, javaName, interfaces, columns, key, references, comment);
    }

    TableModel withKey(List<String> key) {
        return new TableModel(
                name, view, excluded, javaName, interfaces, columns, key, references, comment);
    }

    TableModel withReferences(List<Reference> references) {
        return new TableModel(
                name, view, excluded, javaName, interfaces, columns, key, references, comment);
    }
}
