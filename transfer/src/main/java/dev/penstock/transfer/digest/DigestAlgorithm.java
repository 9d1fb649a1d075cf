package dev.penstock.transfer.digest;

import java.util.Arrays;
import java.util.Optional;

/** The digests that clients may send, the weakest first. */
public enum DigestAlgorithm {
    /** The Castagnoli checksum (RFC 9260, appendix A), most significant byte first; against accidents only. */
    CRC32C("crc32c", "crc32c", "CRC32C", 4),
    /** SHA-1, which withstands accidents and no attacker. */
    SHA1("sha1", "sha", "SHA-1", 20),
    /** SHA-256. */
    SHA256("sha256", "sha-256", "SHA-256", 32),
    /** SHA-512. */
    SHA512("sha512", "sha-512", "SHA-512", 64);

    private final String tusName;
    private final String fieldName;
    private final String javaName;
    private final int length;

    DigestAlgorithm(String tusName, String fieldName, String javaName, int length) {
        this.tusName = tusName;
        this.fieldName = fieldName;
        this.javaName = javaName;
        this.length = length;
    }

    /** Its name in {@code Upload-Checksum} and {@code Tus-Checksum-Algorithm}: {@code sha1}. */
    public String tusName() {
        return tusName;
    }

    /** Its name in the fields of RFC 9530: {@code sha-256}. */
    public String fieldName() {
        return fieldName;
    }

    /** Its name for {@link java.security.MessageDigest}, which does not have {@link #CRC32C}. */
    String javaName() {
        return javaName;
    }

    /** The number of bytes of a value. */
    public int length() {
        return length;
    }

    /** Begins a digest. */
    public Digest start() {
        return new Digest(this);
    }

    /** The algorithm of a name of tus, which has lower case. */
    public static Optional<DigestAlgorithm> ofTusName(String name) {
        return Arrays.stream(values()).filter(each -> each.tusName.equals(name)).findFirst();
    }

    /** The algorithm of a name of RFC 9530, which has lower case. */
    public static Optional<DigestAlgorithm> ofFieldName(String name) {
        return Arrays.stream(values()).filter(each -> each.fieldName.equals(name)).findFirst();
    }
}
