package dev.penstock.documents.store;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An explanation of what a store decides of a condition.
 *
 * @param store its name
 * @param exact whether it decides the whole condition; otherwise it finds more, which is filtered afterwards
 * @param condition the condition in the store's language, without bound values
 * @param indexes the declared paths whose index serves; empty if every document is looked at
 * @param unused the declared paths of the condition whose index does not serve
 */
public record StoreExplanation(
        String store,
        boolean exact,
        String condition,
        List<List<String>> indexes,
        List<List<String>> unused) {
    public StoreExplanation {
        indexes = List.copyOf(indexes);
        unused = List.copyOf(unused);
    }

    /**
     * Returns the paths of a condition that have an index which does not serve it.
     *
     * @param declared all paths that have an index
     * @param serving those whose index serves
     */
    public static List<List<String>> unused(
            StoreFilter filter, Collection<List<String>> declared, List<List<String>> serving) {
        Set<List<String>> paths = new LinkedHashSet<>();
        addPaths(filter, paths);
        return paths.stream()
                .filter(path -> declared.contains(path) && !serving.contains(path))
                .toList();
    }

    private static void addPaths(StoreFilter filter, Set<List<String>> paths) {
        switch (filter) {
            case StoreFilter.Everything _, StoreFilter.Nothing _ -> {}
            case StoreFilter.And and -> and.all().forEach(part -> addPaths(part, paths));
            case StoreFilter.Or or -> or.any().forEach(part -> addPaths(part, paths));
            case StoreFilter.Not not -> addPaths(not.condition(), paths);
            case StoreFilter.Exists exists -> paths.add(exists.path());
            case StoreFilter.Equal equal -> paths.add(equal.path());
            case StoreFilter.StartsWith starts -> paths.add(starts.path());
            case StoreFilter.Contains contains -> paths.add(contains.path());
        }
    }
}
