package dev.penstock.documents.xpath;

import dev.penstock.documents.format.NodeHandler;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node that an expression has found. It keeps its document's tree in memory. Nodes are equal if they are the same
 * node of the same tree; their order is document order within one tree.
 */
public final class XPathNode implements Comparable<XPathNode> {
    private final NodeTree tree;
    private final long node;

    public XPathNode(NodeTree tree, long node) {
        this.tree = tree;
        this.node = node;
    }

    public NodeKind kind() {
        return tree.kind(node);
    }

    /** The name as written: of an element, attribute, the target of an instruction, the prefix of a namespace. */
    public String name() {
        return nameOrNone().qualified();
    }

    /** The local part of the name. */
    public String localName() {
        return nameOrNone().local();
    }

    /** The namespace of the name, empty if it has none. */
    public String namespace() {
        return nameOrNone().uri();
    }

    /** The string value. */
    public String text() {
        return tree.text(node);
    }

    /**
     * Gives the node to a handler: the document node as its children, an element with all namespaces in scope
     * declared on it, text, comments and instructions as they are.
     *
     * @throws IllegalStateException for an attribute or a namespace, which can't stand alone
     */
    public void write(NodeHandler handler) {
        switch (kind()) {
            case DOCUMENT -> tree.write(handler);
            case ELEMENT, TEXT, COMMENT, PROCESSING_INSTRUCTION ->
                    tree.writeAlone(NodeTree.index(node), handler);
            case ATTRIBUTE, NAMESPACE ->
                    throw new IllegalStateException(
                            "a node of kind " + kind() + " can't stand alone");
        }
    }

    /**
     * Applies a function that makes texts of the node, which may be held four times over. Several threads may do so
     * with nodes of one document.
     *
     * @throws dev.penstock.documents.DocumentException {@code LIMIT} or {@code BUSY} if there is no memory for that
     */
    public <T> T written(Function<XPathNode, T> function) {
        int index = NodeTree.index(node);
        long characters =
                tree.textLength(node) + tree.markupLength(index) + tree.inheritedLength(node);
        long bytes = 8 * characters + 50L * (tree.endAt(index) - index);
        return tree.memory().holding(bytes, () -> function.apply(this));
    }

    /** The numbers of the ancestors among their siblings, of an attribute or namespace those of its element. */
    public String place() {
        return tree.place(NodeTree.index(node));
    }

    private NodeName nameOrNone() {
        return Objects.requireNonNullElse(tree.name(node), NodeName.plain(""));
    }

    @Override
    public int compareTo(XPathNode other) {
        return Long.compare(node, other.node);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof XPathNode o && o.tree == tree && o.node == node;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(node);
    }

    @Override
    public String toString() {
        return kind() + " " + name();
    }
}
