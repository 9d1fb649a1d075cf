/**
 * The stores that hold documents as JSON, and the filters that they are given.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.store;
