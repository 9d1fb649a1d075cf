package dev.penstock.transfer.digest;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.field.FieldItem;
import dev.penstock.transfer.field.FieldValue;
import dev.penstock.transfer.field.MalformedFieldException;
import dev.penstock.transfer.field.StructuredField;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The notation of digests in HTTP (RFC 9530): {@code Content-Digest} and {@code Repr-Digest} have values by algorithm,
 * {@code sha-256=:base64:}; {@code Want-Content-Digest} and {@code Want-Repr-Digest} have preferences from 0 to 10.
 */
public final class DigestField {
    /** The digest of a request's or response's content. */
    public static final String CONTENT = "Content-Digest";

    /** The digest of the whole representation. */
    public static final String REPRESENTATION = "Repr-Digest";

    /** The algorithms that a client, or a server, would like in {@link #CONTENT}. */
    public static final String WANTED_CONTENT = "Want-Content-Digest";

    /** The algorithms that a client, or a server, would like in {@link #REPRESENTATION}. */
    public static final String WANTED_REPRESENTATION = "Want-Repr-Digest";

    private static final int MOST_PREFERRED = 10;

    private DigestField() {}

    /**
     * Reads the digests of a header.
     *
     * @param name of the header, for messages
     * @param lines the values of all headers of that name; there may be none
     * @return those of algorithms that are known here
     * @throws TransferException (INVALID) if it is malformed, or the digest of a known algorithm is not bytes of its
     *     length
     */
    public static Map<DigestAlgorithm, byte[]> parse(String name, List<String> lines) {
        Map<DigestAlgorithm, byte[]> digests = new EnumMap<>(DigestAlgorithm.class);
        members(name, lines)
                .forEach((key, item) ->
                        DigestAlgorithm.ofFieldName(key)
                                .ifPresent(algorithm ->
                                        digests.put(algorithm, value(name, algorithm, item))));
        return digests;
    }

    /**
     * Reads the strongest digest of a header.
     *
     * @return nothing where there is none of an algorithm that is known here
     * @throws TransferException (INVALID) as {@link #parse} has it
     */
    public static Optional<ExpectedDigest> strongest(String name, List<String> lines) {
        return parse(name, lines).entrySet().stream()
                .max(Map.Entry.comparingByKey())
                .map(digest -> ExpectedDigest.of(digest.getKey(), digest.getValue()));
    }

    /**
     * Reads which digests are wanted.
     *
     * @return the algorithms that are known here, the most preferred first; without those of preference 0
     * @throws TransferException (INVALID) if it is malformed, or a preference is no number from 0 to 10
     */
    public static List<DigestAlgorithm> wanted(String name, List<String> lines) {
        Map<DigestAlgorithm, Long> preferences = new EnumMap<>(DigestAlgorithm.class);
        members(name, lines)
                .forEach((key, item) ->
                        DigestAlgorithm.ofFieldName(key)
                                .ifPresent(algorithm ->
                                        preferences.put(
                                                algorithm, preference(name, algorithm, item))));
        List<DigestAlgorithm> wanted = new ArrayList<>(preferences.keySet());
        wanted.removeIf(algorithm -> preferences.getOrDefault(algorithm, 0L) == 0);
        wanted.sort(
                Comparator.comparing((DigestAlgorithm algorithm) ->
                                preferences.getOrDefault(algorithm, 0L))
                        .thenComparing(Comparator.naturalOrder())
                        .reversed());
        return wanted;
    }

    /** Writes a digest: {@code sha-256=:base64:}. */
    public static String format(DigestAlgorithm algorithm, byte[] value) {
        return StructuredField.write(
                Map.of(algorithm.fieldName(), FieldItem.of(new FieldValue.Bytes(value))));
    }

    /** Writes which digests are wanted, the most preferred first: {@code sha-512=10, sha-256=9}. */
    public static String formatWanted(List<DigestAlgorithm> algorithms) {
        Map<String, FieldItem> members = new LinkedHashMap<>();
        int preference = MOST_PREFERRED;
        for (DigestAlgorithm algorithm : algorithms) {
            members.put(algorithm.fieldName(), FieldItem.of(new FieldValue.Whole(preference)));
            preference = Math.max(1, preference - 1);
        }
        return StructuredField.write(members);
    }

    private static Map<String, FieldItem> members(String name, List<String> lines) {
        try {
            return StructuredField.dictionary(lines);
        } catch (MalformedFieldException e) {
            throw new TransferException(
                    Kind.INVALID,
                    "%s is malformed: %s; send digests as in sha-256=:base64:"
                            .formatted(name, e.getMessage()),
                    e);
        }
    }

    private static byte[] value(String name, DigestAlgorithm algorithm, FieldItem item) {
        if (item.value() instanceof FieldValue.Bytes bytes) {
            byte[] value = bytes.value();
            if (value.length == algorithm.length()) {
                return value;
            }
            throw new TransferException(
                    Kind.INVALID,
                    "%s has %d bytes for %s, which has %d"
                            .formatted(
                                    name, value.length, algorithm.fieldName(), algorithm.length()));
        }
        throw new TransferException(
                Kind.INVALID,
                "%s has something else than bytes for %s; send them in base64 between colons"
                        .formatted(name, algorithm.fieldName()));
    }

    private static long preference(String name, DigestAlgorithm algorithm, FieldItem item) {
        if (item.value() instanceof FieldValue.Whole(long preference)
                && preference >= 0
                && preference <= MOST_PREFERRED) {
            return preference;
        }
        throw new TransferException(
                Kind.INVALID,
                "%s has no preference from 0 to 10 for %s".formatted(name, algorithm.fieldName()));
    }
}
