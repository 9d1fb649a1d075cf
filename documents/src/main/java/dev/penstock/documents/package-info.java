/**
 * XML documents as JSON without loss, in JSON stores, found by XPath: what all parts of it share.
 *
 * <p>{@link dev.penstock.documents.ConverterOptions} and {@link dev.penstock.documents.DocumentLimits} say how XML
 * becomes JSON and within which bounds; {@link dev.penstock.documents.DocumentException} is the one exception.
 * Conversion alone is the package {@code convert}; collections of documents in databases are the package {@code
 * collection}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents;
