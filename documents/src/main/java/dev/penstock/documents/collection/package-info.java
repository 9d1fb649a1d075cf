/**
 * Collections of XML documents in a database.
 *
 * <p>{@link dev.penstock.documents.collection.Documents} opens a database, and gives a {@link
 * dev.penstock.documents.collection.DocumentCollection} by name. A document goes in through the converter, whose JSON
 * the store keeps, and its paths are added to the summary of the collection ({@code CollectionPaths}). A search is an
 * XPath expression, which is translated to a condition of the store with the help of that summary; documents that the
 * store finds are evaluated again unless the condition is exact. Streams read from the database as they are consumed.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.collection;
