package dev.penstock.documents.xpath;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.format.NodeHandler;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A handler that makes a {@link NodeTree} of the nodes that it receives. Memory grows with the document, as far as its
 * {@link SearchMemory} allows. Not thread-safe.
 */
public final class NodeTreeBuilder implements NodeHandler {
    /** The bytes of a node: its places in the arrays, which double when they grow, and in a list of nodes. */
    private static final int NODE_BYTES = 100;

    private static final int TEXT_BYTES = 50;

    /** The bytes of a namespace in scope of an open element that declares one. */
    private static final long SCOPE_BYTES = 50;

    private final SearchMemory memory;

    private NodeKind[] kinds = new NodeKind[64];
    private int[] parents = new int[64];
    private int[] ends = new int[64];
    private @Nullable NodeName[] names = new NodeName[64];
    private @Nullable String[] values = new String[64];
    private int size;

    private int open;
    private boolean namesPending;
    private final Deque<Scope> scopes = new ArrayDeque<>();

    /** Makes one whose tree takes the memory over, and gives it back when it is closed. */
    public NodeTreeBuilder(SearchMemory memory) {
        this.memory = memory;
        scopes.push(new Scope(-1, 0, Map.of("xml", NodeTree.XML_URI, "", "")));
        add(NodeKind.DOCUMENT, null, null);
    }

    /**
     * The tree of the nodes received. To be called once, after the last of them.
     *
     * @throws IllegalStateException if an element is open
     */
    public NodeTree build() {
        if (open != 0) {
            throw new IllegalStateException("an element is open");
        }
        ends[0] = size;
        return new NodeTree(
                Arrays.copyOf(kinds, size),
                Arrays.copyOf(parents, size),
                Arrays.copyOf(ends, size),
                Arrays.copyOf(names, size),
                Arrays.copyOf(values, size),
                memory);
    }

    @Override
    public void startElement(String name) {
        resolveNames();
        open = add(NodeKind.ELEMENT, NodeName.plain(name), null);
        namesPending = true;
    }

    @Override
    public void attribute(String name, String value) {
        if (name.equals("xmlns")) {
            add(NodeKind.NAMESPACE, new NodeName(name, "", ""), value);
        } else if (name.startsWith("xmlns:")) {
            add(NodeKind.NAMESPACE, new NodeName(name, name.substring(6), ""), value);
        } else {
            add(NodeKind.ATTRIBUTE, NodeName.plain(name), value);
        }
    }

    @Override
    public void text(String text) {
        resolveNames();
        add(NodeKind.TEXT, null, text);
    }

    @Override
    public void comment(String text) {
        resolveNames();
        add(NodeKind.COMMENT, null, text);
    }

    @Override
    public void processingInstruction(String target, String data) {
        resolveNames();
        add(NodeKind.PROCESSING_INSTRUCTION, NodeName.plain(target), data);
    }

    @Override
    public void endElement() {
        resolveNames();
        ends[open] = size;
        if (scopes.element().element() == open) {
            Scope ended = scopes.pop();
            memory.releaseTo(memory.taken() - ended.bytes());
        }
        open = parents[open];
    }

    private int add(NodeKind kind, @Nullable NodeName name, @Nullable String value) {
        memory.take(NODE_BYTES + (value == null ? 0 : TEXT_BYTES + 2L * value.length()));
        if (size == kinds.length) {
            grow();
        }
        kinds[size] = kind;
        parents[size] = open;
        ends[size] = size + 1;
        names[size] = name;
        values[size] = value;
        return size++;
    }

    private void grow() {
        int larger = size * 2;
        kinds = Arrays.copyOf(kinds, larger);
        parents = Arrays.copyOf(parents, larger);
        ends = Arrays.copyOf(ends, larger);
        names = Arrays.copyOf(names, larger);
        values = Arrays.copyOf(values, larger);
    }

    /** Expands the names of the element that has just begun, now that its declarations are known. */
    private void resolveNames() {
        if (!namesPending) {
            return;
        }
        namesPending = false;
        openScope();
        Scope scope = scopes.element();
        names[open] = scope.element(nameAt(open));
        for (int i = open + 1; i < size; i++) {
            if (kinds[i] == NodeKind.ATTRIBUTE) {
                names[i] = scope.attribute(nameAt(i));
            }
        }
    }

    private void openScope() {
        int declarations = 0;
        for (int i = open + 1; i < size; i++) {
            declarations += kinds[i] == NodeKind.NAMESPACE ? 1 : 0;
        }
        if (declarations == 0) {
            return;
        }
        Map<String, String> inherited = scopes.element().uris();
        long bytes = SCOPE_BYTES * (inherited.size() + declarations);
        memory.take(bytes);
        Map<String, String> uris = new HashMap<>(inherited);
        for (int i = open + 1; i < size; i++) {
            NodeName name = names[i];
            String value = values[i];
            if (kinds[i] == NodeKind.NAMESPACE && name != null && value != null) {
                uris.put(name.local(), value);
            }
        }
        scopes.push(new Scope(open, bytes, uris));
    }

    private String nameAt(int index) {
        NodeName name = names[index];
        return name == null ? "" : name.qualified();
    }

    /** The namespaces in scope from one element on, the bytes taken for them, and the names expanded so far. */
    private record Scope(
            int element,
            long bytes,
            Map<String, String> uris,
            Map<String, NodeName> elements,
            Map<String, NodeName> attributes) {
        Scope(int element, long bytes, Map<String, String> uris) {
            this(element, bytes, uris, new HashMap<>(), new HashMap<>());
        }

        NodeName element(String name) {
            return elements.computeIfAbsent(name, n -> expand(n, uris.getOrDefault("", "")));
        }

        NodeName attribute(String name) {
            return attributes.computeIfAbsent(name, n -> expand(n, ""));
        }

        private NodeName expand(String name, String uriWithoutPrefix) {
            int colon = name.indexOf(':');
            if (colon < 0) {
                return new NodeName(name, name, uriWithoutPrefix);
            }
            String prefix = name.substring(0, colon);
            String uri = uris.get(prefix);
            if (uri == null || uri.isEmpty()) {
                throw new DocumentException(
                        DocumentException.Kind.JSON,
                        "The prefix of the name '%s' is not declared in the document; declare it by xmlns:%s"
                                .formatted(name, prefix));
            }
            return new NodeName(name, name.substring(colon + 1), uri);
        }
    }
}
