package dev.penstock.http.server;

import io.netty.util.NetUtil;
import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/** An authority that makes certificates of every kind, in order or not, without a process or a file. */
public final class TestAuthority {
    public static final char[] PASSWORD = "changeit".toCharArray();

    private static final AtomicLong SERIAL = new AtomicLong(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final X500Principal name;
    private final KeyPair keys;
    private final X509Certificate own;

    /** One with a name, whose keys are EC. */
    public TestAuthority(String name) throws Exception {
        this.name = new X500Principal("CN=" + name);
        keys = keys("EC");
        own = certificate(new Request(this.name, List.of()), keys, true);
    }

    /** The contents that a certificate is to have. */
    record Request(
            X500Principal subject,
            List<String> names,
            String algorithm,
            Instant from,
            Instant until,
            @Nullable String responder) {
        Request(X500Principal subject, List<String> names) {
            this(subject, names, "EC", Instant.now().minus(DAY), Instant.now().plus(DAY), null);
        }

        Request algorithm(String other) {
            return new Request(subject, names, other, from, until, responder);
        }

        Request valid(Instant since, Instant to) {
            return new Request(subject, names, algorithm, since, to, responder);
        }

        Request responder(String uri) {
            return new Request(subject, names, algorithm, from, until, uri);
        }
    }

    /** A certificate with its key, and that of its authority behind it. */
    public record Issued(List<X509Certificate> chain, PrivateKey key) {
        X509Certificate own() {
            return chain.getFirst();
        }

        String certificatePem() throws Exception {
            StringBuilder text = new StringBuilder();
            for (X509Certificate certificate : chain) {
                text.append(TestCertificate.pem("CERTIFICATE", certificate.getEncoded()));
            }
            return text.toString();
        }

        String keyPem() {
            return TestCertificate.pem("PRIVATE KEY", key.getEncoded());
        }

        Issued write(Path certificate, Path key) throws Exception {
            Files.writeString(certificate, certificatePem());
            Files.writeString(key, keyPem());
            return this;
        }

        public KeyStore store() throws Exception {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("own", key, PASSWORD, chain.toArray(Certificate[]::new));
            return store;
        }
    }

    /** A request for a certificate for names of servers, or addresses, the first of which is its common name too. */
    static Request names(String... names) {
        return new Request(new X500Principal("CN=" + names[0].replace("*", "any")), List.of(names));
    }

    /** One for localhost. */
    static Request localhost() {
        return names("localhost");
    }

    public Issued issue(String... names) throws Exception {
        return issue(names(names));
    }

    Issued issue(Request request) throws Exception {
        KeyPair made = keys(request.algorithm());
        return new Issued(List.of(certificate(request, made, false), own), made.getPrivate());
    }

    public X509Certificate own() {
        return own;
    }

    String pem() throws Exception {
        return TestCertificate.pem("CERTIFICATE", own.getEncoded());
    }

    PrivateKey key() {
        return keys.getPrivate();
    }

    private static KeyPair keys(String algorithm) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        switch (algorithm) {
            case "RSA" -> generator.initialize(2048);
            case "EC" -> generator.initialize(256);
            default -> {}
        }
        return generator.generateKeyPair();
    }

    private X509Certificate certificate(Request request, KeyPair of, boolean isAuthority)
            throws Exception {
        byte[] content =
                Der.sequence(
                        Der.value(0xa0, Der.integer(2)),
                        Der.integer(SERIAL.getAndIncrement()),
                        signedByEc(),
                        name.getEncoded(),
                        Der.sequence(Der.time(request.from()), Der.time(request.until())),
                        request.subject().getEncoded(),
                        of.getPublic().getEncoded(),
                        Der.value(0xa3, extensions(request, isAuthority)));
        byte[] certificate = Der.sequence(content, signedByEc(), Der.bits(sign(content)));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(certificate));
    }

    private static byte[] extensions(Request request, boolean isAuthority) {
        List<byte[]> all = new ArrayList<>();
        if (isAuthority) {
            all.add(
                    Der.sequence(
                            Der.identifier("2.5.29.19"),
                            Der.yes(),
                            Der.octets(Der.sequence(Der.yes()))));
        }
        if (!request.names().isEmpty()) {
            byte[][] names =
                    request.names().stream().map(TestAuthority::alternative).toArray(byte[][]::new);
            all.add(Der.sequence(Der.identifier("2.5.29.17"), Der.octets(Der.sequence(names))));
        }
        String responder = request.responder();
        if (responder != null) {
            byte[] access =
                    Der.sequence(Der.identifier("1.3.6.1.5.5.7.48.1"), Der.text(0x86, responder));
            all.add(
                    Der.sequence(
                            Der.identifier("1.3.6.1.5.5.7.1.1"), Der.octets(Der.sequence(access))));
        }
        return Der.sequence(all.toArray(byte[][]::new));
    }

    private static byte[] alternative(String server) {
        return NetUtil.isValidIpV4Address(server)
                ? Der.value(0x87, NetUtil.createByteArrayFromIpAddressString(server))
                : Der.text(0x82, server);
    }

    static byte[] signedByEc() {
        return Der.sequence(Der.identifier("1.2.840.10045.4.3.2"));
    }

    byte[] sign(byte[] content) throws Exception {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(content);
        return signature.sign();
    }

    /** For clients that trust this authority, and show a certificate if they have one. */
    public SSLContext client(@Nullable Issued shown) throws Exception {
        return client(shown, this);
    }

    static SSLContext client(@Nullable Issued shown, TestAuthority... trusted) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < trusted.length; i++) {
            store.setCertificateEntry("c" + i, trusted[i].own);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        KeyManager[] keys = shown == null ? new KeyManager[0] : new KeyManager[] {new Shown(shown)};
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    /** Shows a certificate whatever the server asks for, as a client does that has not been told better. */
    private static final class Shown extends X509ExtendedKeyManager {
        private final Issued issued;

        Shown(Issued issued) {
            this.issued = issued;
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] algorithms, Principal @Nullable [] issuers, Socket socket) {
            return List.of(algorithms).contains(issued.key().getAlgorithm()) ? "own" : null;
        }

        @Override
        public @Nullable String chooseEngineClientAlias(
                String[] algorithms, Principal @Nullable [] issuers, SSLEngine engine) {
            return List.of(algorithms).contains(issued.key().getAlgorithm()) ? "own" : null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return issued.chain().toArray(X509Certificate[]::new);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return issued.key();
        }

        @Override
        public String @Nullable [] getClientAliases(
                String algorithm, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public String @Nullable [] getServerAliases(
                String algorithm, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(
                String algorithm, Principal @Nullable [] issuers, Socket socket) {
            return null;
        }
    }
}
