/**
 * Forms in the body of a request. {@link dev.penstock.http.form.Form} is the short one, fields in one text, which is
 * read as a whole. {@link dev.penstock.http.form.Multipart} is the one with files, which is read part by part as it
 * comes.
 *
 * <p>A {@code Multipart} reads the body of an exchange through one buffer of 16 KiB. {@code Multipart.next} reads the
 * head of the next {@link dev.penstock.http.form.Part}; the part's content is read until {@code BoundaryReader} finds
 * the line that ends it. {@code PartHead} reads the few headers that a part may have, and {@code ContentLimit} counts
 * content against {@link dev.penstock.http.form.MultipartLimits}.
 *
 * <p>Invariants: memory is the buffer and one part's head, whatever the body's size; a body that ends without its
 * closing boundary is an error, never a shorter form; whatever begins with a boundary at the beginning of a line is
 * one, so that no other reader sees other parts; a file's name is never a path.
 *
 * <p>Begin with {@code Multipart}.
 */
@NullMarked
package dev.penstock.http.form;

import org.jspecify.annotations.NullMarked;
