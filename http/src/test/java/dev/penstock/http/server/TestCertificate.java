package dev.penstock.http.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for localhost and 127.0.0.1, which clients trust by itself. */
public final class TestCertificate {
    private final TestAuthority.Issued issued;

    private TestCertificate(TestAuthority.Issued issued) {
        this.issued = issued;
    }

    /** Makes one; algorithms are EC, RSA, Ed25519. */
    public static TestCertificate make(String algorithm, String name) throws Exception {
        TestAuthority.Request request =
                TestAuthority.names(name, "localhost", "127.0.0.1").algorithm(algorithm);
        return new TestCertificate(new TestAuthority(name + " authority").issue(request));
    }

    X509Certificate certificate() {
        return issued.own();
    }

    public String certificatePem() throws GeneralSecurityException {
        return pem("CERTIFICATE", certificate().getEncoded());
    }

    /** In PKCS #8. */
    public String keyPem() {
        return issued.keyPem();
    }

    /** In the older form of its kind. */
    public String oldKeyPem() {
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

    private byte[] key() {
        return issued.key().getEncoded();
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
