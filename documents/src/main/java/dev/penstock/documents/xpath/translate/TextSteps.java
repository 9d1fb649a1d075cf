package dev.penstock.documents.xpath.translate;

import dev.penstock.documents.xpath.Axis;
import dev.penstock.documents.xpath.Expression;
import dev.penstock.documents.xpath.Expression.Step;
import dev.penstock.documents.xpath.NodeTest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last step {@code text()} of a location path: its nodes are the texts of the elements before it. */
final class TextSteps {
    private static final Step TEXT = new Step(Axis.CHILD, new NodeTest.AnyText(), List.of());

    private TextSteps() {}

    /** The path without its last step {@code text()}; null if that is not its last step. */
    static Expression.@Nullable Path withoutLast(Expression.Path path) {
        List<Step> steps = path.steps();
        if (steps.isEmpty() || !steps.getLast().equals(TEXT)) {
            return null;
        }
        return new Expression.Path(path.start(), steps.subList(0, steps.size() - 1));
    }
}
