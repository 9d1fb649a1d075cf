/**
 * Documents of the format, read: from JSON to nodes in the order of the document, and from nodes to XML.
 *
 * <p>The order of a document stands in its JSON apart from the values, so reading jumps. {@link
 * dev.penstock.documents.json.JsonToNodes} reads short JSON at once; longer JSON is copied to a temporary file, of
 * which {@code JsonIndex} notes where the large values begin. {@code NodeReader} goes through the values of each
 * element by the order that {@code StoredOrder} gives and calls a {@link dev.penstock.documents.format.NodeHandler}.
 * One of these is {@link dev.penstock.documents.json.NodesToXml}, which writes XML.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.json;
