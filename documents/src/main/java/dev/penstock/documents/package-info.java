/**
 * XML documents as JSON without loss, in JSON stores, found by XPath.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents;
