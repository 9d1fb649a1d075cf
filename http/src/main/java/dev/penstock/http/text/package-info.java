/**
 * Texts of small responses, made in memory: JSON and HTML, escaped once and in one place.
 *
 * <p>{@link dev.penstock.http.text.Json} writes single values, {@link dev.penstock.http.text.JsonText} builds a
 * document member by member, {@link dev.penstock.http.text.Html} escapes text for a page. They are for problems, status
 * documents and pages of a few kilobytes; rows are written as bytes by {@code penstock-format}. This package uses no
 * other, and has no state.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.http.text;
