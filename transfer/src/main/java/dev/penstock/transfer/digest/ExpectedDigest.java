package dev.penstock.transfer.digest;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * The digest that bytes must have.
 *
 * @param value asked for when all bytes have come, since a trailer may tell it; throws a {@link
 *     dev.penstock.transfer.TransferException} where that is malformed or missing
 */
public record ExpectedDigest(DigestAlgorithm algorithm, Supplier<byte[]> value) {
    /** A digest that is known before the bytes come. */
    public static ExpectedDigest of(DigestAlgorithm algorithm, byte[] value) {
        byte[] known = value.clone();
        return new ExpectedDigest(algorithm, known::clone);
    }

    /** Returns whether bytes have the digest; to be asked when all have come. Takes as long wherever the two differ. */
    public boolean matches(byte[] actual) {
        return MessageDigest.isEqual(value.get(), actual);
    }

    /** Returns whether it is the same algorithm and value; asks for the value. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ExpectedDigest digest
                && algorithm == digest.algorithm
                && Arrays.equals(value.get(), digest.value.get());
    }

    @Override
    public int hashCode() {
        return algorithm.hashCode();
    }
}
