/**
 * Responses, from what a handler writes to the frames that a transport queues for the socket.
 *
 * <p>A response holds back its head until the first buffer is full, it is flushed, or the handler returns, so that a
 * failure can still become an error response ({@code Problem}, or {@code ProblemPage} for browsers). Then it goes out
 * in buffers of 32 KiB, compressed if the client accepts it ({@code Gzip}, or one of the {@code ContentCoders}).
 * {@code Response} is what a handler writes to, and decides when the head is sent and whether the body is compressed,
 * by its length; what else that depends on, and which media types are worth it, is in {@code ContentCoding}. What the
 * head says until then is {@code DescribedResponse}, the buffer is {@code BufferedResponse}. They are the superclasses
 * of {@code Response}, so that one response is one object.
 *
 * <p>The transport is an interface with one implementation for each protocol; what two of them share is the queue
 * between the handler's thread and the event loop, and the window of bytes that may be on their way at once, in which a
 * writer waits for a slower client. A file that ends a response, and is not compressed, needs no thread: the transport
 * has the operating system send it, or a {@code CopiedFile} on the event loop keeps the window full.
 *
 * <p>Invariants: the end of a response is sent only after its handler has returned; a response that failed in the
 * middle is reset, never ended; no more than the window and one buffer is held for a response, however long it is.
 */
@NullMarked
package dev.penstock.http.response;

import org.jspecify.annotations.NullMarked;
