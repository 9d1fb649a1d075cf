package dev.penstock.codegen.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The comments of a schema file, each at what it was written for, so that they stay when the schema is read anew.
 * Immutable.
 */
public final class Comments {
    static final Comments NONE = new Comments(Map.of());

    /** What stands at the beginning of a file. */
    static final List<String> START = List.of("start");

    /** What stands at the end of a file. */
    static final List<String> END = List.of("end");

    private record Comment(List<String> above, String behind) {}

    private final Map<List<String>, Comment> comments;

    private Comments(Map<List<String>, Comment> comments) {
        this.comments = Map.copyOf(comments);
    }

    static List<String> place(Labels labels) {
        return List.of("enum", labels.databaseName());
    }

    static List<String> place(TableModel table) {
        return List.of("table", table.name());
    }

    static List<String> place(TableModel table, ColumnModel column) {
        return List.of("column", table.name(), column.name());
    }

    static List<String> keyPlace(TableModel table) {
        return List.of("key", table.name());
    }

    static List<String> place(TableModel table, Reference reference) {
        List<String> place = new ArrayList<>(List.of("reference", table.name()));
        place.addAll(reference.columns());
        place.add(reference.table());
        place.addAll(reference.targets());
        return List.copyOf(place);
    }

    /** The lines of comment above a place. */
    List<String> above(List<String> place) {
        Comment comment = comments.get(place);
        return comment == null ? List.of() : comment.above();
    }

    /** The comment behind a line; empty where there is none. */
    String behind(List<String> place) {
        Comment comment = comments.get(place);
        return comment == null ? "" : comment.behind();
    }

    /** Gathers comments in the order of a file. Not thread-safe. */
    static final class Builder {
        private final Map<List<String>, Comment> comments = new HashMap<>();
        private final List<String> pending = new ArrayList<>();

        /** A comment for whatever comes next. */
        void add(String comment) {
            if (!comment.isEmpty()) {
                pending.add(comment);
            }
        }

        /** What the comments so far, and the one behind it, were written for. */
        void put(List<String> place, String behind) {
            if (!pending.isEmpty() || !behind.isEmpty()) {
                comments.put(place, new Comment(List.copyOf(pending), behind));
                pending.clear();
            }
        }

        Comments build() {
            put(END, "");
            return new Comments(comments);
        }
    }
}
