package dev.penstock.documents.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Conditions decided by their definition, over documents as maps, lists, strings and nulls. */
final class ReferenceFilter {
    private ReferenceFilter() {}

    static boolean holds(StoreFilter filter, @Nullable Object document) {
        return switch (filter) {
            case StoreFilter.Everything _ -> true;
            case StoreFilter.Nothing _ -> false;
            case StoreFilter.And and -> and.all().stream().allMatch(each -> holds(each, document));
            case StoreFilter.Or or -> or.any().stream().anyMatch(each -> holds(each, document));
            case StoreFilter.Not not -> !holds(not.condition(), document);
            case StoreFilter.Exists exists -> !reached(document, exists.path()).isEmpty();
            case StoreFilter.Equal equal -> texts(document, equal.path()).contains(equal.text());
            case StoreFilter.StartsWith starts ->
                    texts(document, starts.path()).stream()
                            .anyMatch(text -> text.startsWith(starts.prefix()));
            case StoreFilter.Contains contains ->
                    texts(document, contains.path()).stream()
                            .anyMatch(text -> text.contains(contains.part()));
        };
    }

    static List<String> texts(@Nullable Object document, List<String> path) {
        var texts = new ArrayList<String>();
        for (Object value : reached(document, path)) {
            Object text = value instanceof Map<?, ?> map ? map.get("#text") : value;
            boolean none = value instanceof Map<?, ?> map && !map.containsKey("#text");
            if (value == null || none) {
                texts.add("");
            } else if (text instanceof String string) {
                texts.add(string);
            }
        }
        return texts;
    }

    private static List<@Nullable Object> reached(@Nullable Object value, List<String> path) {
        var reached = new ArrayList<@Nullable Object>();
        if (value instanceof List<?> list) {
            list.forEach(element -> reached.addAll(reached(element, path)));
        } else if (path.isEmpty()) {
            reached.add(value);
        } else if (value instanceof Map<?, ?> map && map.containsKey(path.getFirst())) {
            return reached(map.get(path.getFirst()), path.subList(1, path.size()));
        }
        return reached;
    }
}
