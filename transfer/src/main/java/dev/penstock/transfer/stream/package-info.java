/**
 * Tools for streams of any length, in a fixed amount of memory.
 *
 * <p>{@code Streams} has those that put something before, behind or between: joined streams, copies on the way, limits
 * of length and of rate, digests. Each holds no bytes of its own, but passes on those of the caller's buffer, so that
 * they can be stacked. {@code PeekableInputStream} looks at the next bytes before they are read, and {@code
 * BoundedLines} reads text by lines; both hold what they are told to, and no more. A {@code RateLimit} can be shared by
 * any number of streams.
 *
 * <p>What is done with bytes on their way is a {@code Stage}; there is one shell around stages for each kind of stream.
 *
 * <p>Closing a tool closes the stream that it stands for, and nothing else: not the second stream that a copy goes to.
 * Beyond a limit they throw a {@link dev.penstock.transfer.TransferException}, which names it; what the streams below
 * throw goes through as it is. Apart from {@code RateLimit}, everything here is for one thread at a time.
 */
@NullMarked
package dev.penstock.transfer.stream;

import org.jspecify.annotations.NullMarked;
