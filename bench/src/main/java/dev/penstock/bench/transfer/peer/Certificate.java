package dev.penstock.bench.transfer.peer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for localhost that vouches for itself, made by the JDK's keytool.
 *
 * @param certificate a PEM file
 * @param key a PEM file with its private key
 * @param trust of a client that takes this certificate alone
 */
record Certificate(Path certificate, Path key, SSLContext trust) {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String ALIAS = "own";

    static Certificate make(Path directory)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve("certificate.p12");
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
                                ALIAS,
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
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
        java.security.cert.Certificate own = Objects.requireNonNull(store.getCertificate(ALIAS));
        Key key = Objects.requireNonNull(store.getKey(ALIAS, PASSWORD));
        return new Certificate(
                pem(directory.resolve("certificate.pem"), "CERTIFICATE", own.getEncoded()),
                pem(directory.resolve("key.pem"), "PRIVATE KEY", key.getEncoded()),
                trust(own));
    }

    private static Path pem(Path file, String what, byte[] der) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, lines, what));
    }

    private static SSLContext trust(java.security.cert.Certificate own)
            throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, own);
        TrustManagerFactory managers =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
