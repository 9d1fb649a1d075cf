/**
 * XPath 1.0 over documents that are stored as JSON, and its translation to filters of a store.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.xpath;
