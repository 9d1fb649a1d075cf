/**
 * Rows as bytes: JSON, NDJSON, CSV, HTML, XML, or a page of one's own, from a cursor straight to a channel.
 *
 * <p>A {@link dev.penstock.format.RowFormat} is immutable; its {@code write} makes what it needs for one answer, comes
 * to the first row before it writes anything, and then goes row by row. A cell's canonical text is copied from the
 * cursor's bytes ({@code Cursor.text}) into the one array of a {@code ByteOutput}, past {@code Escapes}, which copies
 * runs and replaces single bytes. Long binary cells go through {@code WideBytes}, which makes their base64 block by
 * block. A {@link dev.penstock.format.PageTemplate} writes a page by any template engine through a {@link
 * dev.penstock.format.PageWriter}, which encodes characters into the same kind of array.
 *
 * <p>Invariants: 16 KiB for each answer, whatever its rows; no object for a row or a cell; what is written is
 * well-formed UTF-8 and a well-formed document, whatever the database holds ({@code JsonRow} embeds a
 * JSON cell only if {@code JsonSyntax} finds a document in it that is well-formed and not too deep, and else writes it
 * as a string; {@code ArrayText} at PostgreSQL's arrays, {@code XmlName} makes names). Neither the cursor
 * nor the channel is closed here.
 *
 * <p>Formats from outside are services of type {@code RowFormat}; one from inside is named in {@code RowFormat.all}.
 * Other names for its media type are in {@code Negotiation} of the gateway. Begin reading with {@code JsonFormat} and
 * {@code JsonRow}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.format;
