package dev.penstock.documents.xpath;

import dev.penstock.documents.xpath.Expression.Step;
import java.util.ArrayList;
import java.util.List;

/** The replacement of the two steps of {@code //name} by one on the axis of descendants, where it means the same. */
public final class DescendantSteps {
    private static final Step ANY =
            new Step(Axis.DESCENDANT_OR_SELF, new NodeTest.AnyNode(), List.of());

    private DescendantSteps() {}

    /** Merges {@code descendant-or-self::node()/child::x[p]} unless p counts the children of each parent. */
    public static List<Step> merge(List<Step> steps) {
        List<Step> merged = new ArrayList<>();
        for (Step step : steps) {
            if (!merged.isEmpty() && merged.getLast().equals(ANY) && isMergeable(step)) {
                merged.removeLast();
                merged.add(new Step(Axis.DESCENDANT, step.test(), step.predicates()));
            } else {
                merged.add(step);
            }
        }
        return List.copyOf(merged);
    }

    private static boolean isMergeable(Step step) {
        return step.axis() == Axis.CHILD
                && step.predicates().stream().noneMatch(Types::isPositional);
    }
}
