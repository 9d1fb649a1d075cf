/**
 * Responses as zstd and brotli, for clients that accept them: where this is on the path, the server finds {@link
 * dev.penstock.http.compression.ZstdCoder} and {@link dev.penstock.http.compression.BrotliCoder} as services, and
 * prefers them to gzip, in this order, where a client likes them equally.
 *
 * <p>Both are native libraries, so that their memory is bounded by settings of theirs and not by the heap: a coder says
 * how much one of its encoders holds, and the server has no more of them at once than its memory for encoders allows
 * ({@code ServerBuilder.maxEncoderMemory}). An encoder belongs to one response; it writes what it has encoded in
 * buffers of a few KiB, and the response blocks while the client is slow. Where a library can't be loaded on a
 * platform, its coding is not offered, and a line in the log says so.
 */
@NullMarked
package dev.penstock.http.compression;

import org.jspecify.annotations.NullMarked;
