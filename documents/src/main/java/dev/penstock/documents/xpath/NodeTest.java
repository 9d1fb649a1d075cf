package dev.penstock.documents.xpath;

import org.jspecify.annotations.Nullable;

/** A condition of a step on the kind and the name of a node. */
public sealed interface NodeTest {
    /** {@code node()}. */
    record AnyNode() implements NodeTest {}

    /** {@code text()}. */
    record AnyText() implements NodeTest {}

    /** {@code comment()}. */
    record AnyComment() implements NodeTest {}

    /** {@code processing-instruction()}; with a target that is not null, only those with this target. */
    record Instruction(@Nullable String target) implements NodeTest {}

    /**
     * A name, of nodes of the axis's principal kind.
     *
     * @param uri the namespace, empty for none; null if any will do
     * @param local the local name; null if any will do
     */
    record Named(@Nullable String uri, @Nullable String local) implements NodeTest {
        public boolean matches(NodeName name) {
            return (local == null || local.equals(name.local()))
                    && (uri == null || uri.equals(name.uri()));
        }
    }
}
