/**
 * Rows over HTTP: every table and view of an engine as a resource, in the spelling of PostgREST.
 *
 * <p>A request goes one way. {@link dev.penstock.gateway.Gateway} mounts the routes and tells bulk reads from short
 * requests by the head of the request alone, so that each waits in its own queue ({@code BulkRequests}). Its handler
 * then
 *
 * <ol>
 *   <li>turns the URL into a plan and chooses a format ({@code .request}),
 *   <li>counts what the head of the response must say, and opens the cursor ({@code .response}),
 *   <li>streams the rows: by a format of {@code penstock-format} for programs, by a page for people ({@code .page}).
 * </ol>
 *
 * <p>What can fail before the first byte becomes a problem document ({@code .problem}); after that the response breaks
 * off.
 *
 * <p>Invariants: names come from the schema that was read and values are always bound, so that no text of a request
 * reaches the SQL; a request holds its cursor only while rows are sent; what is served ({@code Gateway.Served}) is
 * looked at once for each request, so that a schema that is read again changes no request under way.
 *
 * <p>Only this package is exported. Begin with {@code Gateway.table}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.gateway;
