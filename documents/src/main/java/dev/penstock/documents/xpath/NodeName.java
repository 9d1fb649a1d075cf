package dev.penstock.documents.xpath;

/**
 * A name of a node: as it is written, and expanded by the namespaces in scope.
 *
 * @param uri the namespace, empty if there is none
 */
public record NodeName(String qualified, String local, String uri) {
    /** A name without a namespace. */
    public static NodeName plain(String name) {
        return new NodeName(name, name, "");
    }
}
