package dev.penstock.documents.xpath;

import dev.penstock.documents.format.NodeHandler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one document in arrays, in document order. It is built by a {@link NodeTreeBuilder}, is not changed
 * afterwards, and may be read by several threads, of which one at a time may evaluate an expression on it. A node takes
 * about 28 bytes beside its text; closing the tree gives back the memory that was taken for it.
 *
 * <p>A stored node is an index: the document node is 0, an element is followed by its declarations and attributes in
 * the order in which they came, then by its children; {@code end} is the index after its last descendant. A node of
 * the data model is a {@code long}: the index shifted by {@link #SCOPE_BITS}, with 0 in the low bits, or for a
 * namespace node the index of its element with its place among the namespaces in scope, counted from 1. So the order
 * of these numbers is document order: an element, its namespace nodes, its attributes, its children. A stored
 * declaration is no node of the data model.
 */
public final class NodeTree implements AutoCloseable {
    public static final int SCOPE_BITS = 20;
    public static final long DOCUMENT = 0;
    public static final String XML_URI = "http://www.w3.org/XML/1998/namespace";

    /** The characters of a declaration beside its prefix and its namespace. */
    private static final int DECLARATION = " xmlns:=''".length();

    private static final long SCOPE_MASK = (1L << SCOPE_BITS) - 1;

    private final NodeKind[] kinds;
    private final int[] parents;
    private final int[] ends;
    private final @Nullable NodeName[] names;
    private final @Nullable String[] values;
    private final SearchMemory memory;

    /** For each node, the characters of all texts before it; then those of the whole document. */
    private final long[] characters;

    /** The namespaces that were asked for last. Several threads may each have set it. */
    private @Nullable Scope asked;

    private record Scope(int element, List<Map.Entry<String, String>> namespaces) {}

    NodeTree(
            NodeKind[] kinds,
            int[] parents,
            int[] ends,
            @Nullable NodeName[] names,
            @Nullable String[] values,
            SearchMemory memory) {
        this.kinds = kinds;
        this.parents = parents;
        this.ends = ends;
        this.names = names;
        this.values = values;
        this.memory = memory;
        characters = new long[kinds.length + 1];
        for (int i = 0; i < kinds.length; i++) {
            String value = values[i];
            int length = value == null || kinds[i] != NodeKind.TEXT ? 0 : value.length();
            characters[i + 1] = characters[i] + length;
        }
    }

    /** Gives the document's nodes to a handler, as they came. */
    public void write(NodeHandler handler) {
        for (int child = 1; child < ends[0]; child = ends[child]) {
            writeStored(child, Map.of(), handler);
        }
    }

    /** The memory that was taken for it. */
    SearchMemory memory() {
        return memory;
    }

    @Override
    public void close() {
        memory.close();
    }

    /** The number of stored nodes. */
    public int size() {
        return kinds.length;
    }

    public static long node(int index) {
        return (long) index << SCOPE_BITS;
    }

    public static int index(long node) {
        return (int) (node >> SCOPE_BITS);
    }

    /** The place of a namespace node among the namespaces in scope, from 1; 0 for other nodes. */
    public static int scope(long node) {
        return (int) (node & SCOPE_MASK);
    }

    public NodeKind kind(long node) {
        return scope(node) > 0 ? NodeKind.NAMESPACE : kinds[index(node)];
    }

    public NodeKind kindAt(int index) {
        return kinds[index];
    }

    public int parentAt(int index) {
        return parents[index];
    }

    public int endAt(int index) {
        return ends[index];
    }

    /** The index of the first child of a stored node, if its end is not reached. */
    public int firstChildAt(int index) {
        int child = index + 1;
        while (child < ends[index] && isAttached(child)) {
            child++;
        }
        return child;
    }

    /** Returns whether this is an attribute or a declaration, which is no child. */
    public boolean isAttached(int index) {
        return kinds[index] == NodeKind.ATTRIBUTE || kinds[index] == NodeKind.NAMESPACE;
    }

    /** The name of an element, attribute or processing instruction. */
    public NodeName nameAt(int index) {
        return Objects.requireNonNull(names[index]);
    }

    public String valueAt(int index) {
        return Objects.requireNonNull(values[index]);
    }

    /** The expanded name and the name as written; the name of a namespace node is its prefix. */
    public @Nullable NodeName name(long node) {
        return scope(node) > 0
                ? NodeName.plain(namespaces(index(node)).get(scope(node) - 1).getKey())
                : names[index(node)];
    }

    /** The string value. */
    public String text(long node) {
        if (scope(node) > 0) {
            return namespaces(index(node)).get(scope(node) - 1).getValue();
        }
        int index = index(node);
        String value = values[index];
        return value != null ? value : textOfDescendants(index);
    }

    /** The number of characters of the string value, that of a namespace node taken as 0. */
    long textLength(long node) {
        if (scope(node) > 0) {
            return 0;
        }
        int index = index(node);
        String value = values[index];
        return value != null ? value.length() : characters[ends[index]] - characters[index];
    }

    /**
     * The number of characters of a stored node and all in it that are no text: names, those of elements twice as in
     * their tags, and values.
     */
    long markupLength(int index) {
        long length = 0;
        for (int i = index; i < ends[index]; i++) {
            NodeName name = names[i];
            String value = values[i];
            int tags = kinds[i] == NodeKind.ELEMENT ? 2 : 1;
            length += name == null ? 0 : (long) tags * name.qualified().length();
            length += value == null || kinds[i] == NodeKind.TEXT ? 0 : value.length();
        }
        return length;
    }

    /** The characters that a node takes from around it: the declarations of an element that is written alone. */
    long inheritedLength(long node) {
        int index = index(node);
        if (scope(node) > 0) {
            return text(node).length();
        }
        if (kinds[index] != NodeKind.ELEMENT) {
            return 0;
        }
        long length = 0;
        for (Map.Entry<String, String> declaration : namespaces(parents[index])) {
            length += declaration.getKey().length() + DECLARATION + declaration.getValue().length();
        }
        return length;
    }

    /** Tells whether the string value is made of several texts each time that it is read. */
    boolean isTextJoined(long node) {
        int index = index(node);
        if (scope(node) > 0 || values[index] != null) {
            return false;
        }
        for (int i = index + 1; i < ends[index]; i++) {
            if (kinds[i] == NodeKind.TEXT) {
                return valueAt(i).length() != textLength(node);
            }
        }
        return false;
    }

    private String textOfDescendants(int index) {
        String first = null;
        StringBuilder several = null;
        for (int i = index + 1; i < ends[index]; i++) {
            if (kinds[i] == NodeKind.TEXT) {
                if (first == null) {
                    first = valueAt(i);
                } else {
                    several = several == null ? new StringBuilder(first) : several;
                    several.append(valueAt(i));
                }
            }
        }
        return several != null ? several.toString() : Objects.requireNonNullElse(first, "");
    }

    /** The namespaces in scope at an element: prefix, empty for the default namespace, and URI. */
    public List<Map.Entry<String, String>> namespaces(int element) {
        Scope last = asked;
        if (last == null || last.element() != element) {
            last = new Scope(element, inScope(element));
            asked = last;
        }
        return last.namespaces();
    }

    private List<Map.Entry<String, String>> inScope(int element) {
        List<Integer> ancestors = new ArrayList<>();
        for (int i = element; i > 0; i = parents[i]) {
            ancestors.add(i);
        }
        Map<String, String> inScope = new LinkedHashMap<>();
        inScope.put("xml", XML_URI);
        for (int ancestor : ancestors.reversed()) {
            for (int i = ancestor + 1; i < ends[ancestor] && isAttached(i); i++) {
                if (kinds[i] == NodeKind.NAMESPACE && valueAt(i).isEmpty()) {
                    inScope.remove(nameAt(i).local());
                } else if (kinds[i] == NodeKind.NAMESPACE) {
                    inScope.put(nameAt(i).local(), valueAt(i));
                }
            }
        }
        return List.copyOf(inScope.entrySet());
    }

    /** The number of each ancestor among its siblings, from the root on; of an attached node that of its element. */
    public String place(int index) {
        StringBuilder place = new StringBuilder();
        for (int i = isAttached(index) ? parents[index] : index; i > 0; i = parents[i]) {
            int number = 1;
            for (int child = firstChildAt(parents[i]); child < i; child = ends[child]) {
                number++;
            }
            place.insert(0, "/" + number);
        }
        return place.toString();
    }

    /**
     * Gives a child of the document node or of an element to a handler. An element has the namespaces that are in
     * scope at its ancestors as declarations of its own.
     */
    public void writeAlone(int index, NodeHandler handler) {
        Map<String, String> inherited = new LinkedHashMap<>();
        if (kinds[index] == NodeKind.ELEMENT) {
            namespaces(parents[index]).forEach(e -> inherited.put(e.getKey(), e.getValue()));
            inherited.remove("xml");
            for (int i = index + 1; i < ends[index] && isAttached(i); i++) {
                if (kinds[i] == NodeKind.NAMESPACE) {
                    inherited.remove(nameAt(i).local());
                }
            }
        }
        writeStored(index, inherited, handler);
    }

    private void writeStored(int root, Map<String, String> inherited, NodeHandler handler) {
        int open = parents[root];
        for (int i = root; i < ends[root]; i++) {
            for (; open != parents[i]; open = parents[open]) {
                handler.endElement();
            }
            writeOne(i, handler);
            if (kinds[i] == NodeKind.ELEMENT) {
                open = i;
            }
            if (i == root) {
                inherited.forEach(
                        (p, u) -> handler.attribute(p.isEmpty() ? "xmlns" : "xmlns:" + p, u));
            }
        }
        for (; open != parents[root]; open = parents[open]) {
            handler.endElement();
        }
    }

    private void writeOne(int index, NodeHandler handler) {
        switch (kinds[index]) {
            case ELEMENT -> handler.startElement(nameAt(index).qualified());
            case ATTRIBUTE, NAMESPACE ->
                    handler.attribute(nameAt(index).qualified(), valueAt(index));
            case TEXT -> handler.text(valueAt(index));
            case COMMENT -> handler.comment(valueAt(index));
            case PROCESSING_INSTRUCTION ->
                    handler.processingInstruction(nameAt(index).qualified(), valueAt(index));
            case DOCUMENT -> throw new IllegalArgumentException("the document node has no event");
        }
    }
}
