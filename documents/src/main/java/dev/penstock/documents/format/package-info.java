/**
 * The format that holds an XML document as JSON without loss, as {@code docs/xml-json.md} defines it, written from
 * XML.
 *
 * <p>{@link dev.penstock.documents.format.XmlToJson} reads XML by StAX and drives a {@code JsonBuilder}. That has a
 * {@code Frame} for each open element, with a {@code Slot} for each key, where finished values wait as bytes. A key
 * that has grown large while its element is written goes out at once; the others follow at the element's end, with
 * the {@code Order} of the children where it is not the default one. {@link dev.penstock.documents.format.XmlToNodes}
 * gives the nodes of XML to a {@link dev.penstock.documents.format.NodeHandler} without JSON between.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.format;
