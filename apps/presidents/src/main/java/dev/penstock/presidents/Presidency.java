package dev.penstock.presidents;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One time in office, as {@code presidents.txt} has it. Cleveland and Trump have two.
 *
 * @param number which one, counted from 1
 * @param name of the president
 * @param party theirs when they were elected
 * @param start first day
 * @param end last day, which is the next one's first; null for the incumbent
 * @param summary one paragraph
 */
record Presidency(
        int number,
        String name,
        String party,
        LocalDate start,
        @Nullable LocalDate end,
        String summary) {
    private static final String RESOURCE = "presidents.txt";

    Presidency {
        requireNonNull(name);
        requireNonNull(party);
        requireNonNull(start);
        if (summary.isBlank()) {
            throw new IllegalArgumentException("presidency " + number + " has no summary");
        }
    }

    /** Reads the portrait, a JPEG of 120 by 150 pixels. */
    byte[] picture() {
        return read("portraits/%02d.jpg".formatted(number));
    }

    /** Returns all of them, in order. */
    static List<Presidency> all() {
        return parse(new String(read(RESOURCE), StandardCharsets.UTF_8));
    }

    private static byte[] read(String resource) {
        try (InputStream in = requireNonNull(Presidency.class.getResourceAsStream(resource))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + resource, e);
        }
    }

    /**
     * Reads the text: blocks between blank lines, the first line of each the facts; lines that start with # don't
     * count.
     */
    static List<Presidency> parse(String text) {
        List<Presidency> all = new ArrayList<>();
        for (String block : text.split("\\R\\s*\\R", -1)) {
            List<String> lines =
                    block.lines().map(String::strip).filter(line -> !line.startsWith("#")).toList();
            if (!lines.isEmpty()) {
                all.add(parse(lines));
            }
        }
        return List.copyOf(all);
    }

    private static Presidency parse(List<String> lines) {
        String[] facts = lines.getFirst().split("\\|", -1);
        try {
            if (facts.length != 5) {
                throw new IllegalArgumentException(facts.length + " facts instead of 5");
            }
            String end = facts[4].strip();
            return new Presidency(
                    Integer.parseInt(facts[0].strip()),
                    facts[1].strip(),
                    facts[2].strip(),
                    LocalDate.parse(facts[3].strip()),
                    end.isEmpty() ? null : LocalDate.parse(end),
                    String.join(" ", lines.subList(1, lines.size())));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "in " + RESOURCE + " at \"" + lines.getFirst() + "\": " + e.getMessage(), e);
        }
    }
}
