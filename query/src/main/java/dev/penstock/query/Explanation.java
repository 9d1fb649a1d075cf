package dev.penstock.query;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;

/**
 * A description of what an engine does with a plan, for people. Nowhere in it is a value that the query binds.
 *
 * @param engine the engine's name
 * @param plan the plan in words
 * @param sql what it sends to a database, with a {@code ?} for each value; empty where there is no SQL
 * @param notes what else there is to know, such as that a table has no key
 */
public record Explanation(String engine, String plan, String sql, List<String> notes) {
    public Explanation {
        requireNonNull(engine);
        requireNonNull(plan);
        requireNonNull(sql);
        notes = List.copyOf(notes);
    }

    /**
     * With the plan in words, and after the given notes what a reader should know of the tables, such as that one has
     * no key.
     */
    public static Explanation of(String engine, Plan plan, String sql, List<String> notes) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(PlanDescription.notes(plan));
        return new Explanation(engine, PlanDescription.of(plan), sql, all);
    }

    /** Returns all of it, a line each. */
    public String text() {
        StringBuilder text = new StringBuilder("plan: ").append(plan).append('\n');
        text.append("engine: ").append(engine).append('\n');
        if (!sql.isEmpty()) {
            text.append("SQL: ").append(sql).append('\n');
        }
        notes.forEach(note -> text.append("note: ").append(note).append('\n'));
        return text.toString();
    }
}
