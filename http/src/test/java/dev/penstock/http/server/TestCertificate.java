package dev.penstock.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for localhost that vouches for itself, made by the JDK's keytool. */
public final class TestCertificate {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final KeyStore store;

    private TestCertificate(KeyStore store) {
        this.store = store;
    }

    /** Makes one; algorithms are those of keytool: EC, RSA, Ed25519. */
    public static TestCertificate make(Path directory, String algorithm, String name)
            throws Exception {
        Path file = directory.resolve(name + ".p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keystore",
                                file.toString(),
                                "-storepass",
                                new String(PASSWORD),
                                "-alias",
                                "own",
                                "-keyalg",
                                algorithm,
                                "-dname",
                                "CN=" + name,
                                "-ext",
                                "san=dns:localhost,ip:127.0.0.1",
                                "-validity",
                                "2")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool: " + said);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new TestCertificate(store);
    }

    X509Certificate certificate() throws GeneralSecurityException {
        return (X509Certificate) Objects.requireNonNull(store.getCertificate("own"));
    }

    public String certificatePem() throws GeneralSecurityException {
        return pem("CERTIFICATE", certificate().getEncoded());
    }

    /** In PKCS #8. */
    public String keyPem() throws GeneralSecurityException {
        return pem("PRIVATE KEY", key());
    }

    /** In the older form of its kind. */
    public String oldKeyPem() throws GeneralSecurityException {
        ByteBuffer der = ByteBuffer.wrap(key());
        skipInto(der);
        der.position(der.position() + 3);
        int algorithm = skipInto(der);
        der.position(der.position() + algorithm);
        int length = skipInto(der);
        byte[] inner = new byte[length];
        der.get(inner);
        return pem(certificate().getPublicKey().getAlgorithm() + " PRIVATE KEY", inner);
    }

    private static int skipInto(ByteBuffer der) {
        der.get();
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

    private byte[] key() throws GeneralSecurityException {
        return Objects.requireNonNull(store.getKey("own", PASSWORD)).getEncoded();
    }

    public static String pem(String type, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, text, type);
    }

    /** Writes both where a server reads them. */
    public void write(Path certificate, Path key) throws Exception {
        replace(certificate, "A line of text\n" + certificatePem());
        replace(key, keyPem());
    }

    /** Replaces a file at once, so that no server that looks at it by itself finds half of it. */
    static void replace(Path file, String text) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        Files.move(Files.writeString(aside, text), file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** For clients that trust these. */
    public static SSLContext trusting(TestCertificate... certificates) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (int i = 0; i < certificates.length; i++) {
            trusted.setCertificateEntry("c" + i, certificates[i].certificate());
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), new SecureRandom());
        return context;
    }
}
