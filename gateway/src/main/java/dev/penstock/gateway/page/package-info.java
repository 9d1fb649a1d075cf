/**
 * Tables as pages for people: a part of the rows at a time, with links, a form for filters and the total; usable
 * without script.
 *
 * <p>{@link dev.penstock.gateway.page.TablePage} writes one page while its rows are read, the heads of its columns with
 * the links that sort included: {@code PageFrame} has the
 * headers, the style and the beginning, {@code PageTable} the columns that are shown, {@code PageColumn} one of them,
 * {@code RowLink} the links to the rows that foreign keys name. {@code RowPage} is the page of a single row. Every link
 * is the same query with something else in one place: {@code PageQuery}. {@code FilterForm} writes the form and the
 * links that take a filter away; a form that is sent is answered with a redirect to such a query. {@code Catalogue}
 * lists the tables, for programs as well.
 *
 * <p>Invariants: a page asks the database once for its rows and once for their number, in this order and never at the
 * same time; of a long cell only the beginning is written; references are relative to the page, so that it works behind
 * a proxy.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.gateway.page;
