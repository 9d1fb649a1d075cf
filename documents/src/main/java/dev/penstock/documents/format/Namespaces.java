package dev.penstock.documents.format;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The prefixes that are bound where a document is being read, and the rules of Namespaces in XML 1.0. */
public final class Namespaces {
    private static final String XML = "http://www.w3.org/XML/1998/namespace";
    private static final String XMLNS = "http://www.w3.org/2000/xmlns/";

    private final Map<String, ArrayDeque<String>> bound = new HashMap<>();
    private final ArrayList<List<String>> declared = new ArrayList<>();

    public Namespaces() {
        bound.computeIfAbsent("xml", prefix -> new ArrayDeque<>()).push(XML);
    }

    /** Begins an element; names and values alternate in the attributes. Returns what is wrong, or null. */
    public @Nullable String begin(String name, List<String> attributes) {
        List<String> prefixes = List.of();
        for (int i = 0; i < attributes.size(); i += 2) {
            String attribute = attributes.get(i);
            if (!attribute.startsWith("xmlns")) {
                continue;
            }
            boolean isDefault = attribute.length() == 5;
            if (!isDefault && attribute.charAt(5) != ':') {
                continue;
            }
            String prefix = isDefault ? "" : attribute.substring(6);
            String uri = attributes.get(i + 1);
            String problem = declarationProblem(prefix, uri);
            if (problem != null) {
                return problem;
            }
            if (prefixes.isEmpty()) {
                prefixes = new ArrayList<>(2);
            }
            prefixes.add(prefix);
            bound.computeIfAbsent(prefix, absent -> new ArrayDeque<>(2)).push(uri);
        }
        declared.add(prefixes);
        return namesProblem(name, attributes);
    }

    private static @Nullable String declarationProblem(String prefix, String uri) {
        if (prefix.equals("xmlns")) {
            return "the prefix xmlns can't be declared";
        }
        if (prefix.equals("xml") != uri.equals(XML)) {
            return "the prefix xml and the namespace " + XML + " belong only to each other";
        }
        if (uri.equals(XMLNS)) {
            return "the namespace " + XMLNS + " can't be declared";
        }
        return uri.isEmpty() && !prefix.isEmpty()
                ? "the prefix %s can't be undeclared".formatted(prefix)
                : null;
    }

    private @Nullable String namesProblem(String name, List<String> attributes) {
        String unbound = unbound(name);
        int prefixed = 0;
        for (int i = 0; i < attributes.size() && unbound == null; i += 2) {
            String attribute = attributes.get(i);
            int colon = attribute.indexOf(':');
            if (colon > 0 && !attribute.startsWith("xmlns:")) {
                prefixed++;
                unbound = unbound(attribute);
            }
        }
        if (unbound != null) {
            return "the prefix %s is not bound to a namespace; declare it by @xmlns:%s"
                    .formatted(unbound, unbound);
        }
        return prefixed > 1 ? duplicate(attributes) : null;
    }

    private @Nullable String unbound(String name) {
        int colon = name.indexOf(':');
        if (colon < 0) {
            return null;
        }
        String prefix = name.substring(0, colon);
        return uri(prefix) == null ? prefix : null;
    }

    private @Nullable String uri(String prefix) {
        ArrayDeque<String> uris = bound.get(prefix);
        return uris == null ? null : uris.peek();
    }

    private @Nullable String duplicate(List<String> attributes) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < attributes.size(); i += 2) {
            String attribute = attributes.get(i);
            int colon = attribute.indexOf(':');
            if (colon > 0 && !attribute.startsWith("xmlns:")) {
                String uri = uri(attribute.substring(0, colon));
                if (!names.add("{" + uri + "}" + attribute.substring(colon + 1))) {
                    return "the attribute %s is there twice by its namespace".formatted(attribute);
                }
            }
        }
        return null;
    }

    /** Ends the element that began last. */
    public void end() {
        for (String prefix : declared.removeLast()) {
            ArrayDeque<String> uris = bound.get(prefix);
            if (uris != null) {
                uris.pop();
            }
        }
    }
}
