/**
 * The format that holds an XML document as JSON without loss, and the converter both ways.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.format;
