package dev.penstock.gateway.request;

import dev.penstock.gateway.problem.Problems;
import dev.penstock.http.Exchange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The preferences of a request (RFC 7240). The first of several preferences of a name counts.
 *
 * @param count how the rows are counted that there are in all
 * @param handling {@code strict}, {@code lenient}, or empty where nothing is said
 * @param unknown what is asked for and not known here
 */
public record Preferences(Count count, String handling, List<String> unknown) {
    /** A way to get the total. */
    public enum Count {
        NONE,
        /** By counting. */
        EXACT,
        /** As the database's planner expects it. */
        PLANNED,
        /** By counting up to a number; as the planner expects it where there are more. */
        ESTIMATED
    }

    public Preferences {
        unknown = List.copyOf(unknown);
    }

    public static Preferences of(Exchange exchange) {
        Count count = Count.NONE;
        String handling = "";
        List<String> unknown = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String each : String.join(",", exchange.headers("Prefer")).split(",", 100)) {
            int parameters = each.indexOf(';');
            String preference = (parameters < 0 ? each : each.substring(0, parameters)).strip();
            String[] parts = preference.toLowerCase(Locale.ROOT).split("\\s*=\\s*", 2);
            if (preference.isEmpty() || !names.add(parts[0])) {
                continue;
            }
            String value = parts.length < 2 ? "" : parts[1].replace("\"", "");
            switch (parts[0] + "=" + value) {
                case "count=exact" -> count = Count.EXACT;
                case "count=planned" -> count = Count.PLANNED;
                case "count=estimated" -> count = Count.ESTIMATED;
                case "count=none" -> count = Count.NONE;
                case "handling=strict", "handling=lenient" -> handling = value;
                default -> unknown.add(preference);
            }
        }
        return new Preferences(count, handling, unknown);
    }

    boolean isStrict() {
        return handling.equals("strict");
    }

    /**
     * Refuses what is not known, where that is asked for.
     *
     * @throws dev.penstock.http.HttpException 400
     */
    public void requireKnown() {
        if (isStrict() && !unknown.isEmpty()) {
            throw unfulfilled(ParameterText.shown(String.join(", ", unknown)));
        }
    }

    /**
     * Refuses a count that can't be had, where that is asked for.
     *
     * @throws dev.penstock.http.HttpException 400
     */
    public void requireCount(boolean known) {
        if (isStrict() && !known) {
            throw unfulfilled("count=" + count.name().toLowerCase(Locale.ROOT));
        }
    }

    private static dev.penstock.http.HttpException unfulfilled(String what) {
        return Problems.of(
                400,
                "bad_preference",
                "Invalid preferences given with handling=strict",
                "Invalid preferences: " + what,
                "leave them out, or ask for handling=lenient; there are count=exact, planned and estimated, the"
                        + " latter two where the database estimates");
    }

    /** What the response says of them. */
    public void announce(Exchange exchange, boolean counted) {
        List<String> applied = new ArrayList<>();
        if (!handling.isEmpty()) {
            applied.add("handling=" + handling);
        }
        if (counted) {
            applied.add("count=" + count.name().toLowerCase(Locale.ROOT));
        }
        if (!applied.isEmpty()) {
            exchange.header("Preference-Applied", String.join(", ", applied));
        }
    }
}
