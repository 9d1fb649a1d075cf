package dev.penstock.transfer.client.resume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A digest of a whole that is computed as far as its bytes pass by in order; the rest is read again at the end.
 * Thread-safe.
 */
public final class RunningDigest {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final MessageDigest digest;
    private long at;

    /** The bytes, as they can be read again. */
    public interface Reader {
        /** Reads at a position; nothing at the end. */
        @Nullable ByteBuffer read(long position, int limit)
                throws IOException, InterruptedException;
    }

    /** A digest by an algorithm of the JDK. */
    public RunningDigest(String algorithm) {
        digest = digest(algorithm);
    }

    /** Begins a digest of the JDK. */
    public static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(
                    "This JDK lacks " + algorithm + ", which the platform requires", e);
        }
    }

    /** Takes bytes at a position, if they are the next; the buffer's position stays. */
    public void update(long position, ByteBuffer bytes) {
        lock.lock();
        try {
            long end = position + bytes.remaining();
            if (position <= at && at < end) {
                ByteBuffer rest = bytes.duplicate();
                rest.position(rest.position() + (int) (at - position));
                digest.update(rest);
                at = end;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Begins again: the bytes are others. */
    public void reset() {
        lock.lock();
        try {
            digest.reset();
            at = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Reads what has not passed by, and gives the digest; once. */
    public byte[] finish(Reader reader, long length) throws IOException, InterruptedException {
        lock.lock();
        try {
            while (at < length) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                ByteBuffer bytes = reader.read(at, (int) Math.min(BUFFER_BYTES, length - at));
                if (bytes == null) {
                    throw new IOException("Only " + at + " bytes of " + length + " are there");
                }
                at += bytes.remaining();
                digest.update(bytes);
            }
            return digest.digest();
        } finally {
            lock.unlock();
        }
    }
}
