package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} with a certificate. */
@Tag("any-loops")
class TlsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir private static Path directory;
    private static Path certificate;
    private static Path key;
    private static KeyStore store;

    @BeforeAll
    static void make() throws Exception {
        Path file = directory.resolve("store.p12");
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
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=ip:127.0.0.1")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        Certificate own = store.getCertificate("own");
        Key secret = store.getKey("own", PASSWORD);
        certificate = write("certificate.pem", "CERTIFICATE", own.getEncoded());
        key = write("key.pem", "PRIVATE KEY", secret.getEncoded());
    }

    private static Path write(String name, String type, byte[] bytes) throws Exception {
        String text = Base64.getMimeEncoder().encodeToString(bytes);
        return Files.writeString(
                directory.resolve(name),
                "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(type, text, type));
    }

    private static List<String> serve(String... more) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--jdbc", "jdbc:h2:mem:empty"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    @Test
    void serve_withACertificate_speaksHttpsAndHttp2() throws Exception {
        List<String> arguments =
                serve("--tls-certificate", certificate.toString(), "--tls-key", key.toString());
        try (PenstockProcess server = PenstockProcess.serving("64m", Map.of(), arguments);
                HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build()) {
            URI uri = URI.create("https://127.0.0.1:" + server.port() + "/");
            HttpResponse<String> page =
                    client.send(
                            HttpRequest.newBuilder(uri).build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(page.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).doesNotContain("http://127.0.0.1");
            assertThat(server.out()).contains("https://").doesNotContain("http://");
            server.terminate();
            assertThat(server.exitCode(LIMIT)).isZero();
        }
    }

    /** TLS on the port, and plain text at a Unix socket. */
    @Test
    void serve_atAUnixSocketToo_answersThere() throws Exception {
        Path socket = directory.resolve("http.sock");
        List<String> arguments =
                serve(
                        "--tls-directory",
                        Files.createDirectories(directory.resolve("pairs")).toString(),
                        "--listen",
                        "unix:" + socket + ",mode=660");
        Files.copy(certificate, directory.resolve("pairs").resolve("own.crt"));
        Files.copy(key, directory.resolve("pairs").resolve("own.key"));
        try (PenstockProcess server = PenstockProcess.serving("64m", Map.of(), arguments)) {
            assertThat(server.out()).contains("--unix-socket " + socket + " http://localhost/");
            assertThat(Files.getPosixFilePermissions(socket))
                    .isEqualTo(PosixFilePermissions.fromString("rw-rw----"));
            assertThat(ask(socket)).startsWith("HTTP/1.1 200 ");
            try (PenstockProcess other =
                    PenstockProcess.start("64m", Map.of(), serve("--listen", "unix:" + socket))) {
                assertThat(other.exitCode(LIMIT)).isEqualTo(2);
                assertThat(other.err()).contains("another process listens there");
            }
            assertThat(ask(socket)).startsWith("HTTP/1.1 200 ");
            server.terminate();
            assertThat(server.exitCode(LIMIT)).isZero();
        }
        assertThat(socket).doesNotExist();
    }

    private static String ask(Path socket) throws Exception {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            client.write(
                    ByteBuffer.wrap(
                            "GET /status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII)));
            return new String(
                    Channels.newInputStream(client).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void serve_withAClientAuthority_refusesWhoShowsNothing() throws Exception {
        List<String> arguments =
                serve(
                        "--tls-certificate",
                        certificate.toString(),
                        "--tls-key",
                        key.toString(),
                        "--tls-client-ca",
                        certificate.toString());
        try (PenstockProcess server = PenstockProcess.serving("64m", Map.of(), arguments);
                HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build()) {
            assertThatThrownBy(() -> status(client, server)).isInstanceOf(IOException.class);
        }
        arguments.add("--tls-client-optional");
        try (PenstockProcess server = PenstockProcess.serving("64m", Map.of(), arguments);
                HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build()) {
            assertThat(status(client, server)).isEqualTo(200);
        }
    }

    private static int status(HttpClient client, PenstockProcess server) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(
                                        URI.create(
                                                "https://127.0.0.1:" + server.port() + "/status"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private static SSLContext trusting() throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("own", store.getCertificate("own"));
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    @Test
    void serve_withHalfOfIt_saysWhatIsMissing() throws Exception {
        refuses("belong together: give both, or none", "--tls-key", key.toString());
        refuses(
                "Can't read the TLS key /none/key.pem: there is no such file",
                "--tls-certificate",
                certificate.toString(),
                "--tls-key",
                "/none/key.pem");
    }

    private static void refuses(String says, String... options) throws Exception {
        try (PenstockProcess server = PenstockProcess.start("64m", Map.of(), serve(options))) {
            assertThat(server.exitCode(LIMIT)).isEqualTo(2);
            assertThat(server.err()).contains(says);
        }
    }
}
