/**
 * Structured fields of HTTP (RFC 9651): headers whose values are items, lists or dictionaries.
 *
 * <p>{@link dev.penstock.transfer.field.StructuredField} reads the lines of a header and writes values. Each value is a
 * {@link dev.penstock.transfer.field.FieldValue}, which with its parameters is a {@link
 * dev.penstock.transfer.field.FieldItem}. Reading is as strict as the RFC has it: a header that breaks a rule anywhere
 * is a {@link dev.penstock.transfer.field.MalformedFieldException}, which says where, and no part of it counts. What is
 * done about that is up to whoever defines the header: some are ignored then, others make the request an error.
 *
 * <p>{@link dev.penstock.transfer.field.FileName} is a field of the older kind, {@code Content-Disposition}, which is
 * read as generously as clients write it.
 *
 * <p>Reading takes time and memory in proportion to the length of the header, which the server bounds. All values are
 * immutable.
 *
 * <p>Begin with {@code StructuredField}.
 */
@NullMarked
package dev.penstock.transfer.field;

import org.jspecify.annotations.NullMarked;
