package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.TestAuthority.Issued;
import dev.penstock.http.server.TlsOptions.ClientCertificates;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates by server name, and by the kinds of keys that a client takes. */
@Timeout(60)
@Tag("any-loops")
final class TlsNamesIT extends ServerFixture {
    private static TestAuthority authority;

    @TempDir private Path directory;

    @BeforeAll
    static void make() throws Exception {
        authority = new TestAuthority("authority");
    }

    private Issued write(String file, Issued issued) throws Exception {
        return issued.write(path(file, "crt"), path(file, "key"));
    }

    private Path path(String file, String ending) {
        return directory.resolve(file + "." + ending);
    }

    private TlsOptions pem(String file) {
        return TlsOptions.pem(path(file, "crt"), path(file, "key"));
    }

    private Server server(TlsOptions options) {
        return start(b -> b.tls(options).get("/", x -> x.respond(200, "text/plain", "hello")));
    }

    private static TlsClient client(Server server) throws Exception {
        return new TlsClient(authority.client(null), server.port());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void names_ofSeveralCertificates_getTheirOwn(String version) throws Exception {
        Issued first = write("first", authority.issue("first.example", "www.first.example"));
        Issued second = write("second", authority.issue("second.example"));
        Issued wild = write("wild", authority.issue("*.wild.example"));
        Issued exact = write("exact", authority.issue("one.wild.example"));
        Server server =
                server(pem("first").with(pem("second")).with(pem("wild")).with(pem("exact")));
        assertThat(presented(server, version, "first.example")).isEqualTo(first.own());
        assertThat(presented(server, version, "www.first.example")).isEqualTo(first.own());
        assertThat(presented(server, version, "SECOND.example")).isEqualTo(second.own());
        assertThat(presented(server, version, "any.wild.example")).isEqualTo(wild.own());
        assertThat(presented(server, version, "one.wild.example")).isEqualTo(exact.own());
        for (String unknown : List.of("wild.example", "a.b.wild.example", "else.example")) {
            assertThat(presented(server, version, unknown)).as(unknown).isEqualTo(first.own());
        }
        assertThat(client(server).version(version).presented()).isEqualTo(first.own());
    }

    private static Certificate presented(Server server, String version, String name)
            throws Exception {
        return client(server).version(version).name(name).presented();
    }

    @Test
    void kindsOfKeys_ofTheSameName_areWhatTheClientTakes() throws Exception {
        Issued ec = write("ec", authority.issue("both.example"));
        Issued rsa =
                write("rsa", authority.issue(TestAuthority.names("both.example").algorithm("RSA")));
        Server server = server(pem("rsa").with(pem("ec")));
        for (String name : List.of("both.example", "else.example")) {
            assertThat(
                            client(server)
                                    .name(name)
                                    .version("TLSv1.3")
                                    .signatures("rsa_pss_rsae_sha256", "ecdsa_secp256r1_sha256")
                                    .presented())
                    .isEqualTo(rsa.own());
            assertThat(
                            client(server)
                                    .name(name)
                                    .version("TLSv1.3")
                                    .signatures("ecdsa_secp256r1_sha256")
                                    .presented())
                    .isEqualTo(ec.own());
            assertThat(
                            client(server)
                                    .name(name)
                                    .version("TLSv1.2")
                                    .suite("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
                                    .presented())
                    .isEqualTo(rsa.own());
            assertThat(
                            client(server)
                                    .name(name)
                                    .version("TLSv1.2")
                                    .suite("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")
                                    .presented())
                    .isEqualTo(ec.own());
        }
    }

    /** Says nothing of whether that changes anything: the files may have been looked at just before. */
    private static void reload(Server server) {
        var _ = server.reloadTls();
    }

    @Test
    void unknownName_whereOnlyKnownOnesAreServed_failsInTheHandshake() throws Exception {
        Issued own = write("own", authority.issue("own.example"));
        Server server = server(pem("own").withKnownNamesOnly());
        assertThat(client(server).name("own.example").presented()).isEqualTo(own.own());
        assertThat(client(server).presented()).isEqualTo(own.own());
        assertThatThrownBy(() -> client(server).name("else.example").connect())
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("unrecognized_name");
    }

    @Test
    void options_thatDemandMoreThanCertificates_areNotAddedToOthers() {
        TlsOptions more = pem("more");
        Path authorities = directory.resolve("clients.pem");
        Map.of(
                        "withKnownNamesOnly()",
                        more.withKnownNamesOnly(),
                        "withStapling()",
                        more.withStapling(),
                        "withClientCertificates(..)",
                        more.withClientCertificates(ClientCertificates.OPTIONAL, authorities))
                .forEach((call, demanding) -> {
                    assertThatThrownBy(() -> pem("own").with(demanding))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll(call, "call that on what with(..) returns");
                    assertThat(demanding.with(pem("own"))).isNotNull();
                });
    }

    @Test
    void directory_ofPairs_servesAllAndWhatIsAddedAndNoMoreWhatIsTakenAway() throws Exception {
        Issued first = write("a", authority.issue("a.example"));
        Issued combined = authority.issue("b.example");
        Files.writeString(path("b", "pem"), combined.keyPem() + combined.certificatePem());
        Path acme = Files.createDirectory(directory.resolve("c.example"));
        Issued third =
                authority
                        .issue("c.example")
                        .write(acme.resolve("fullchain.pem"), acme.resolve("privkey.pem"));
        Files.writeString(directory.resolve("README"), "nothing to do with it");
        Files.createDirectory(directory.resolve("empty"));
        Server server = server(TlsOptions.directory(directory));
        assertThat(client(server).name("a.example").presented()).isEqualTo(first.own());
        assertThat(client(server).name("b.example").presented()).isEqualTo(combined.own());
        assertThat(client(server).name("c.example").presented()).isEqualTo(third.own());
        assertThat(server.reloadTls()).isFalse();
        Issued fourth = write("d", authority.issue("d.example"));
        reload(server);
        assertThat(client(server).name("d.example").presented()).isEqualTo(fourth.own());
        Files.delete(path("d", "crt"));
        Files.delete(path("d", "key"));
        reload(server);
        assertThat(client(server).name("d.example").presented()).isEqualTo(first.own());
    }

    @Test
    void directory_withOnePairThatIsNotInOrder_usesWhatChangesBesideIt() throws Exception {
        write("a", authority.issue("a.example"));
        Issued b = write("b", authority.issue("b.example"));
        Server server = server(TlsOptions.directory(directory));
        Files.writeString(path("b", "crt"), authority.issue("b.example").certificatePem());
        Issued renewed = write("a", authority.issue("a.example"));
        assertThatThrownBy(server::reloadTls)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("b.key does not belong to the first certificate");
        assertThat(client(server).name("a.example").presented()).isEqualTo(renewed.own());
        assertThat(client(server).name("b.example").presented()).isEqualTo(b.own());
    }

    @Test
    void directory_thatHasNothingOrHalves_isRefused() throws Exception {
        refuses(TlsOptions.directory(directory), "There is no TLS certificate in " + directory);
        refuses(
                TlsOptions.directory(directory.resolve("none")),
                "Can't read the TLS directory " + directory.resolve("none"),
                "there is no such directory");
        Files.writeString(path("a", "crt"), authority.issue("a.example").certificatePem());
        refuses(TlsOptions.directory(directory), "no file a.key beside it");
        Files.writeString(path("b", "key"), authority.issue("b.example").keyPem());
        Files.delete(path("a", "crt"));
        refuses(TlsOptions.directory(directory), "b.crt: there is no such file");
    }

    private static void refuses(TlsOptions options, String... says) {
        assertThatThrownBy(() -> Server.builder().port(0).tls(options).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(says);
    }

    @Test
    void keyStore_inAFileAndInMemory_servesAllThatHasAKey() throws Exception {
        Issued first = authority.issue("a.example");
        Issued second = authority.issue(TestAuthority.names("b.example").algorithm("RSA"));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (Issued one : List.of(first, second)) {
            store.setKeyEntry(
                    "of" + one.key().getAlgorithm(),
                    one.key(),
                    TestAuthority.PASSWORD,
                    one.chain().toArray(Certificate[]::new));
        }
        store.setCertificateEntry("other", authority.own());
        Path file = directory.resolve("store.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, TestAuthority.PASSWORD);
        }
        String password = new String(TestAuthority.PASSWORD);
        for (TlsOptions options :
                List.of(
                        TlsOptions.keyStore(file, password),
                        TlsOptions.keyStore(store, password))) {
            Server server = server(options);
            assertThat(client(server).name("a.example").presented()).isEqualTo(first.own());
            assertThat(client(server).name("b.example").presented()).isEqualTo(second.own());
        }
        refuses(TlsOptions.keyStore(file, "wrong"), "store.p12 is another one");
        Files.writeString(file, "hello");
        refuses(TlsOptions.keyStore(file, password), "is not PKCS #12", "openssl pkcs12");
        KeyStore empty = KeyStore.getInstance("PKCS12");
        empty.load(null, null);
        refuses(TlsOptions.keyStore(empty, password), "holds no private key");
    }

    @Test
    void context_ofTheApplication_isUsedAndMadeAnewAtAReload() throws Exception {
        Issued first = authority.issue("a.example");
        Issued second = authority.issue("a.example");
        List<Issued> next = new ArrayList<>(List.of(first, second));
        Server server = server(TlsOptions.context(() -> TestContexts.server(next.removeFirst())));
        assertThat(client(server).presented()).isEqualTo(first.own());
        assertThat(client(server).protocols("h2").connect().getApplicationProtocol())
                .isEqualTo("h2");
        assertThat(server.reloadTls()).isTrue();
        assertThat(client(server).presented()).isEqualTo(second.own());
        assertThatThrownBy(() ->
                        TlsOptions.context(() -> TestContexts.server(first)).withKnownNamesOnly())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void certificate_thatHasExpired_isToldAndServed() throws Exception {
        Instant now = Instant.now();
        write(
                "old",
                authority.issue(
                        TestAuthority.localhost()
                                .valid(
                                        now.minus(Duration.ofDays(3)),
                                        now.minus(Duration.ofDays(2)))));
        write(
                "early",
                authority.issue(
                        TestAuthority.names("early.example")
                                .valid(
                                        now.plus(Duration.ofDays(2)),
                                        now.plus(Duration.ofDays(3)))));
        try (LogLines log = new LogLines(Level.WARNING)) {
            Server server = server(pem("old").with(pem("early")));
            assertThat(log.containing("old.crt has expired")).hasSize(1);
            assertThat(log.containing("early.crt is not valid before")).hasSize(1);
            assertThatThrownBy(() -> client(server).connect())
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasStackTraceContaining("expired");
            Issued renewed = write("old", authority.issue("localhost"));
            reload(server);
            assertThat(client(server).presented()).isEqualTo(renewed.own());
        }
    }
}
