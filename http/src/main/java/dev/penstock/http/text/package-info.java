/**
 * Texts of small responses, made in memory: JSON and HTML, escaped once and in one place.
 *
 * <p>{@link dev.penstock.http.text.Json} spells values, {@link dev.penstock.http.text.JsonText} builds a document member by member, {@link
 * dev.penstock.http.text.Html} escapes what stands on a page. They are for problems, status documents and pages of a few kilobytes; rows are
 * written as bytes by {@code penstock-format}, which has no part in this. This package uses no other, and is free of state.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.http.text;
