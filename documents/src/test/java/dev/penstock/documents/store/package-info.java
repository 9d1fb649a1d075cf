/**
 * Tests of the stores.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.store;
