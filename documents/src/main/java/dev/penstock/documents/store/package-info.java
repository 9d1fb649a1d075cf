/**
 * The stores of documents, as collections see them.
 *
 * <p>A {@link dev.penstock.documents.store.DocumentStore} keeps the JSON of documents with a version each, and finds
 * them by a {@link dev.penstock.documents.store.StoreFilter}, a condition that every store can translate. {@link
 * dev.penstock.documents.store.PathSummary} says which paths the documents of a collection have, and what stands
 * there. {@code FilterMatch} decides conditions here, for documents that a store can't hold as one value. The
 * packages {@code jdbc} and {@code mongo} have the stores themselves.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.store;
