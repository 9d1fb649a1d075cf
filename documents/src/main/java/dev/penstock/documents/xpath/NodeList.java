package dev.penstock.documents.xpath;

import java.util.Arrays;

/** A list of nodes that grows; it knows whether they came in document order, each once. */
final class NodeList {
    private static final int FIRST = 8;

    private final SearchMemory memory;
    private long[] nodes = new long[FIRST];
    private int size;
    private boolean ordered = true;

    NodeList(SearchMemory memory) {
        this.memory = memory;
    }

    void add(long node) {
        if (size == nodes.length) {
            grow();
        }
        ordered &= size == 0 || nodes[size - 1] < node;
        nodes[size++] = node;
    }

    /** Copies the nodes to an array twice as long; while that is done, there are both. */
    private void grow() {
        long bytes = (long) Long.BYTES * size;
        memory.take(2 * bytes);
        nodes = Arrays.copyOf(nodes, size * 2);
        memory.releaseTo(memory.taken() - bytes);
    }

    /** The bytes that it has taken. */
    long bytes() {
        return (long) Long.BYTES * (nodes.length - FIRST);
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    long get(int index) {
        return nodes[index];
    }

    void addAll(NodeList others) {
        for (int i = 0; i < others.size; i++) {
            add(others.nodes[i]);
        }
    }

    /** Puts the nodes in document order, each once. */
    NodeList inDocumentOrder() {
        if (!ordered) {
            sort();
            int kept = 1;
            for (int i = 1; i < size; i++) {
                if (nodes[i] != nodes[kept - 1]) {
                    nodes[kept++] = nodes[i];
                }
            }
            size = kept;
            ordered = true;
        }
        return this;
    }

    /** Sorts the nodes, for which the JDK may take as much memory again as they have. */
    private void sort() {
        long before = memory.taken();
        memory.take((long) Long.BYTES * size);
        Arrays.sort(nodes, 0, size);
        memory.releaseTo(before);
    }
}
