package dev.penstock.transfer.digest;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;

/** The notation of a checksum in tus 1.0.0, {@code Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=}. */
public final class UploadChecksum {
    /** The value of {@code Tus-Checksum-Algorithm}: the names of all algorithms. */
    public static final String ALGORITHMS =
            Arrays.stream(DigestAlgorithm.values())
                    .sorted((a, b) -> b.compareTo(a))
                    .map(DigestAlgorithm::tusName)
                    .collect(Collectors.joining(","));

    private UploadChecksum() {}

    /**
     * Reads a checksum: the name of an algorithm, one space, and the value in base64.
     *
     * @throws TransferException (INVALID) if it is malformed, has an algorithm that is not known, or a value of another
     *     length than its algorithm's
     */
    public static ExpectedDigest parse(String header) {
        int space = header.indexOf(' ');
        if (space < 0) {
            throw invalid("has no space between algorithm and value");
        }
        DigestAlgorithm algorithm =
                DigestAlgorithm.ofTusName(header.substring(0, space))
                        .orElseThrow(
                                () -> invalid("has an algorithm that is not one of " + ALGORITHMS));
        byte[] value;
        try {
            value = Base64.getDecoder().decode(header.substring(space + 1));
        } catch (IllegalArgumentException _) {
            throw invalid("has a value that is not base64");
        }
        if (value.length != algorithm.length()) {
            throw invalid(
                    "has %d bytes where %s has %d"
                            .formatted(value.length, algorithm.tusName(), algorithm.length()));
        }
        return ExpectedDigest.of(algorithm, value);
    }

    /** Writes a checksum. */
    public static String format(DigestAlgorithm algorithm, byte[] value) {
        return algorithm.tusName() + " " + Base64.getEncoder().encodeToString(value);
    }

    private static TransferException invalid(String how) {
        return new TransferException(
                Kind.INVALID, "Upload-Checksum " + how + "; send sha1 and the value in base64");
    }
}
