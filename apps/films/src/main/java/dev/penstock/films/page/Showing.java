package dev.penstock.films.page;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.typed.TypedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A stream that the page shows.
 *
 * @param title a few words
 * @param text what is to be seen in it, in a sentence
 * @param java the program as it is written in {@link Showings}
 * @param table what it streams
 * @param program what it does with the stream
 * @param <R> the entity
 */
record Showing<R>(
        String title,
        String text,
        String java,
        TypedTable<R> table,
        Function<Stream<R>, ?> program) {
    /** Lines of an answer that the page has room for. */
    private static final int MAX_LINES = 6;

    /** How the lines begin that say more than the SQL does. */
    private static final List<String> NOTES = List.of("note: ", "in the JVM", "because: ");

    Showing {
        requireNonNull(title);
        requireNonNull(text);
        requireNonNull(java);
        requireNonNull(table);
        requireNonNull(program);
    }

    /**
     * The end of a showing, and its figures.
     *
     * @param sql what was sent to the database, with a mark for each value
     * @param notes what else there is to tell, a sentence each
     * @param lines the answer
     * @param nanoseconds how long it took
     */
    record Outcome(List<String> sql, List<String> notes, List<String> lines, long nanoseconds) {}

    /** Runs it: once to be told what becomes of it, and once to see how long it takes. */
    Outcome run() {
        List<String> sql = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (String line : table.explain(program).lines().toList()) {
            if (line.startsWith("SQL: ")) {
                sql.add(line.substring("SQL: ".length()));
            } else if (NOTES.stream().anyMatch(line::startsWith)) {
                notes.add(line);
            }
        }
        long start = System.nanoTime();
        Object answer = program.apply(table.stream());
        return new Outcome(sql, notes, lines(answer), System.nanoTime() - start);
    }

    private static List<String> lines(Object answer) {
        List<String> lines =
                switch (answer) {
                    case List<?> list -> list.stream().map(String::valueOf).toList();
                    case Map<?, ?> map ->
                            map.entrySet().stream()
                                    .map(entry -> entry.getKey() + " = " + entry.getValue())
                                    .sorted()
                                    .toList();
                    default -> List.of(answer.toString());
                };
        if (lines.size() <= MAX_LINES) {
            return lines;
        }
        List<String> some = new ArrayList<>(lines.subList(0, MAX_LINES));
        some.add("… and " + (lines.size() - MAX_LINES) + " more");
        return some;
    }
}
