package dev.penstock.documents.xpath.translate;

import dev.penstock.documents.store.PathSummary;
import dev.penstock.documents.xpath.Axis;
import dev.penstock.documents.xpath.Expression;
import dev.penstock.documents.xpath.Expression.Step;
import dev.penstock.documents.xpath.NodeName;
import dev.penstock.documents.xpath.NodeTest;
import dev.penstock.documents.xpath.Types;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A walk of location paths over the paths of a collection. Where a step can't be followed there, from some paths or
 * from all, the walk stops at these: they are a condition that the whole location path implies.
 */
final class PathWalk {
    /** The greatest number of paths that one location path may lead to. */
    static final int MAX_REACHES = 1_000;

    private final Set<String> reasons;
    private final BiFunction<Expression, Reach, Reach.Part> predicates;

    /**
     * Begins walks.
     *
     * @param predicates what translates a predicate in the context of some nodes
     * @param reasons where to add why something is not exact
     */
    PathWalk(BiFunction<Expression, Reach, Reach.Part> predicates, Set<String> reasons) {
        this.predicates = predicates;
        this.reasons = reasons;
    }

    /** The paths that the steps lead to, and those from which a step could not be followed. */
    List<Reach> walk(Reach start, List<Step> steps) {
        List<Reach> reaches = List.of(start);
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (!isFollowed(step, i + 1 < steps.size() ? steps.get(i + 1) : null)) {
                reasons.add(
                        "a step on the axis "
                                + name(step.axis())
                                + " is not followed in the store");
                return stopped(reaches);
            }
            List<Reach> next = new ArrayList<>();
            for (Reach reach : reaches) {
                if (reach.isStopped()) {
                    next.add(reach);
                } else {
                    follow(reach, step, next);
                }
            }
            if (next.size() > MAX_REACHES) {
                reasons.add("more than " + MAX_REACHES + " paths fit");
                return stopped(reaches);
            }
            reaches =
                    next.stream()
                            .map(r -> r.isStopped() ? r : filter(r, step.predicates()))
                            .toList();
        }
        return reaches;
    }

    private static List<Reach> stopped(List<Reach> reaches) {
        return reaches.stream().map(Reach::stopped).toList();
    }

    /** Returns whether the summary has all nodes of a step, or the next step has use only for those that it has. */
    private static boolean isFollowed(Step step, @Nullable Step next) {
        boolean isNamed = step.test() instanceof NodeTest.Named;
        boolean isAny = step.test() instanceof NodeTest.AnyNode;
        return switch (step.axis()) {
            case CHILD, DESCENDANT -> isNamed;
            case ATTRIBUTE -> isNamed || isAny;
            case SELF -> isNamed || (isAny && step.predicates().isEmpty());
            case DESCENDANT_OR_SELF ->
                    isNamed
                            || (isAny
                                    && step.predicates().isEmpty()
                                    && next != null
                                    && next.test() instanceof NodeTest.Named
                                    && isDownwards(next.axis()));
            case PARENT,
                    ANCESTOR,
                    FOLLOWING_SIBLING,
                    PRECEDING_SIBLING,
                    FOLLOWING,
                    PRECEDING,
                    NAMESPACE,
                    ANCESTOR_OR_SELF ->
                    false;
        };
    }

    private static boolean isDownwards(Axis axis) {
        return axis == Axis.CHILD || axis == Axis.DESCENDANT || axis == Axis.ATTRIBUTE;
    }

    private static String name(Axis axis) {
        return axis.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void follow(Reach reach, Step step, List<Reach> found) {
        switch (step.axis()) {
            case CHILD, ATTRIBUTE -> children(reach, step, found);
            case DESCENDANT -> descendants(reach, step, found);
            case SELF -> addMatching(reach, step, found);
            case DESCENDANT_OR_SELF -> {
                addMatching(reach, step, found);
                descendants(reach, step, found);
            }
            case PARENT,
                    ANCESTOR,
                    FOLLOWING_SIBLING,
                    PRECEDING_SIBLING,
                    FOLLOWING,
                    PRECEDING,
                    NAMESPACE,
                    ANCESTOR_OR_SELF ->
                    throw new IllegalStateException("a step that is not followed");
        }
    }

    private void children(Reach reach, Step step, List<Reach> found) {
        for (Map.Entry<String, PathSummary.Path> child : reach.node().children().entrySet()) {
            if (child.getKey().startsWith("@") == (step.axis() == Axis.ATTRIBUTE)) {
                addMatching(reach.child(child.getKey(), child.getValue()), step, found);
            }
        }
        addCut(reach, found);
    }

    /** Adds a path of which the summary does not have all paths below. */
    private void addCut(Reach reach, List<Reach> found) {
        if (reach.node().isCut()) {
            reasons.add("the collection has paths that are too deep or too many to be summarized");
            found.add(reach.stopped());
        }
    }

    private void descendants(Reach reach, Step step, List<Reach> found) {
        Deque<Reach> pending = new ArrayDeque<>();
        pending.add(reach);
        while (!pending.isEmpty() && found.size() <= MAX_REACHES) {
            Reach parent = pending.remove();
            if (step.test() instanceof NodeTest.Named) {
                addCut(parent, found); // Otherwise the next step adds it, which begins there.
            }
            for (Map.Entry<String, PathSummary.Path> child : parent.node().children().entrySet()) {
                if (!child.getKey().startsWith("@")) {
                    Reach below = parent.child(child.getKey(), child.getValue());
                    pending.add(below);
                    addMatching(below, step, found);
                }
            }
        }
    }

    private void addMatching(Reach reach, Step step, List<Reach> found) {
        if (!(step.test() instanceof NodeTest.Named named)) {
            found.add(reach);
            return;
        }
        if (step.axis() != Axis.ATTRIBUTE && (reach.isAttribute() || reach.path().isEmpty())) {
            return;
        }
        int matching = 0;
        for (PathSummary.Name name : reach.node().names()) {
            if (named.matches(new NodeName(name.local(), name.local(), name.uri()))) {
                matching++;
            }
        }
        if (reach.node().hasOtherNames()) {
            reasons.add("the key " + reach.path().getLast() + " stands for too many names");
            found.add(reach.withExact(false));
        } else if (matching > 0) {
            boolean all = matching == reach.node().names().size();
            if (!all) {
                reasons.add("the key " + reach.path().getLast() + " stands for several names");
            }
            found.add(reach.withExact(all));
        }
    }

    private Reach filter(Reach reach, List<Expression> all) {
        Reach filtered = reach;
        for (Expression predicate : all) {
            Reach context = filtered.asContext();
            if (Types.isPositional(predicate)) {
                reasons.add("positions are not asked of the store");
                filtered = filtered.withExact(false);
            } else {
                if (filtered.isLoose()) {
                    reasons.add("conditions on repeated elements may be met by different ones");
                }
                Reach.Part part = predicates.apply(predicate, context);
                filtered = filtered.with(part.filter(), part.isExact());
            }
        }
        return filtered;
    }
}
