package dev.penstock.documents.xpath;

import dev.penstock.documents.store.StoreFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A document as a store sees it: the meaning of filters on what the format makes of a tree.
 *
 * @param keepsSpace whether white space between other nodes is among an element's {@code #text}
 */
record StoredDocument(NodeTree tree, boolean keepsSpace) {
    boolean fulfils(StoreFilter filter) {
        return switch (filter) {
            case StoreFilter.Everything everything -> true;
            case StoreFilter.Nothing nothing -> false;
            case StoreFilter.And and -> and.all().stream().allMatch(this::fulfils);
            case StoreFilter.Or or -> or.any().stream().anyMatch(this::fulfils);
            case StoreFilter.Not not -> !fulfils(not.condition());
            case StoreFilter.Exists exists -> !nodes(exists.path()).isEmpty();
            case StoreFilter.Equal equal -> texts(equal.path()).contains(equal.text());
            case StoreFilter.StartsWith startsWith ->
                    texts(startsWith.path()).stream()
                            .anyMatch(t -> t.startsWith(startsWith.prefix()));
            case StoreFilter.Contains contains ->
                    texts(contains.path()).stream().anyMatch(t -> t.contains(contains.part()));
        };
    }

    private List<Integer> nodes(List<String> path) {
        List<Integer> nodes = List.of(0);
        for (String key : path) {
            List<Integer> next = new ArrayList<>();
            nodes.forEach(node -> addChildren(node, key, next));
            nodes = next;
        }
        return nodes;
    }

    private void addChildren(int parent, String key, List<Integer> found) {
        for (int i = parent + 1; i < tree.endAt(parent); i++) {
            NodeKind kind = tree.kindAt(i);
            boolean hasKey =
                    tree.parentAt(i) == parent
                            && (kind == NodeKind.ELEMENT || kind == NodeKind.ATTRIBUTE)
                            && key(i).equals(key);
            if (hasKey) {
                found.add(i);
            }
        }
    }

    private String key(int index) {
        String name = tree.nameAt(index).qualified().replace(".", "%2E");
        return tree.kindAt(index) == NodeKind.ATTRIBUTE ? "@" + name : name;
    }

    private List<String> texts(List<String> path) {
        List<String> texts = new ArrayList<>();
        for (int node : nodes(path)) {
            String text = text(node);
            if (text != null) {
                texts.add(text);
            }
        }
        return texts;
    }

    private @Nullable String text(int node) {
        if (tree.kindAt(node) == NodeKind.ATTRIBUTE) {
            return tree.valueAt(node);
        }
        List<String> runs = new ArrayList<>();
        boolean hasOthers = false;
        for (int i = tree.firstChildAt(node); i < tree.endAt(node); i = tree.endAt(i)) {
            if (tree.kindAt(i) == NodeKind.TEXT) {
                runs.add(tree.valueAt(i));
            } else {
                hasOthers = true;
            }
        }
        if (hasOthers && !keepsSpace) {
            runs.removeIf(String::isBlank);
        }
        return runs.isEmpty() ? "" : runs.size() == 1 ? runs.getFirst() : null;
    }
}
