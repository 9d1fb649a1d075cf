package dev.penstock.transfer.client.http;

import dev.penstock.transfer.client.resume.RunningDigest;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A digest that a header states (RFC 9530): the first of SHA-512 and SHA-256 that is there. Immutable. */
public final class DigestHeader {
    private static final Pattern MEMBER =
            Pattern.compile("(sha-(?:256|512))\\s*=\\s*:([A-Za-z0-9+/=]*):");

    private final String algorithm;
    private final byte[] value;

    private DigestHeader(String algorithm, byte[] value) {
        this.algorithm = algorithm;
        this.value = value;
    }

    /** The algorithm, as in the header. */
    public String algorithm() {
        return algorithm;
    }

    /** Reads {@code Repr-Digest} or {@code Content-Digest}. */
    public static Optional<DigestHeader> of(Answer answer, String header) {
        Matcher matcher = MEMBER.matcher(String.join(", ", answer.headers().allValues(header)));
        Optional<DigestHeader> found = Optional.empty();
        while (matcher.find()) {
            try {
                byte[] value = Base64.getDecoder().decode(matcher.group(2));
                if (found.isEmpty() || matcher.group(1).equals("sha-512")) {
                    found = Optional.of(new DigestHeader(matcher.group(1), value));
                }
            } catch (IllegalArgumentException e) {
                // What is no base64 states nothing.
            }
        }
        return found;
    }

    /** The name of the algorithm in the JDK. */
    public String platformName() {
        return algorithm.equals("sha-512") ? "SHA-512" : "SHA-256";
    }

    /** Begins a digest by this algorithm. */
    public MessageDigest begin() {
        return RunningDigest.digest(platformName());
    }

    /** Returns whether a digest is the one that was stated. */
    public boolean isEqual(byte[] computed) {
        return MessageDigest.isEqual(value, computed);
    }
}
