package dev.penstock.snapshot.execute;

import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import dev.penstock.snapshot.column.HeldPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A check whether the part of a table that is in memory has all that a plan needs. */
public final class HeldPlan {
    private HeldPlan() {}

    /**
     * Returns the plan as memory answers it: nested plans give no column that nobody asks for.
     *
     * @throws UnsupportedPlanException if the plan needs a column that is not in memory, or its filter leaves rows that
     *     are not
     */
    public static Plan of(Plan plan, HeldPart part) {
        return part.isWhole() ? plan : narrowed(plan, null, part);
    }

    /**
     * Returns a plan without what nobody asks for.
     *
     * @param wanted the labels that are asked for; null for all
     */
    private static Plan narrowed(Plan plan, @Nullable Set<String> wanted, HeldPart part) {
        Output output =
                wanted != null && plan.output() instanceof Output.Columns(List<Item> items)
                        ? new Output.Columns(asked(plan, items, wanted, part))
                        : plan.output();
        Plan narrow = new Plan(plan.source(), plan.filter(), plan.order(), plan.slices(), output);
        Set<String> needed = ColumnUse.of(narrow);
        return switch (narrow.source()) {
            case Table _ -> {
                requireHeld(needed, part);
                requireRows(narrow.filter(), part);
                yield narrow;
            }
            case Plan inner ->
                    new Plan(
                            narrowed(inner, needed, part),
                            narrow.filter(),
                            narrow.order(),
                            narrow.slices(),
                            output);
        };
    }

    /** Returns the columns that are asked for, those of the key, and at least one. */
    private static List<Item> asked(
            Plan plan, List<Item> items, Set<String> wanted, HeldPart part) {
        List<String> key = plan.key();
        List<Item> asked =
                items.stream()
                        .filter(item -> wanted.contains(item.label()) || key.contains(item.label()))
                        .toList();
        return asked.isEmpty()
                ? List.of(
                        items.stream()
                                .filter(item -> part.holds(item.column()))
                                .findFirst()
                                .orElseGet(() ->
                                        new Item(
                                                part.held().columns().getFirst().name(),
                                                items.getFirst().label())))
                : asked;
    }

    private static void requireHeld(Set<String> needed, HeldPart part) {
        List<String> missing = new ArrayList<>();
        for (String name : needed) {
            if (part.lacks(name)) {
                missing.add(name);
            }
        }
        if (!missing.isEmpty()) {
            boolean one = missing.size() == 1;
            throw UnsupportedPlanException.notHeld(
                    "%s %s of table %s %s not in memory"
                            .formatted(
                                    one ? "column" : "columns",
                                    String.join(", ", missing),
                                    part.whole().name(),
                                    one ? "is" : "are"),
                    "load %s too, or ask the database".formatted(one ? "it" : "them"));
        }
    }

    private static void requireRows(Predicate filter, HeldPart part) {
        if (!part.hasAllRows() && !new Implication(part.whole()).holds(filter, part.rows())) {
            throw UnsupportedPlanException.notHeld(
                    "of table %s, rows were chosen by %s, and the filter does not say that it wants no others"
                            .formatted(
                                    part.whole().name(),
                                    String.join(", ", ColumnUse.of(part.rows()))),
                    "filter by the same condition, or a narrower one of that column; load all rows; or ask"
                            + " the database");
        }
    }
}
