package dev.penstock.documents.xpath;

import dev.penstock.documents.DocumentException;

/** A walk along the axes of a tree. It visits at most a given number of nodes. Not thread-safe. */
final class AxisWalk {
    private final NodeTree tree;
    private final long maxVisits;
    private long visits;

    AxisWalk(NodeTree tree, long maxVisits) {
        this.tree = tree;
        this.maxVisits = maxVisits;
    }

    /** Adds the nodes of an axis that fulfil the test, in the order of the axis: reverse axes backwards. */
    void collect(Axis axis, NodeTest test, long from, NodeList found) {
        int index = NodeTree.index(from);
        boolean attached = NodeTree.scope(from) > 0 || tree.isAttached(index);
        switch (axis) {
            case SELF -> visit(from, axis, test, found);
            case PARENT -> parent(from, test, found);
            case ANCESTOR -> ancestors(from, test, found);
            case ANCESTOR_OR_SELF -> {
                visit(from, axis, test, found);
                ancestors(from, test, found);
            }
            case CHILD -> {
                if (!attached) {
                    children(index, test, found);
                }
            }
            case DESCENDANT -> descendants(index, attached, test, found);
            case DESCENDANT_OR_SELF -> {
                visit(from, axis, test, found);
                descendants(index, attached, test, found);
            }
            case FOLLOWING_SIBLING -> {
                if (!attached && index > 0) {
                    siblings(tree.endAt(index), tree.endAt(tree.parentAt(index)), test, found);
                }
            }
            case PRECEDING_SIBLING -> {
                if (!attached && index > 0) {
                    precedingSiblings(index, test, found);
                }
            }
            case FOLLOWING ->
                    range(attached ? index + 1 : tree.endAt(index), tree.size(), test, found);
            case PRECEDING -> preceding(elementOrSelf(from), test, found);
            case ATTRIBUTE -> attributes(from, index, test, found);
            case NAMESPACE -> namespaces(from, index, test, found);
        }
    }

    /** Counts visits of nodes, or units of other work on them. */
    void count(long units) {
        visits += units;
        if (visits > maxVisits) {
            throw new DocumentException(
                    DocumentException.Kind.LIMIT,
                    "The expression visits more than %,d nodes of one document; make its steps more specific"
                            .formatted(maxVisits));
        }
    }

    private void visit(long node, Axis axis, NodeTest test, NodeList found) {
        count(1);
        if (matches(node, axis, test)) {
            found.add(node);
        }
    }

    private void visit(int index, NodeTest test, NodeList found) {
        visit(NodeTree.node(index), Axis.CHILD, test, found);
    }

    private boolean matches(long node, Axis axis, NodeTest test) {
        NodeKind kind = tree.kind(node);
        return switch (test) {
            case NodeTest.AnyNode any -> true;
            case NodeTest.AnyText text -> kind == NodeKind.TEXT;
            case NodeTest.AnyComment comment -> kind == NodeKind.COMMENT;
            case NodeTest.Instruction instruction ->
                    kind == NodeKind.PROCESSING_INSTRUCTION
                            && (instruction.target() == null
                                    || tree.nameAt(NodeTree.index(node))
                                            .local()
                                            .equals(instruction.target()));
            case NodeTest.Named named -> {
                NodeName name = kind == principal(axis) ? tree.name(node) : null;
                yield name != null && named.matches(name);
            }
        };
    }

    private static NodeKind principal(Axis axis) {
        return switch (axis) {
            case ATTRIBUTE -> NodeKind.ATTRIBUTE;
            case NAMESPACE -> NodeKind.NAMESPACE;
            case CHILD,
                    DESCENDANT,
                    PARENT,
                    ANCESTOR,
                    FOLLOWING_SIBLING,
                    PRECEDING_SIBLING,
                    FOLLOWING,
                    PRECEDING,
                    SELF,
                    DESCENDANT_OR_SELF,
                    ANCESTOR_OR_SELF ->
                    NodeKind.ELEMENT;
        };
    }

    /** The parent's index; the document node has none. */
    private int parentOf(long node) {
        return NodeTree.scope(node) > 0
                ? NodeTree.index(node)
                : tree.parentAt(NodeTree.index(node));
    }

    private int elementOrSelf(long node) {
        int index = NodeTree.index(node);
        return NodeTree.scope(node) == 0 && tree.isAttached(index) ? tree.parentAt(index) : index;
    }

    private void parent(long from, NodeTest test, NodeList found) {
        if (from != NodeTree.DOCUMENT) {
            visit(parentOf(from), test, found);
        }
    }

    private void ancestors(long from, NodeTest test, NodeList found) {
        for (long node = from; node != NodeTree.DOCUMENT; node = NodeTree.node(parentOf(node))) {
            visit(parentOf(node), test, found);
        }
    }

    private void children(int index, NodeTest test, NodeList found) {
        if (tree.kindAt(index) == NodeKind.ELEMENT || tree.kindAt(index) == NodeKind.DOCUMENT) {
            siblings(tree.firstChildAt(index), tree.endAt(index), test, found);
        }
    }

    private void siblings(int from, int to, NodeTest test, NodeList found) {
        for (int i = from; i < to; i = tree.endAt(i)) {
            visit(i, test, found);
        }
    }

    private void descendants(int index, boolean attached, NodeTest test, NodeList found) {
        if (!attached) {
            range(index + 1, tree.endAt(index), test, found);
        }
    }

    private void range(int from, int to, NodeTest test, NodeList found) {
        for (int i = from; i < to; i++) {
            if (!tree.isAttached(i)) {
                visit(i, test, found);
            }
        }
    }

    private void precedingSiblings(int index, NodeTest test, NodeList found) {
        int parent = tree.parentAt(index);
        int first = tree.firstChildAt(parent);
        for (int i = index; i > first; ) {
            i--;
            while (tree.parentAt(i) != parent) {
                i = tree.parentAt(i);
            }
            visit(i, test, found);
        }
    }

    private void preceding(int index, NodeTest test, NodeList found) {
        for (int i = index - 1; i > 0; i--) {
            if (!tree.isAttached(i) && tree.endAt(i) <= index) {
                visit(i, test, found);
            }
        }
    }

    private void attributes(long from, int index, NodeTest test, NodeList found) {
        if (tree.kind(from) == NodeKind.ELEMENT) {
            for (int i = index + 1; i < tree.endAt(index) && tree.isAttached(i); i++) {
                if (tree.kindAt(i) == NodeKind.ATTRIBUTE) {
                    visit(NodeTree.node(i), Axis.ATTRIBUTE, test, found);
                }
            }
        }
    }

    private void namespaces(long from, int index, NodeTest test, NodeList found) {
        if (tree.kind(from) == NodeKind.ELEMENT) {
            int count = tree.namespaces(index).size();
            for (int i = 1; i <= count; i++) {
                visit(from + i, Axis.NAMESPACE, test, found);
            }
        }
    }
}
