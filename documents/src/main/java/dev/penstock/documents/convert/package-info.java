/**
 * The converter of XML to JSON and back.
 *
 * <p>{@link dev.penstock.documents.convert.Converter} is all of it. From XML, {@code XmlToJson} in the package {@code
 * format} reads by StAX and writes JSON as it comes; back, {@code JsonToNodes} in the package {@code json} gives the
 * document's nodes in their order to {@code NodesToXml}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.convert;
