package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} with a certificate. */
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
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("own", store.getCertificate("own"));
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), new SecureRandom());
        List<String> arguments =
                serve("--tls-certificate", certificate.toString(), "--tls-key", key.toString());
        try (PenstockProcess server = PenstockProcess.serving("64m", Map.of(), arguments);
                HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
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
