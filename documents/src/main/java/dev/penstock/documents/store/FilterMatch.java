package dev.penstock.documents.store;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A condition decided here, on the JSON of one document in one pass, for what a store does not decide itself. */
public final class FilterMatch {
    private final Map<List<String>, List<StoreFilter>> byPath = new HashMap<>();
    private final Map<StoreFilter, Boolean> met = new HashMap<>();

    private FilterMatch(StoreFilter filter) {
        collect(filter);
    }

    /** Returns whether a document fulfils a condition. Closes its JSON. */
    public static boolean matches(StoreFilter filter, InputStream json) {
        var match = new FilterMatch(filter);
        ValueScan.scan(json, match::value);
        return match.decide(filter);
    }

    private void collect(StoreFilter filter) {
        switch (filter) {
            case StoreFilter.Everything _, StoreFilter.Nothing _ -> {}
            case StoreFilter.And and -> and.all().forEach(this::collect);
            case StoreFilter.Or or -> or.any().forEach(this::collect);
            case StoreFilter.Not not -> collect(not.condition());
            case StoreFilter.Exists exists -> ask(exists.path(), filter);
            case StoreFilter.Equal equal -> ask(equal.path(), filter);
            case StoreFilter.StartsWith starts -> ask(starts.path(), filter);
            case StoreFilter.Contains contains -> ask(contains.path(), filter);
        }
    }

    private void ask(List<String> path, StoreFilter filter) {
        byPath.computeIfAbsent(path, _ -> new ArrayList<>()).add(filter);
    }

    private void value(List<String> path, @Nullable String text) {
        for (StoreFilter asked : byPath.getOrDefault(path, List.of())) {
            if (holds(asked, text)) {
                met.put(asked, true);
            }
        }
    }

    private static boolean holds(StoreFilter asked, @Nullable String text) {
        return switch (asked) {
            case StoreFilter.Exists _ -> true;
            case StoreFilter.Equal equal -> equal.text().equals(text);
            case StoreFilter.StartsWith starts -> text != null && text.startsWith(starts.prefix());
            case StoreFilter.Contains contains -> text != null && text.contains(contains.part());
            case StoreFilter.Everything _,
                    StoreFilter.Nothing _,
                    StoreFilter.And _,
                    StoreFilter.Or _,
                    StoreFilter.Not _ ->
                    throw new IllegalArgumentException("no condition on a path: " + asked);
        };
    }

    private boolean decide(StoreFilter filter) {
        return switch (filter) {
            case StoreFilter.Everything _ -> true;
            case StoreFilter.Nothing _ -> false;
            case StoreFilter.And and -> and.all().stream().allMatch(this::decide);
            case StoreFilter.Or or -> or.any().stream().anyMatch(this::decide);
            case StoreFilter.Not not -> !decide(not.condition());
            case StoreFilter.Exists _,
                    StoreFilter.Equal _,
                    StoreFilter.StartsWith _,
                    StoreFilter.Contains _ ->
                    met.getOrDefault(filter, false);
        };
    }
}
