package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Exchange;
import dev.penstock.http.server.TestAuthority.Issued;
import dev.penstock.http.server.TlsOptions.ClientCertificates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that show certificates, good and bad ones, and those that show none. */
@Timeout(60)
@Tag("any-loops")
final class ClientCertificatesIT extends ServerFixture {
    private static TestAuthority authority;
    private static TestAuthority foreign;
    private static Issued alice;

    @TempDir private Path directory;
    private TlsOptions options;
    private Path trusted;

    @BeforeAll
    static void make() throws Exception {
        authority = new TestAuthority("authority");
        foreign = new TestAuthority("foreign");
        alice = authority.issue("alice");
    }

    @BeforeEach
    void write() throws Exception {
        Path certificate = directory.resolve("own.crt");
        Path key = directory.resolve("own.key");
        authority.issue("localhost").write(certificate, key);
        trusted = Files.writeString(directory.resolve("clients.pem"), authority.pem());
        options = TlsOptions.pem(certificate, key);
    }

    private Server server(ClientCertificates demand) {
        return start(b ->
                b.tls(options.withClientCertificates(demand, trusted))
                        .get("/", x -> x.respond(200, "text/plain", shown(x))));
    }

    private static String shown(Exchange exchange) {
        List<X509Certificate> chain = exchange.clientCertificates();
        return chain.isEmpty()
                ? "nobody"
                : chain.stream()
                        .map(certificate -> certificate.getSubjectX500Principal().getName())
                        .collect(Collectors.joining(" by "));
    }

    private static String ask(Server server, String version, @Nullable Issued shown)
            throws Exception {
        return new TlsClient(authority.client(shown), server.port()).version(version).ask();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void certificate_thatIsRequired_isSeenByTheHandler(String version) throws Exception {
        Server server = server(ClientCertificates.REQUIRED);
        assertThat(ask(server, version, alice)).endsWith("CN=alice by CN=authority");
        assertThatThrownBy(() -> ask(server, version, null)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ask(server, version, foreign.issue("mallory")))
                .isInstanceOf(IOException.class);
        assertThat(ask(server, version, alice)).endsWith("CN=alice by CN=authority");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void certificate_thatIsOptional_mayBeLeftOutButNotWrong(String version) throws Exception {
        Server server = server(ClientCertificates.OPTIONAL);
        assertThat(ask(server, version, alice)).endsWith("CN=alice by CN=authority");
        assertThat(ask(server, version, null)).endsWith("nobody");
        assertThatThrownBy(() -> ask(server, version, foreign.issue("mallory")))
                .isInstanceOf(IOException.class);
        Instant now = Instant.now();
        Issued expired =
                authority.issue(
                        TestAuthority.names("late")
                                .valid(
                                        now.minus(Duration.ofDays(3)),
                                        now.minus(Duration.ofDays(1))));
        assertThatThrownBy(() -> ask(server, version, expired)).isInstanceOf(IOException.class);
    }

    @Test
    void certificate_ofAForeignAuthority_isALineInTheLog() throws Exception {
        Server server = server(ClientCertificates.REQUIRED);
        try (LogLines log = new LogLines(Level.INFO)) {
            assertThatThrownBy(() -> ask(server, "TLSv1.3", foreign.issue("mallory")))
                    .isInstanceOf(IOException.class);
            await("the line", () -> !log.containing("its handshake failed").isEmpty());
            assertThat(log.containing("127.0.0.1")).hasSize(1);
        }
    }

    @Test
    void certificate_overHttp2_isSeenByTheHandler() throws Exception {
        Server server = server(ClientCertificates.REQUIRED);
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(authority.client(alice)).build()) {
            var response =
                    client.send(
                            HttpRequest.newBuilder(
                                            URI.create("https://localhost:" + server.port() + "/"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(response.body()).isEqualTo("CN=alice by CN=authority");
        }
    }

    @Test
    void certificate_ofASessionThatIsResumed_isStillThere() throws Exception {
        Server server = server(ClientCertificates.REQUIRED);
        var context = authority.client(alice);
        for (int i = 0; i < 3; i++) {
            assertThat(new TlsClient(context, server.port()).ask())
                    .endsWith("CN=alice by CN=authority");
        }
    }

    @ParameterizedTest
    @EnumSource(ClientCertificates.class)
    void authorities_thatChange_areThoseOfNewConnections(ClientCertificates demand)
            throws Exception {
        Server server = server(demand);
        Issued bob = foreign.issue("bob");
        assertThatThrownBy(() -> ask(server, "TLSv1.3", bob)).isInstanceOf(IOException.class);
        Files.writeString(trusted, authority.pem() + foreign.pem());
        // The files may have been looked at just before, so that nothing has changed since.
        var _ = server.reloadTls();
        assertThat(ask(server, "TLSv1.3", bob)).endsWith("CN=bob by CN=foreign");
        assertThat(ask(server, "TLSv1.3", alice)).endsWith("CN=alice by CN=authority");
        Files.writeString(trusted, "hello");
        assertThatThrownBy(server::reloadTls)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("clients.pem is not PEM");
        assertThat(ask(server, "TLSv1.3", bob)).endsWith("CN=bob by CN=foreign");
    }

    @Test
    void exchange_withoutTls_hasNoCertificates() throws Exception {
        Server server = start(b -> b.get("/", x -> x.respond(200, "text/plain", shown(x))));
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.reply().text()).isEqualTo("nobody");
        }
    }

    @Test
    void options_thatCantBe_areRefused() {
        assertThatThrownBy(() -> options.withClientCertificates(ClientCertificates.REQUIRED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give a file of authorities");
        assertThatThrownBy(() ->
                        TlsOptions.context(() -> TestContexts.server(alice))
                                .withClientCertificates(ClientCertificates.REQUIRED, trusted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its trust manager decides");
        trusted = directory.resolve("none.pem");
        assertThatThrownBy(() -> server(ClientCertificates.OPTIONAL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("client authorities")
                .hasMessageContaining("none.pem: there is no such file");
    }
}
