/**
 * The HTTP resources of collections of XML documents.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.documents;
