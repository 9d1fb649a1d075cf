/**
 * Bytes that wait until they can be written, within a bound of memory.
 *
 * <p>A {@link dev.penstock.documents.buffer.Rope} is a list of bytes that grows at its end and can be put into
 * another as a whole. What all ropes of a conversion hold together is bounded by {@link
 * dev.penstock.documents.buffer.Scratch}: what does not fit goes to one temporary file, which is deleted at the end.
 * {@link dev.penstock.documents.buffer.Problems} makes the exceptions.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.buffer;
