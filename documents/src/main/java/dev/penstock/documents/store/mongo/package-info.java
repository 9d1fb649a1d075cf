/**
 * Documents in MongoDB, by its own driver, which is an optional dependency.
 *
 * <p>{@link dev.penstock.documents.store.mongo.MongoDocumentStore} writes a document with one conditional write,
 * after its pieces and its paths. {@code MongoCondition} translates conditions to queries: existence exactly, texts
 * as a superset.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.store.mongo;
