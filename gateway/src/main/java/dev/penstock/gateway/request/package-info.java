/**
 * What a request asks for: its URL, its headers and its form, read into a plan.
 *
 * <p>{@link dev.penstock.gateway.request.PlanGrammar} reads the parameters of a query, each as a {@code ParameterText},
 * which knows where each of its characters stands in the URL, so that errors can point there. It hands the lists of
 * {@code select} and {@code order} to {@code ColumnsGrammar}, conditions to {@code FilterGrammar}, and both have values
 * read by {@code ValueGrammar}, which is strict: a text that is no value of the column's type is an error. {@code
 * AfterGrammar} reads the row behind which a continued answer starts. Conditions
 * are three-valued as in SQL: {@code neq} becomes a {@code SqlNot}, which {@code PredicateSql} of the SQL engine and
 * {@code FilterCompiler} of the in-memory one know. {@code SchemaNames} knows which tables and columns the names mean.
 *
 * <p>Headers are apart: {@code Negotiation} chooses the format, {@code Preferences} reads {@code Prefer}, {@code
 * Profile} the schema. A query that is too long for a URL comes as a form, which {@code FormReader} reads: it
 * bounds the bytes of all forms that are being answered (503 beyond), and which {@code FormExchange} shows as if it
 * stood in the URL.
 *
 * <p>Nothing here knows of cursors or responses. All errors are those of {@code .problem}, with status 400, 404, 406,
 * 413 or 503.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.gateway.request;
