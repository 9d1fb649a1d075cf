package dev.penstock.transfer.digest;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A digest of bytes that pass by. Holds a few hundred bytes. Not safe for several threads at once. */
public final class Digest {
    private final DigestAlgorithm algorithm;
    private final @Nullable MessageDigest message;
    private final CRC32C checksum = new CRC32C();

    Digest(DigestAlgorithm algorithm) {
        this.algorithm = algorithm;
        message = algorithm == DigestAlgorithm.CRC32C ? null : message(algorithm);
    }

    private static MessageDigest message(DigestAlgorithm algorithm) {
        try {
            return MessageDigest.getInstance(algorithm.javaName());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every JDK has " + algorithm.javaName(), impossible);
        }
    }

    /** The algorithm. */
    public DigestAlgorithm algorithm() {
        return algorithm;
    }

    /** Adds the bytes that remain in a buffer, on the heap or not, and moves its position to their end. */
    public void update(ByteBuffer bytes) {
        if (message == null) {
            checksum.update(bytes);
        } else {
            message.update(bytes);
        }
    }

    /** Returns the value of all bytes so far, and begins anew. */
    public byte[] value() {
        if (message != null) {
            return message.digest();
        }
        byte[] value = ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array();
        checksum.reset();
        return value;
    }
}
