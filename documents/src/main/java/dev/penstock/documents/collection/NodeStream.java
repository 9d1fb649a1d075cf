package dev.penstock.documents.collection;

import java.util.Collections;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A stream of the nodes that documents have, made one at a time: {@link Stream#flatMap} would gather all nodes of a
 * document where its stream is read by an iterator. For one thread.
 */
final class NodeStream extends Spliterators.AbstractSpliterator<FoundNode> {
    private final Iterator<XmlDocument> documents;
    private final Function<XmlDocument, Stream<FoundNode>> nodes;
    private Stream<FoundNode> open = Stream.empty();
    private Iterator<FoundNode> present = Collections.emptyIterator();

    private NodeStream(
            Iterator<XmlDocument> documents, Function<XmlDocument, Stream<FoundNode>> nodes) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.documents = documents;
        this.nodes = nodes;
    }

    /** Returns the nodes of all documents; closing it closes their stream. */
    static Stream<FoundNode> of(
            Stream<XmlDocument> documents, Function<XmlDocument, Stream<FoundNode>> nodes) {
        NodeStream stream = new NodeStream(documents.iterator(), nodes);
        return StreamSupport.stream(stream, false)
                .onClose(documents::close)
                .onClose(() -> stream.open.close());
    }

    @Override
    public boolean tryAdvance(Consumer<? super FoundNode> action) {
        while (!present.hasNext()) {
            open.close();
            if (!documents.hasNext()) {
                return false;
            }
            open = nodes.apply(documents.next());
            present = open.iterator();
        }
        action.accept(present.next());
        return true;
    }
}
