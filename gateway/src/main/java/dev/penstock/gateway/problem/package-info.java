/**
 * Failures as clients see them: problem documents (RFC 9457) that have the members of PostgREST as well.
 *
 * <p>{@link dev.penstock.gateway.problem.Problems} makes an {@code HttpException} of everything that a request can do
 * wrong and of each kind of {@code QueryException}; {@code SchemaFailure} finds those of a query that a change of the
 * schema explains. The HTTP server writes the document, or a page where a browser asked.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.gateway.problem;
