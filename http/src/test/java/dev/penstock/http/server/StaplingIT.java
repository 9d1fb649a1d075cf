package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Exchange;
import dev.penstock.http.server.TestAuthority.Issued;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSocket;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words of an authority that a certificate is not revoked, asked of a responder here. */
@Timeout(60)
@Tag("any-loops")
final class StaplingIT extends ServerFixture {
    private static final String PROPERTY = "jdk.tls.server.enableStatusRequestExtension";

    /** For how long a handshake waits for the responder, in milliseconds; read when a context is made. */
    private static final String WAITS = "jdk.tls.stapling.responseTimeout";

    @TempDir private Path directory;
    private final AtomicInteger asked = new AtomicInteger();
    private TestAuthority authority;
    private Path certificate;
    private Path key;

    @BeforeEach
    void make() throws Exception {
        System.setProperty(PROPERTY, "true");
        System.setProperty(WAITS, "50000");
        authority = new TestAuthority("authority");
        certificate = directory.resolve("own.crt");
        key = directory.resolve("own.key");
    }

    @AfterEach
    void clear() {
        System.clearProperty(PROPERTY);
        System.clearProperty(WAITS);
    }

    private TlsOptions options() {
        return TlsOptions.pem(certificate, key).withStapling();
    }

    private static List<byte[]> stapled(SSLSocket socket) {
        return ((ExtendedSSLSession) socket.getSession()).getStatusResponses();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void response_ofTheAuthority_isSentAndKept(String version) throws Exception {
        Server responder = start(b -> b.get("/ocsp/{request}", this::respond));
        String uri = "http://127.0.0.1:%d/ocsp".formatted(responder.port());
        authority.issue(TestAuthority.localhost().responder(uri)).write(certificate, key);
        Server server = start(b -> b.tls(options()).get("/", x -> x.respond(200, "a/b", "hello")));
        for (int i = 0; i < 3; i++) {
            TlsClient client =
                    new TlsClient(authority.client(null), server.port()).version(version);
            try (SSLSocket socket = client.connect()) {
                // Of one certificate; in TLS 1.2, the JDK's client asks for the whole chain's.
                assertThat(stapled(socket)).first().matches(word -> word.length > 0);
            }
            assertThat(client.ask()).endsWith("hello");
        }
        assertThat(asked.get()).isEqualTo(1);
    }

    /** In the form of RFC 6960: the certificate that is asked for is good. */
    private void respond(Exchange exchange) throws Exception {
        asked.incrementAndGet();
        ByteBuffer request =
                ByteBuffer.wrap(Base64.getDecoder().decode(exchange.pathParameter("request")));
        for (int depth = 0; depth < 4; depth++) {
            request.get();
            request.get();
        }
        byte[] asksFor = new byte[2 + request.get(request.position() + 1)];
        request.get(asksFor);
        Instant now = Instant.now();
        byte[] data =
                Der.sequence(
                        Der.value(0xa1, new X500Principal("CN=authority").getEncoded()),
                        Der.time(now),
                        Der.sequence(
                                Der.sequence(
                                        asksFor,
                                        Der.value(0x80),
                                        Der.time(now),
                                        Der.value(0xa0, Der.time(now.plus(Duration.ofDays(1)))))));
        byte[] basic =
                Der.sequence(data, TestAuthority.signedByEc(), Der.bits(authority.sign(data)));
        byte[] answer =
                Der.sequence(
                        Der.value(0x0a, new byte[1]),
                        Der.value(
                                0xa0,
                                Der.sequence(
                                        Der.identifier("1.3.6.1.5.5.7.48.1.1"),
                                        Der.octets(basic))));
        exchange.respond(200, "application/ocsp-response", answer);
    }

    @Test
    void responder_thatIsNotThere_keepsNobodyOut() throws Exception {
        authority
                .issue(TestAuthority.localhost().responder("http://127.0.0.1:1/ocsp"))
                .write(certificate, key);
        Server server = start(b -> b.tls(options()).get("/", x -> x.respond(200, "a/b", "hello")));
        TlsClient client = new TlsClient(authority.client(null), server.port());
        try (SSLSocket socket = client.connect()) {
            assertThat(stapled(socket)).isEmpty();
        }
        assertThat(client.ask()).endsWith("hello");
    }

    @Test
    void certificate_withoutThatOfItsIssuer_isALineInTheLog() throws Exception {
        Issued issued = authority.issue("localhost");
        new Issued(issued.chain().subList(0, 1), issued.key()).write(certificate, key);
        try (LogLines log = new LogLines(Level.WARNING)) {
            start(b -> b.tls(options()));
            assertThat(log.containing("No OCSP response can be had for " + certificate)).hasSize(1);
        }
    }

    @Test
    void stapling_whereTheJvmDoesNotDoIt_isRefused() throws Exception {
        authority.issue("localhost").write(certificate, key);
        System.clearProperty(PROPERTY);
        assertThatThrownBy(() -> Server.builder().port(0).tls(options()).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-D" + PROPERTY + "=true");
    }
}
