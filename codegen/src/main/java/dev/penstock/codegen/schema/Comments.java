package dev.penstock.codegen.schema;

import dev.penstock.codegen.schema.SchemaNode.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The comments of a schema file, each at what it was written for, so that they stay when the schema is read again.
 * Immutable.
 */
public final class Comments {
    static final Comments NONE = new Comments(Map.of());

    /** The place of the file's first line. */
    static final List<String> START = List.of("start");

    /** The place behind all others. */
    static final List<String> END = List.of("end");

    private record Comment(List<String> above, String behind) {}

    private final Map<List<String>, Comment> comments;

    private Comments(Map<List<String>, Comment> comments) {
        this.comments = Map.copyOf(comments);
    }

    /** The place of a member of the file, by the names from the outermost on. */
    static List<String> place(String... names) {
        return List.of(names);
    }

    static List<String> place(Labels labels) {
        return place("enums", labels.databaseName());
    }

    static List<String> place(TableModel table, Reference reference) {
        List<String> place = new ArrayList<>(place("tables", table.name(), "references"));
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

    /** A collector of the comments of a file. Not thread-safe. */
    static final class Builder {
        private final Map<List<String>, Comment> comments = new HashMap<>();

        /** Keeps the comments of a member, those inside its value with it. */
        void put(List<String> place, Member member) {
            put(place, member.above(), member.behind());
        }

        /** Keeps the comments of a member whose value has places of its own. */
        void putHead(List<String> place, Member member) {
            put(place, member.above(), member.behindName());
        }

        /** Keeps the comments of a place: of those behind it the first stays there, and the others go above it. */
        void put(List<String> place, List<String> above, List<String> behind) {
            List<String> lines = new ArrayList<>(above);
            lines.removeIf(SchemaText::isHead);
            if (behind.size() > 1) {
                lines.addAll(behind.subList(1, behind.size()));
            }
            if (!lines.isEmpty() || !behind.isEmpty()) {
                comments.put(
                        place,
                        new Comment(List.copyOf(lines), behind.isEmpty() ? "" : behind.getFirst()));
            }
        }

        Comments build() {
            return new Comments(comments);
        }
    }
}
