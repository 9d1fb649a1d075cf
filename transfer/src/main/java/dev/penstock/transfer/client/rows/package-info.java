/**
 * Exports of rows that broke off: where the last whole row ends, and how to ask for those behind it.
 *
 * <p>A server that can go on says so in the header {@code Penstock-Resume-After}, which names the columns of its
 * order, the key last. {@link dev.penstock.transfer.client.rows.RowAssembler} passes on whole rows only, of CSV,
 * NDJSON or a JSON array, and keeps the last. When the response breaks off,
 * {@link dev.penstock.transfer.client.rows.Continuation} makes the URI for the rest of its values:
 * {@code ?after=(v1,v2)}. What the next response repeats, such as CSV's line of names or the bracket of an array, is
 * left out, so that the parts together are one whole, byte by byte as if nothing had happened.
 */
@NullMarked
package dev.penstock.transfer.client.rows;

import org.jspecify.annotations.NullMarked;
