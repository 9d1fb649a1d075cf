package dev.penstock.documents.xpath.translate;

import dev.penstock.documents.store.PathSummary;
import dev.penstock.documents.store.StoreFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A path of stored keys that a location path can lead to, with what its predicates ask of documents.
 *
 * @param isUnique whether no document has several nodes at the path
 * @param isSingle whether there is at most one node at the path for each node from which the location path began
 * @param conditions what predicates ask, each of a document
 * @param isImplied whether the conditions imply that the path exists
 * @param isLoose whether a condition is on nodes that are not unique: a further one may then be met by another of them
 * @param isExact whether the conditions ask no less than the predicates, and the keys stand for no other names
 * @param isStopped whether there are steps behind these nodes that could not be followed; it is never exact then
 */
record Reach(
        PathSummary.Path node,
        List<String> path,
        boolean isUnique,
        boolean isSingle,
        List<StoreFilter> conditions,
        boolean isImplied,
        boolean isLoose,
        boolean isExact,
        boolean isStopped) {
    static Reach document(PathSummary summary) {
        return new Reach(
                summary.document(), List.of(), true, true, List.of(), true, false, true, false);
    }

    /** The same nodes as the context of a predicate. */
    Reach asContext() {
        return new Reach(node, path, isUnique, true, List.of(), path.isEmpty(), false, true, false);
    }

    boolean isAttribute() {
        return !path.isEmpty() && path.getLast().startsWith("@");
    }

    /** Returns whether the store's text of each element or attribute here is its string value. */
    boolean hasStoredText() {
        return isAttribute() || (!path.isEmpty() && !node.hasElements() && !node.hasSplitText());
    }

    Reach child(String key, PathSummary.Path child) {
        List<String> longer = new ArrayList<>(path);
        longer.add(key);
        return new Reach(
                child,
                List.copyOf(longer),
                isUnique && !child.isRepeated(),
                isSingle && !child.isRepeated(),
                conditions,
                false,
                isLoose,
                isExact,
                false);
    }

    /** The same nodes, found exactly only if they are now and this holds. */
    Reach withExact(boolean exact) {
        return new Reach(
                node,
                path,
                isUnique,
                isSingle,
                conditions,
                isImplied,
                isLoose,
                isExact && exact,
                isStopped);
    }

    /** The same nodes, from which a step can't be followed. */
    Reach stopped() {
        return new Reach(
                node, path, isUnique, isSingle, conditions, isImplied, isLoose, false, true);
    }

    /** Its nodes with one more condition, which implies that one of them exists. */
    Reach with(StoreFilter condition, boolean exact) {
        List<StoreFilter> more = new ArrayList<>(conditions);
        more.add(condition);
        return new Reach(
                node,
                path,
                isUnique,
                false,
                List.copyOf(more),
                true,
                isLoose || !isUnique,
                isExact && exact && !isLoose,
                isStopped);
    }

    /** The condition that a node is reached. */
    Part part(Set<String> reasons) {
        if (isImplied) {
            return new Part(Filters.and(conditions), isExact);
        }
        if (isLoose) {
            reasons.add("conditions on repeated elements may be met by different ones");
        }
        List<StoreFilter> all = new ArrayList<>(conditions);
        all.add(Filters.exists(path));
        return new Part(Filters.and(all), isExact && !isLoose);
    }

    /** A filter for an expression or a part of one, and whether it is exact; otherwise it finds more. */
    record Part(StoreFilter filter, boolean isExact) {
        static Part any(List<Part> parts) {
            return new Part(
                    Filters.or(parts.stream().map(Part::filter).toList()),
                    parts.stream().allMatch(Part::isExact));
        }
    }
}
