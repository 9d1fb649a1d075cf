/**
 * The translation of XPath expressions to conditions of a store, exactly or as a superset.
 *
 * <p>{@link dev.penstock.documents.xpath.translate.XPathTranslator} goes through an expression and asks of each part
 * which documents it can be true on. {@code PathWalk} follows a location path through the paths that the collection
 * has, to those that it may reach; {@code Filters} combines conditions. What can't be said in conditions becomes one
 * that finds more documents, never fewer: a {@link dev.penstock.documents.xpath.translate.Translation} says which it
 * is.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.xpath.translate;
