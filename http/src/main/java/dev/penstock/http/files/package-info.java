/**
 * Files as responses: {@link dev.penstock.http.files.StaticFiles} answers with those of a directory, {@link
 * dev.penstock.http.files.FileResponse} with one.
 *
 * <p>{@code FilePath} finds the file of a path, and nothing outside of the directory; {@code Siblings} the one beside
 * it that is the same compressed. An {@code OpenFile} is what was found, with its attributes and its bytes or open;
 * {@code FileAnswer} makes the response of it, with conditions and ranges ({@code ByteRange}). A {@code FileCache}
 * holds what was asked for within the last seconds, so that most requests are answered by the event loop without a look
 * at the disk. Where the operating system can, it moves the bytes from the file to the socket by itself; else they go
 * through the response's own buffers.
 *
 * <p>Invariants: an open file is closed by the last that uses it: the cache, or a response that is being sent. What is
 * held is bounded in count and bytes, however many files there are. A file that is shared is never read by a handler's
 * thread, whose interruption would close it for all. A response has the length of the file as it was opened, or is
 * broken off.
 *
 * <p>Begin with {@code StaticFiles}.
 */
@NullMarked
package dev.penstock.http.files;

import org.jspecify.annotations.NullMarked;
