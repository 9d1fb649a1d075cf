package dev.penstock.transfer.stream;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.List;
import java.util.zip.Checksum;

/**
 * Streams made of others. None of them holds bytes of its own, whatever the length; they can be stacked in any order.
 * Closing one closes those that it reads from, or writes to, but never where a {@linkplain #tee copy} goes. For one
 * thread at a time.
 *
 * <p>The body of a request is a channel; {@link java.nio.channels.Channels#newInputStream} makes a stream of it.
 */
public final class Streams {
    private Streams() {}

    /**
     * Bytes before a stream.
     *
     * @param first used as it is, not copied
     */
    public static InputStream prefix(byte[] first, InputStream rest) {
        return new SequenceInputStream(new ByteArrayInputStream(first), rest);
    }

    /**
     * Bytes behind a stream.
     *
     * @param last used as it is, not copied
     */
    public static InputStream append(InputStream start, byte[] last) {
        return new SequenceInputStream(start, new ByteArrayInputStream(last));
    }

    /** One stream after the other. Each is closed when it has ended, those that are left when this is closed. */
    public static InputStream join(InputStream... parts) {
        return new SequenceInputStream(Collections.enumeration(List.of(parts)));
    }

    /**
     * Bytes before a channel.
     *
     * @param first what remains in it, not copied; its position moves as it is read
     */
    public static ReadableByteChannel prefix(ByteBuffer first, ReadableByteChannel rest) {
        return new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer target) throws IOException {
                if (!first.hasRemaining() || !rest.isOpen()) {
                    return rest.read(target);
                }
                int count = Math.min(first.remaining(), target.remaining());
                target.put(target.position(), first, first.position(), count);
                target.position(target.position() + count);
                first.position(first.position() + count);
                return count;
            }

            @Override
            public boolean isOpen() {
                return rest.isOpen();
            }

            @Override
            public void close() throws IOException {
                rest.close();
            }
        };
    }

    /**
     * A stream whose bytes are also written elsewhere before they are returned.
     *
     * @param copy flushed when this is closed, but not closed; a failure of it fails the read
     */
    public static InputStream tee(InputStream in, OutputStream copy) {
        return new StagedInputStream(in, Copy.to(copy));
    }

    /**
     * A channel whose bytes are also written elsewhere before they are returned.
     *
     * @param copy in blocking mode, and not closed; a failure of it fails the read
     */
    public static ReadableByteChannel tee(ReadableByteChannel channel, WritableByteChannel copy) {
        return new StagedChannel(channel, Copy.to(copy));
    }

    /**
     * A stream whose bytes are also written elsewhere, after they were written to the first.
     *
     * @param copy flushed with the first, but not closed; a failure of it fails the write
     */
    public static OutputStream tee(OutputStream out, OutputStream copy) {
        return new StagedOutputStream(out, Copy.to(copy));
    }

    /**
     * A stream that may have so many bytes. When there are more, reading them throws a {@link
     * dev.penstock.transfer.TransferException} of kind {@code TOO_LARGE}; those before were returned.
     *
     * @param maxBytes 0 or more
     */
    public static InputStream limit(InputStream in, long maxBytes) {
        return new StagedInputStream(in, new LengthLimit(maxBytes));
    }

    /** A channel that may have so many bytes; as {@link #limit(InputStream, long)}. */
    public static ReadableByteChannel limit(ReadableByteChannel channel, long maxBytes) {
        return new StagedChannel(channel, new LengthLimit(maxBytes));
    }

    /**
     * A stream that takes so many bytes. A write that would exceed that throws a {@link
     * dev.penstock.transfer.TransferException} of kind {@code TOO_LARGE}, and nothing of it is passed on.
     *
     * @param maxBytes 0 or more
     */
    public static OutputStream limit(OutputStream out, long maxBytes) {
        return new StagedOutputStream(out, new LengthLimit(maxBytes));
    }

    /** A stream that is read at a rate; reading waits. */
    public static InputStream throttle(InputStream in, RateLimit rate) {
        return new StagedInputStream(in, rate.stage());
    }

    /** A channel that is read at a rate; reading waits. */
    public static ReadableByteChannel throttle(ReadableByteChannel channel, RateLimit rate) {
        return new StagedChannel(channel, rate.stage());
    }

    /** A stream that is written at a rate; writing waits. */
    public static OutputStream throttle(OutputStream out, RateLimit rate) {
        return new StagedOutputStream(out, rate.stage());
    }

    /** A stream whose bytes a digest sees as they are read. */
    public static InputStream digest(InputStream in, MessageDigest digest) {
        return new StagedInputStream(in, digest::update);
    }

    /** A channel whose bytes a digest sees as they are read. */
    public static ReadableByteChannel digest(ReadableByteChannel channel, MessageDigest digest) {
        return new StagedChannel(channel, digest::update);
    }

    /** A stream whose bytes a digest sees as they are written. */
    public static OutputStream digest(OutputStream out, MessageDigest digest) {
        return new StagedOutputStream(out, digest::update);
    }

    /** A stream whose bytes a checksum sees as they are read, such as {@code CRC32C}. */
    public static InputStream checksum(InputStream in, Checksum checksum) {
        return new StagedInputStream(in, checksum::update);
    }

    /** A channel whose bytes a checksum sees as they are read, such as {@code CRC32C}. */
    public static ReadableByteChannel checksum(ReadableByteChannel channel, Checksum checksum) {
        return new StagedChannel(channel, checksum::update);
    }

    /** A stream whose bytes a checksum sees as they are written, such as {@code CRC32C}. */
    public static OutputStream checksum(OutputStream out, Checksum checksum) {
        return new StagedOutputStream(out, checksum::update);
    }
}
