package dev.penstock.documents.xpath.translate;

import dev.penstock.documents.store.PathSummary;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.xpath.CoreFunction;
import dev.penstock.documents.xpath.Expression;
import dev.penstock.documents.xpath.Expression.Comparison;
import dev.penstock.documents.xpath.Types;
import dev.penstock.documents.xpath.Value;
import dev.penstock.documents.xpath.XPathQuery;
import dev.penstock.documents.xpath.translate.Reach.Part;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A translator of expressions to filters of a store.
 *
 * <p>A part of an expression is translated in the context of the nodes at one path, as the condition on a document
 * that <em>some</em> of these nodes fulfils it. So a condition that is met by one node at a longer path is exact;
 * "and" and {@code not()} are exact only where no document has several nodes at the path, because another of them may
 * meet the other condition. Wherever something can't be asked of a store, a weaker condition takes its place, and the
 * opposite of a weaker condition is no condition.
 */
public final class XPathTranslator {
    private static final String REPEATED =
            "conditions on repeated elements may be met by different ones";

    private final Reach document;
    private final Set<String> reasons = new LinkedHashSet<>();
    private final PathWalk walk = new PathWalk(this::translate, reasons);

    private XPathTranslator(PathSummary summary) {
        this.document = Reach.document(summary);
    }

    /**
     * Translates an expression for a collection.
     *
     * @param summary of at least all documents of the collection
     */
    public static Translation translate(XPathQuery query, PathSummary summary) {
        if (summary.overflows()) {
            return new Translation(
                    Filters.EVERYTHING,
                    false,
                    "the collection has too many root elements to be summarized");
        }
        XPathTranslator translator = new XPathTranslator(summary);
        Part part = translator.translate(query.expression(), translator.document);
        String explanation = part.isExact() ? "" : String.join("; ", translator.reasons);
        return new Translation(part.filter(), part.isExact(), explanation);
    }

    /** The condition that the boolean of an expression is true for some node of the context. */
    private Part translate(Expression expression, Reach context) {
        return switch (expression) {
            case Expression.Or or ->
                    Part.any(or.operands().stream().map(o -> translate(o, context)).toList());
            case Expression.And and -> and(and.operands(), context);
            case Expression.Compare compare -> compare(compare, context);
            case Expression.Call call -> call(call, context);
            case Expression.Union union ->
                    Part.any(union.operands().stream().map(o -> translate(o, context)).toList());
            case Expression.Path path -> path(path, context, reach -> reach);
            case Expression.Root root -> always(context, true);
            case Expression.Filter filter -> {
                reasons.add("predicates of a parenthesized expression are not asked of the store");
                yield superset(translate(filter.nodes(), context));
            }
            case Expression.Text text -> constant(!text.value().isEmpty(), context);
            case Expression.Num num -> constant(new Value.Num(num.value()).isTrue(), context);
            case Expression.Bool bool -> constant(bool.value(), context);
            case Expression.Calculate calculate -> unknown("calculations are", context);
            case Expression.Negate negate -> unknown("calculations are", context);
        };
    }

    /** The condition that a node of the context exists. */
    private static Part always(Reach context, boolean exact) {
        return new Part(Filters.exists(context.path()), exact);
    }

    private static Part constant(boolean value, Reach context) {
        return value ? always(context, true) : new Part(Filters.NOTHING, true);
    }

    private Part unknown(String what, Reach context) {
        reasons.add(what + " not asked of the store");
        return always(context, false);
    }

    private static Part superset(Part part) {
        return new Part(part.filter(), false);
    }

    private Part and(List<Expression> operands, Reach context) {
        List<StoreFilter> filters = new ArrayList<>();
        boolean exact = context.isUnique();
        for (Expression operand : operands) {
            Part part = translate(operand, context);
            filters.add(part.filter());
            exact &= part.isExact();
        }
        if (!context.isUnique()) {
            reasons.add(REPEATED);
        }
        return new Part(Filters.and(filters), exact);
    }

    private Part not(Part part, Reach context) {
        if (!part.isExact() || !context.isUnique()) {
            reasons.add(
                    "not() is not asked of the store where its operand is not exact or is repeated");
            return always(context, false);
        }
        return new Part(
                Filters.and(List.of(Filters.exists(context.path()), Filters.not(part.filter()))),
                true);
    }

    /** The condition of a location path whose last nodes are narrowed down. */
    private Part path(Expression.Path path, Reach context, UnaryOperator<Reach> narrow) {
        Expression start = path.start();
        if (start == null) {
            return reaches(walk.walk(context, path.steps()), narrow);
        }
        if (start instanceof Expression.Root) {
            Part part = reaches(walk.walk(document, path.steps()), narrow);
            return new Part(
                    Filters.and(List.of(Filters.exists(context.path()), part.filter())),
                    part.isExact());
        }
        reasons.add("steps from a parenthesized expression are not asked of the store");
        return superset(translate(start, context));
    }

    private Part reaches(List<Reach> reaches, UnaryOperator<Reach> narrow) {
        return Part.any(
                reaches.stream()
                        .map(reach -> reach.isStopped() ? reach : narrow.apply(reach))
                        .map(reach -> reach.part(reasons))
                        .toList());
    }

    private Part call(Expression.Call call, Reach context) {
        List<Expression> arguments = call.arguments();
        return switch (call.function()) {
            case TRUE -> constant(true, context);
            case FALSE -> constant(false, context);
            case NOT -> not(translate(arguments.getFirst(), context), context);
            case BOOLEAN -> translate(arguments.getFirst(), context);
            case STARTS_WITH -> first(arguments, context, StoreFilter.StartsWith::new);
            case CONTAINS -> first(arguments, context, StoreFilter.Contains::new);
            case ID -> new Part(Filters.NOTHING, true);
            case LAST,
                    POSITION,
                    COUNT,
                    LOCAL_NAME,
                    NAMESPACE_URI,
                    NAME,
                    STRING,
                    CONCAT,
                    SUBSTRING_BEFORE,
                    SUBSTRING_AFTER,
                    SUBSTRING,
                    STRING_LENGTH,
                    NORMALIZE_SPACE,
                    TRANSLATE,
                    LANG,
                    NUMBER,
                    SUM,
                    FLOOR,
                    CEILING,
                    ROUND ->
                    unknown("the function " + call.function().written() + "() is", context);
        };
    }

    /** A function of a node-set's first node: exact where there is at most one for each node of the context. */
    private Part first(
            List<Expression> arguments,
            Reach context,
            BiFunction<List<String>, String, StoreFilter> condition) {
        if (!(arguments.get(0) instanceof Expression.Path path)
                || !(arguments.get(1) instanceof Expression.Text(String text))) {
            return unknown("functions of something else than a path and a string are", context);
        }
        if (text.isEmpty()) {
            return always(context, true);
        }
        int[] candidates = {0};
        Part part =
                path(
                        path,
                        context,
                        reach -> {
                            candidates[0] += reach.isSingle() ? 1 : 2;
                            return text(reach, condition.apply(reach.path(), text));
                        });
        if (candidates[0] > 1) {
            reasons.add("a function is applied to the first of several nodes only");
        }
        return new Part(part.filter(), part.isExact() && candidates[0] <= 1);
    }

    /** Narrows nodes down by a condition on their stored text, if that is their string value. */
    private Reach text(Reach reach, StoreFilter condition) {
        if (!reach.hasStoredText()) {
            reasons.add(
                    "the path %s has elements whose text is not stored as one"
                            .formatted(String.join(".", reach.path())));
            return reach.withExact(false);
        }
        if (reach.isLoose()) {
            reasons.add(REPEATED);
        }
        return reach.with(condition, true);
    }

    private Reach textOfAttribute(Reach reach) {
        reasons.add("attributes have no text()");
        return reach.withExact(false);
    }

    private Part compare(Expression.Compare compare, Reach context) {
        boolean isLeft = Types.isNodes(compare.left());
        boolean isRight = Types.isNodes(compare.right());
        if (isLeft && isRight) {
            reasons.add("comparisons of two node-sets are not asked of the store");
            return superset(and(List.of(compare.left(), compare.right()), context));
        }
        if (isLeft) {
            return compare(compare.left(), compare.comparison(), compare.right(), context);
        }
        if (isRight) {
            return compare(
                    compare.right(), compare.comparison().exchanged(), compare.left(), context);
        }
        return unknown("comparisons without a node-set are", context);
    }

    private Part compare(Expression nodes, Comparison comparison, Expression value, Reach context) {
        Boolean bool = booleanOf(value);
        if (bool != null) {
            return compareBoolean(translate(nodes, context), comparison, bool, context);
        }
        if (Types.isBoolean(value)) {
            return unknown("comparisons with a condition are", context);
        }
        if (comparison == Comparison.EQUAL && value instanceof Expression.Text(String text)) {
            return equal(nodes, text, context);
        }
        reasons.add(
                "comparisons other than of a path and a string for equality are not asked of the store");
        return superset(translate(nodes, context));
    }

    private static @Nullable Boolean booleanOf(Expression value) {
        return switch (value) {
            case Expression.Bool bool -> bool.value();
            case Expression.Call(CoreFunction function, List<Expression> none)
                    when function == CoreFunction.TRUE ->
                    true;
            case Expression.Call(CoreFunction function, List<Expression> none)
                    when function == CoreFunction.FALSE ->
                    false;
            case Expression other -> null;
        };
    }

    private Part compareBoolean(Part part, Comparison comparison, boolean value, Reach context) {
        return switch (comparison) {
            case EQUAL -> value ? part : not(part, context);
            case NOT_EQUAL -> value ? not(part, context) : part;
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
                    unknown("comparisons of conditions are", context);
        };
    }

    private Part equal(Expression nodes, String text, Reach context) {
        return switch (nodes) {
            case Expression.Union union ->
                    Part.any(union.operands().stream().map(o -> equal(o, text, context)).toList());
            case Expression.Path path -> {
                Expression.Path elements = TextSteps.withoutLast(path);
                if (elements != null && text.isEmpty()) {
                    yield new Part(Filters.NOTHING, true);
                }
                yield path(
                        elements != null ? elements : path,
                        context,
                        reach ->
                                elements != null && reach.isAttribute()
                                        ? textOfAttribute(reach)
                                        : text(reach, new StoreFilter.Equal(reach.path(), text)));
            }
            case Expression other -> {
                reasons.add("comparisons of something else than a path are not asked of the store");
                yield superset(translate(other, context));
            }
        };
    }
}
