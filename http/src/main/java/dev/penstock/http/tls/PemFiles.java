package dev.penstock.http.tls;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server's certificate with those that vouch for it, and its private key, read from PEM files (RFC 7468). Keys may be
 * in PKCS #8, or in the older forms of RSA and EC keys.
 */
record PemFiles(List<X509Certificate> certificates, PrivateKey key) {
    private static final Pattern BLOCK =
            Pattern.compile(
                    "-----BEGIN ([A-Z0-9 ]{1,40})-----(.*?)-----END \\1-----", Pattern.DOTALL);

    PemFiles {
        certificates = List.copyOf(certificates);
    }

    /** A block of a PEM file, as it is. */
    private record Block(String type, String text) {
        byte[] bytes() {
            return Base64.getMimeDecoder().decode(text);
        }
    }

    /** The contents of the two files. */
    record Source(String certificate, String key) {
        static Source read(Path certificate, Path key) {
            return new Source(
                    TlsFile.text(TlsFile.read(certificate, "certificate")),
                    TlsFile.text(TlsFile.read(key, "key")));
        }

        String digest() {
            return TlsFile.digest(certificate, key);
        }
    }

    /**
     * Reads both, and sees that they belong together.
     *
     * @throws IllegalArgumentException that says what is wrong with which file, and what to do
     */
    static PemFiles parse(Source source, Path certificate, Path key) {
        List<X509Certificate> certificates = certificates(source.certificate, certificate);
        PublicKey published = certificates.getFirst().getPublicKey();
        PrivateKey secret = key(source.key, key, published);
        if (!belongTogether(secret, published)) {
            throw new IllegalArgumentException(
                    ("The TLS key %s does not belong to the first certificate in %s:"
                                    + " give the key that it was made with,"
                                    + " and the server's own certificate first in its file")
                            .formatted(key, certificate));
        }
        return new PemFiles(certificates, secret);
    }

    private static List<Block> blocks(String text) {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
        return blocks;
    }

    static List<X509Certificate> certificates(String text, Path file) {
        List<Block> blocks = blocks(text);
        List<X509Certificate> found = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks) {
                if (block.type.equals("CERTIFICATE")
                        && factory.generateCertificate(new ByteArrayInputStream(block.bytes()))
                                instanceof X509Certificate certificate) {
                    found.add(certificate);
                }
            }
        } catch (GeneralSecurityException | IllegalArgumentException fault) {
            throw new IllegalArgumentException(
                    "The TLS certificate %s is damaged: %s".formatted(file, fault.getMessage()),
                    fault);
        }
        if (found.isEmpty()) {
            boolean isKey = blocks.stream().anyMatch(block -> block.type.endsWith("PRIVATE KEY"));
            throw new IllegalArgumentException(
                    "The TLS certificate %s %s"
                            .formatted(
                                    file,
                                    isKey
                                            ? "holds a key and no certificate: are the two files confused?"
                                            : "is not PEM: no '-----BEGIN CERTIFICATE-----' is in it."
                                                    + " Convert one in DER by:"
                                                    + " openssl x509 -inform der -in FILE -out FILE.pem"));
        }
        return found;
    }

    private static PrivateKey key(String text, Path file, PublicKey published) {
        Block block =
                blocks(text).stream()
                        .filter(one -> one.type.endsWith("PRIVATE KEY"))
                        .findFirst()
                        .orElseThrow(() -> noKey(text, file));
        if (block.type.startsWith("ENCRYPTED") || block.text.contains("ENCRYPTED")) {
            throw new IllegalArgumentException(
                    ("The TLS key %s is encrypted, and nobody is asked for a passphrase: decrypt it by:"
                                    + " openssl pkey -in %s -out FILE, and let only the server's user read that")
                            .formatted(file, file));
        }
        try {
            byte[] encoded = block.bytes();
            if (!block.type.equals("PRIVATE KEY")) {
                encoded = pkcs8(encoded, published);
            }
            return KeyFactory.getInstance(published.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | RuntimeException fault) {
            throw new IllegalArgumentException(
                    "The TLS key %s is not a key of the kind %s, which its certificate has, or is damaged"
                            .formatted(file, published.getAlgorithm()),
                    fault);
        }
    }

    private static IllegalArgumentException noKey(String text, Path file) {
        boolean isCertificate =
                blocks(text).stream().anyMatch(block -> block.type.equals("CERTIFICATE"));
        return new IllegalArgumentException(
                "The TLS key %s %s"
                        .formatted(
                                file,
                                isCertificate
                                        ? "holds a certificate and no key: are the two files confused?"
                                        : "is not PEM: no '-----BEGIN PRIVATE KEY-----' is in it."
                                                + " Convert one in DER by:"
                                                + " openssl pkey -inform der -in FILE -out FILE.pem"));
    }

    /** An older form becomes PKCS #8 by the algorithm's name around it, which the public key tells. */
    private static byte[] pkcs8(byte[] key, PublicKey published) {
        ByteBuffer info = ByteBuffer.wrap(published.getEncoded());
        var _ = enter(info);
        int start = info.position();
        int length = enter(info);
        byte[] algorithm = new byte[info.position() + length - start];
        info.get(start, algorithm);
        byte[] version = {2, 1, 0};
        return der(0x30, version, algorithm, der(0x04, key));
    }

    /** Goes behind the tag and the length of a value in DER; returns the length. */
    private static int enter(ByteBuffer der) {
        var _ = der.get();
        int length = Byte.toUnsignedInt(der.get());
        if (length < 0x80) {
            return length;
        }
        int total = 0;
        for (int i = length & 0x7f; i > 0; i--) {
            total = total << 8 | Byte.toUnsignedInt(der.get());
        }
        return total;
    }

    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer out = ByteBuffer.allocate(length + 5).put((byte) tag).put((byte) 0x83);
        out.put((byte) (length >> 16)).putShort((short) length);
        for (byte[] part : parts) {
            out.put(part);
        }
        return out.array();
    }

    private static boolean belongTogether(PrivateKey key, PublicKey published) {
        String algorithm = signature(published);
        if (algorithm == null) {
            return true;
        }
        try {
            byte[] text = {1, 2, 3};
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(text);
            byte[] signed = signer.sign();
            signer.initVerify(published);
            signer.update(text);
            return signer.verify(signed);
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private static @Nullable String signature(PublicKey published) {
        return switch (published) {
            case RSAPublicKey _ -> "SHA256withRSA";
            case ECPublicKey _ -> "SHA256withECDSA";
            default -> published.getAlgorithm().equals("EdDSA") ? "EdDSA" : null;
        };
    }
}
