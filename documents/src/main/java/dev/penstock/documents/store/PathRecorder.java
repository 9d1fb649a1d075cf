package dev.penstock.documents.store;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.format.NodeHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A handler that adds the paths of one document to a {@link PathSummary}. Memory grows with the depth of the document
 * and the number of different names of open elements' children. Not thread-safe.
 */
public final class PathRecorder implements NodeHandler {
    private static final int MOST_BINDINGS = 200_000;

    private final PathSummary summary;
    private final Deque<Open> elements = new ArrayDeque<>();
    private final List<String> attributes = new ArrayList<>();
    private Map<String, String> declarations = Map.of();
    private boolean isPending;

    /** The namespaces that open elements hold, each its own. */
    private int bindings;

    PathRecorder(PathSummary summary) {
        this.summary = summary;
        elements.push(new Open(summary.document(), "", Map.of()));
    }

    @Override
    public void startElement(String name) {
        describe();
        Open parent = elements.element();
        parent.hasElements = true;
        String key = key(name);
        PathSummary.Path path = summary.child(parent.path, key);
        summary.mark(path, false, false, !parent.keys.add(key));
        elements.push(new Open(path, name, parent.uris));
        isPending = true;
    }

    @Override
    public void attribute(String name, String value) {
        if (name.equals("xmlns") || name.startsWith("xmlns:")) {
            declarations = declarations.isEmpty() ? new HashMap<>() : declarations;
            declarations.put(name.substring(Math.min(6, name.length())), value);
        } else {
            attributes.add(name);
        }
    }

    @Override
    public void text(String text) {
        describe();
        Open element = elements.element();
        element.hasSplitText |= element.hasText;
        element.hasText = true;
        element.hasSpace |= text.chars().allMatch(PathRecorder::isSpace);
    }

    @Override
    public void comment(String text) {
        describe();
        elements.element().hasOther = true;
    }

    @Override
    public void processingInstruction(String target, String data) {
        describe();
        elements.element().hasOther = true;
    }

    @Override
    public void endElement() {
        describe();
        Open element = elements.pop();
        bindings -= element.bindings;
        boolean splits = element.hasSplitText || (element.hasSpace && element.hasOther);
        summary.mark(element.path, element.hasElements, !element.hasElements && splits, false);
    }

    /** Records the names of the element that has just begun, now that its declarations are known. */
    private void describe() {
        if (!isPending) {
            return;
        }
        isPending = false;
        Open element = elements.element();
        if (!declarations.isEmpty()) {
            Map<String, String> uris = new HashMap<>(element.uris);
            uris.putAll(declarations);
            element.uris = uris;
            element.bindings = uris.size();
            bindings += element.bindings;
            if (bindings > MOST_BINDINGS) {
                throw new DocumentException(
                        DocumentException.Kind.LIMIT,
                        "Can't store the document: it declares namespaces at too many levels, more than 200,000 are in"
                                + " scope of open elements; declare them once, at the root");
            }
            declarations = Map.of();
        }
        summary.name(element.path, element.expand(element.name, element.uris.getOrDefault("", "")));
        for (String attribute : attributes) {
            PathSummary.Path path = summary.child(element.path, "@" + key(attribute));
            summary.name(path, element.expand(attribute, ""));
        }
        attributes.clear();
    }

    private static String key(String name) {
        return name.replace(".", "%2E");
    }

    private static boolean isSpace(int c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    /** An element that has begun and not ended. */
    private static final class Open {
        private final PathSummary.Path path;
        private final String name;
        private final Set<String> keys = new HashSet<>();
        private Map<String, String> uris;

        /** The entries of its own map of namespaces; 0 where it has its parent's. */
        private int bindings;

        private boolean hasElements;
        private boolean hasText;
        private boolean hasSplitText;
        private boolean hasSpace;
        private boolean hasOther;

        Open(PathSummary.Path path, String name, Map<String, String> uris) {
            this.path = path;
            this.name = name;
            this.uris = uris;
        }

        PathSummary.Name expand(String qualified, String uriWithoutPrefix) {
            int colon = qualified.indexOf(':');
            if (colon < 0) {
                return new PathSummary.Name(uriWithoutPrefix, qualified);
            }
            String prefix = qualified.substring(0, colon);
            String uri =
                    prefix.equals("xml")
                            ? "http://www.w3.org/XML/1998/namespace"
                            : uris.getOrDefault(prefix, "");
            return new PathSummary.Name(uri, qualified.substring(colon + 1));
        }
    }
}
