package dev.penstock.documents.xpath.translate;

import dev.penstock.documents.store.StoreFilter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Compositions of filters without operands that change nothing. */
public final class Filters {
    public static final StoreFilter EVERYTHING = new StoreFilter.Everything();
    public static final StoreFilter NOTHING = new StoreFilter.Nothing();

    private Filters() {}

    public static StoreFilter exists(List<String> path) {
        return path.isEmpty() ? EVERYTHING : new StoreFilter.Exists(path);
    }

    public static StoreFilter and(List<StoreFilter> filters) {
        Set<StoreFilter> all = new LinkedHashSet<>();
        for (StoreFilter filter : filters) {
            if (filter instanceof StoreFilter.And and) {
                all.addAll(and.all());
            } else {
                all.add(filter);
            }
        }
        all.remove(EVERYTHING);
        if (all.contains(NOTHING)) {
            return NOTHING;
        }
        all.removeIf(
                filter -> filter instanceof StoreFilter.Exists exists && isImplied(exists, all));
        return switch (all.size()) {
            case 0 -> EVERYTHING;
            case 1 -> all.iterator().next();
            default -> new StoreFilter.And(List.copyOf(all));
        };
    }

    public static StoreFilter or(List<StoreFilter> filters) {
        Set<StoreFilter> any = new LinkedHashSet<>();
        for (StoreFilter filter : filters) {
            if (filter instanceof StoreFilter.Or or) {
                any.addAll(or.any());
            } else {
                any.add(filter);
            }
        }
        any.remove(NOTHING);
        if (any.contains(EVERYTHING)) {
            return EVERYTHING;
        }
        return switch (any.size()) {
            case 0 -> NOTHING;
            case 1 -> any.iterator().next();
            default -> new StoreFilter.Or(List.copyOf(any));
        };
    }

    public static StoreFilter not(StoreFilter filter) {
        return switch (filter) {
            case StoreFilter.Everything everything -> NOTHING;
            case StoreFilter.Nothing nothing -> EVERYTHING;
            case StoreFilter.Not not -> not.condition();
            case StoreFilter.And and -> new StoreFilter.Not(and);
            case StoreFilter.Or or -> new StoreFilter.Not(or);
            case StoreFilter.Exists exists -> new StoreFilter.Not(exists);
            case StoreFilter.Equal equal -> new StoreFilter.Not(equal);
            case StoreFilter.StartsWith startsWith -> new StoreFilter.Not(startsWith);
            case StoreFilter.Contains contains -> new StoreFilter.Not(contains);
        };
    }

    /** Returns whether another condition is on the same path or on a longer one. */
    private static boolean isImplied(StoreFilter.Exists exists, Set<StoreFilter> all) {
        for (StoreFilter other : all) {
            List<String> path =
                    switch (other) {
                        case StoreFilter.Exists longer -> longer.path();
                        case StoreFilter.Equal equal -> equal.path();
                        case StoreFilter.StartsWith startsWith -> startsWith.path();
                        case StoreFilter.Contains contains -> contains.path();
                        case StoreFilter.Everything everything -> List.of();
                        case StoreFilter.Nothing nothing -> List.of();
                        case StoreFilter.And and -> List.of();
                        case StoreFilter.Or or -> List.of();
                        case StoreFilter.Not not -> List.of();
                    };
            if (!other.equals(exists)
                    && path.size() >= exists.path().size()
                    && path.subList(0, exists.path().size()).equals(exists.path())) {
                return true;
            }
        }
        return false;
    }
}
