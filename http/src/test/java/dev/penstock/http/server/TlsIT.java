package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.events.Event;
import dev.penstock.http.events.EventStream;
import dev.penstock.http.files.StaticFiles;
import dev.penstock.http.message.Syntax;
import dev.penstock.http.websocket.RawWebSocket;
import dev.penstock.http.websocket.WebSocket;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's own client over TLS, with HTTP/2 and HTTP/1.1; and certificates that change. */
@Timeout(60)
final class TlsIT extends ServerFixture {
    private static TestCertificate first;
    private static TestCertificate second;

    @TempDir private Path directory;
    private Path certificate;
    private Path key;
    private HttpClient client;

    @BeforeAll
    static void make() throws Exception {
        first = TestCertificate.make("EC", "first");
        second = TestCertificate.make("RSA", "second");
    }

    @BeforeEach
    void write() throws Exception {
        certificate = directory.resolve("certificate.pem");
        key = directory.resolve("key.pem");
        first.write(certificate, key);
        client =
                HttpClient.newBuilder().sslContext(TestCertificate.trusting(first, second)).build();
    }

    @AfterEach
    void close() {
        client.shutdownNow();
    }

    private Server server() {
        return start(b ->
                b.tls(certificate, key)
                        .get("/hi", x -> x.respond(200, "text/plain", "hello"))
                        .get("/wait", x -> waits(x))
                        .get("/big", x -> big(x))
                        .get("/late", x -> late(x))
                        .get("/events", x -> events(x))
                        .route("POST", "/none", x -> x.respond(200, "text/plain", "none"))
                        .route("POST", "/echo", x -> echo(x)));
    }

    /** On both sides of a record, a frame, the window and a turn of the event loop. */
    @Test
    void file_ofAnyLength_comesWhole() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("files"));
        Server server =
                start(b -> b.tls(certificate, key).get("/f/{path...}", StaticFiles.of(folder)));
        int[] edges = {16 * 1024, 2 * (16 * 1024 - 9), 4 * (16 * 1024 - 9), 64 * 1024, 256 * 1024};
        for (int edge : edges) {
            for (int length = edge - 1; length <= edge + 1; length++) {
                byte[] content = new byte[length];
                new Random(length).nextBytes(content);
                Files.write(folder.resolve(length + ".bin"), content);
                for (Version version : List.of(Version.HTTP_2, Version.HTTP_1_1)) {
                    HttpRequest request = to(server, "/f/" + length + ".bin", version).build();
                    HttpResponse<byte[]> response =
                            client.send(request, BodyHandlers.ofByteArray());
                    assertThat(response.version()).isEqualTo(version);
                    assertThat(response.body()).isEqualTo(content);
                }
            }
        }
    }

    /** Far more than all buffers between a server and {@link #askForLargeFile a client} that does not read. */
    private static byte[] largeFile(Path folder) throws IOException {
        byte[] content = new byte[12 * 1024 * 1024];
        new Random(5).nextBytes(content);
        Files.write(Files.createDirectories(folder).resolve("large.bin"), content);
        return content;
    }

    private SSLSocket askForLargeFile(Server server) throws Exception {
        SSLSocket socket =
                new TlsClient(TestCertificate.trusting(first), server.port())
                        .receiveBuffer(1 << 16)
                        .connect();
        socket.getOutputStream()
                .write(
                        Syntax.ascii(
                                "GET /f/large.bin HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
        return socket;
    }

    @Test
    void file_forAClientThatReadsSlowly_keepsNoThread() throws Exception {
        Path folder = directory.resolve("files");
        byte[] content = largeFile(folder);
        Server server =
                start(b -> b.tls(certificate, key).get("/f/{path...}", StaticFiles.of(folder)));
        try (SSLSocket socket = askForLargeFile(server)) {
            await("sends", () -> server.admission().runningNow() == 1 && server.running() == 0);
            byte[] response = socket.getInputStream().readAllBytes();
            assertThat(
                            Arrays.copyOfRange(
                                    response, response.length - content.length, response.length))
                    .isEqualTo(content);
        }
    }

    @Test
    void file_forAClientThatStopsReading_isBrokenOff() throws Exception {
        Path folder = directory.resolve("files");
        int size = largeFile(folder).length;
        Server server =
                start(b ->
                        b.tls(certificate, key)
                                .minimumRate(1024, Duration.ofSeconds(1))
                                .get("/f/{path...}", StaticFiles.of(folder)));
        try (SSLSocket socket = askForLargeFile(server)) {
            await("thrown out", () -> server.slowClients() == 1);
            assertThatThrownBy(() ->
                            assertThat(socket.getInputStream().readAllBytes().length)
                                    .isGreaterThan(size))
                    .isInstanceOfAny(IOException.class, AssertionError.class);
        }
    }

    private static void waits(Exchange exchange) {
        exchange.suspend(Duration.ofSeconds(9))
                .resumeAfter(Duration.ofMillis(100), x -> x.respond(200, "text/plain", "waited"));
    }

    private static void big(Exchange exchange) throws IOException {
        ResponseBody body = exchange.body("application/x");
        for (int i = 0; i < 200; i++) {
            body.write(ByteBuffer.wrap(new byte[10_000]));
        }
    }

    private static void late(Exchange exchange) throws IOException {
        ResponseBody body = exchange.header("Connection", "close").body("application/x");
        body.write(ByteBuffer.wrap(new byte[100_000]));
        throw new HttpException(400, "too late");
    }

    private static void events(Exchange exchange) throws IOException {
        EventStream events = EventStream.open(exchange);
        events.send(Event.of("one"));
        events.send(Event.of("two"));
        events.close();
    }

    private static void echo(Exchange exchange) throws IOException {
        exchange.respond(200, "application/x", Bodies.readAll(exchange.requestBody()));
    }

    private static HttpRequest.Builder to(Server server, String path, Version version) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + path))
                .version(version);
    }

    private HttpResponse<String> get(Server server, String path, Version version) throws Exception {
        return client.send(to(server, path, version).build(), BodyHandlers.ofString());
    }

    @Test
    void requests_overBothProtocols_areAnswered() throws Exception {
        Server server = server();
        for (Version version : Version.values()) {
            if (version.name().equals("HTTP_3")) {
                continue;
            }
            HttpResponse<String> hi = get(server, "/hi", version);
            assertThat(hi.version()).isEqualTo(version);
            assertThat(hi.body()).isEqualTo("hello");
            assertThat(get(server, "/none", version).statusCode()).isEqualTo(405);
            assertThat(get(server, "/wait", version).body()).isEqualTo("waited");
            assertThat(get(server, "/events", version).body()).contains("data: one", "data: two");
            assertThat(get(server, "/big", version).body()).hasSize(2_000_000);
            byte[] body = "x".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);
            assertThat(post(server, "/echo", version, body))
                    .isEqualTo(new String(body, StandardCharsets.US_ASCII));
            // The server answers at once, and ends the connection soon where the body goes on.
            await("answered", () -> isAnswered(server, version, new byte[50_000]));
            await("answered", () -> isAnswered(server, version, body));
            assertThat(get(server, "/hi", version).body()).isEqualTo("hello");
        }
    }

    private String post(Server server, String path, Version version, byte[] body) throws Exception {
        HttpRequest request =
                to(server, path, version).POST(BodyPublishers.ofByteArray(body)).build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    private boolean isAnswered(Server server, Version version, byte[] body) throws Exception {
        try {
            assertThat(post(server, "/none", version, body)).isEqualTo("none");
            return true;
        } catch (IOException endedWhileItSent) {
            return false;
        }
    }

    @Test
    void waits_ofManyStreams_shareAConnection() throws Exception {
        Server server = server();
        assertThat(get(server, "/hi", Version.HTTP_2).body()).isEqualTo("hello");
        List<CompletableFuture<HttpResponse<String>>> waits = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            waits.add(
                    client.sendAsync(
                            to(server, "/wait", Version.HTTP_2).build(), BodyHandlers.ofString()));
        }
        for (var wait : waits) {
            assertThat(wait.get().body()).isEqualTo("waited");
        }
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void response_thatFailsLate_isNoCleanEnd() throws Exception {
        Server server = server();
        assertThatThrownBy(() -> get(server, "/late", Version.HTTP_2))
                .isInstanceOf(IOException.class);
        try (SSLSocket socket = connect(server, "TLSv1.2")) {
            socket.getOutputStream()
                    .write("GET /late HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
        }
    }

    private SSLSocket connect(Server server, String version) throws Exception {
        SSLContext context = TestCertificate.trusting(first, second);
        SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(InetAddress.getLoopbackAddress(), server.port());
        socket.setEnabledProtocols(new String[] {version});
        socket.setSoTimeout(20_000);
        socket.startHandshake();
        return socket;
    }

    /**
     * What a connection may have is decided when it is accepted, not when its handshake is done and others are there.
     */
    @Test
    void connections_openBeforeTheirHandshakes_areAdmittedAsManyAsMayBe() throws Exception {
        Server server =
                start(b ->
                        b.clientConnections(1)
                                .tls(certificate, key)
                                .get("/hi", x -> x.respond(200, "text/plain", "hello")));
        try (Socket one = new Socket(InetAddress.getLoopbackAddress(), server.port());
                Socket other = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            await("both", () -> server.connections() == 2);
            assertThat(List.of(statusLine(one), statusLine(other)))
                    .containsExactlyInAnyOrder("HTTP/1.1 200 OK", "HTTP/1.1 429 Too Many Requests");
        }
    }

    private static String statusLine(Socket plain) throws Exception {
        SSLContext context = TestCertificate.trusting(first, second);
        plain.setSoTimeout(20_000);
        Socket socket =
                context.getSocketFactory().createSocket(plain, "localhost", plain.getPort(), false);
        socket.getOutputStream()
                .write("GET /hi HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        return lines.readLine();
    }

    @Test
    void handshakes_ofBothVersions_succeed() throws Exception {
        Server server = server();
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            try (SSLSocket socket = connect(server, version)) {
                assertThat(socket.getSession().getProtocol()).isEqualTo(version);
                assertThat(socket.getSession().getCipherSuite()).contains("GCM");
                String request = "GET /hi HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                String reply =
                        new String(
                                socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertThat(reply).startsWith("HTTP/1.1 200").endsWith("hello");
            }
        }
    }

    @Test
    void handshake_thatTheClientBeginsOnceMore_breaksTheConnection() throws Exception {
        Server server = server();
        try (SSLSocket socket = connect(server, "TLSv1.2")) {
            String request = "GET /hi HTTP/1.1\r\nHost: x\r\n";
            socket.getOutputStream().write(Syntax.ascii(request + "\r\n"));
            assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
            assertThatThrownBy(
                            () -> {
                                socket.startHandshake();
                                socket.getOutputStream()
                                        .write(Syntax.ascii(request + "Connection: close\r\n\r\n"));
                                socket.getInputStream().readAllBytes();
                            })
                    .isInstanceOf(IOException.class);
        }
        assertThat(get(server, "/hi", Version.HTTP_2).body()).isEqualTo("hello");
    }

    @Test
    void handshake_thatDoesNotEndWhereThereIsNoRoom_isGivenUpSooner() throws Exception {
        Server server =
                start(b ->
                        b.tls(certificate, key)
                                .maxConnections(1)
                                .headTimeout(Duration.ofMinutes(5))
                                .get("/hi", x -> x.respond(200, "text/plain", "hello")));
        try (RawClient silent = new RawClient(server.port())) {
            await("it is connected", () -> server.connections() == 1);
            // Whoever is served fills the server too, and its own handshake may have taken long.
            await("served", () -> isServed(server));
            assertThat(silent.atEnd()).isTrue();
        }
    }

    private boolean isServed(Server server) throws Exception {
        try {
            assertThat(get(server, "/hi", Version.HTTP_2).body()).isEqualTo("hello");
            return true;
        } catch (IOException ended) {
            return false;
        }
    }

    @Test
    void webSocket_thatIsRefusedSomething_endsWithAWordOfTls() throws Exception {
        Server server =
                start(b ->
                        b.tls(certificate, key)
                                .get("/", x -> WebSocket.open(x, new WebSocket.Listener() {})));
        Recording plain = new Recording();
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        plain.setSoTimeout(20_000);
        SSLContext context = TestCertificate.trusting(first, second);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", 1, true)) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.getOutputStream()
                    .write(Syntax.ascii("GET / HTTP/1.1\r\n" + RawWebSocket.HEAD + "\r\n"));
            // Without a mask.
            socket.getOutputStream().write(new byte[] {(byte) 0x81, 1, 'a'});
            assertThat(socket.getInputStream().readAllBytes()).asString().contains("Accept");
        }
        int alert = 21;
        assertThat(plain.latestRecord()).isEqualTo(alert);
    }

    /** Notes of which kind the latest record of TLS was that came. */
    private static final class Recording extends Socket {
        private final ByteArrayOutputStream came = new ByteArrayOutputStream();

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    int count = super.read(into, offset, length);
                    came.write(into, offset, Math.max(0, count));
                    return count;
                }
            };
        }

        int latestRecord() {
            ByteBuffer records = ByteBuffer.wrap(came.toByteArray());
            int kind = -1;
            while (records.remaining() >= 5) {
                kind = records.get();
                records.getShort();
                records.position(records.position() + 2 + records.getShort(records.position()));
            }
            return kind;
        }
    }

    @Test
    void plainText_isClosedWithALineThatSaysWhy() throws Exception {
        Server server = server();
        try (LogLines log = new LogLines(Level.INFO);
                RawClient plain = new RawClient(server.port())) {
            plain.send("GET /hi HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(endsSoon(plain)).isTrue();
            await("the line", () -> !log.containing("is not TLS").isEmpty());
            assertThat(log.containing("127.0.0.1")).hasSize(1);
            assertThat(log.all()).noneMatch(line -> line.contains("474554"));
        }
        assertThat(get(server, "/hi", Version.HTTP_2).body()).isEqualTo("hello");
    }

    private static boolean endsSoon(RawClient client) {
        try {
            client.input().readAllBytes();
        } catch (SocketTimeoutException _) {
            return false;
        } catch (IOException _) {
            return true;
        }
        return true;
    }

    @Test
    void handshake_thatDoesNotEnd_isGivenUp() throws Exception {
        Server server = start(b -> b.tls(certificate, key).headTimeout(Duration.ofSeconds(1)));
        try (LogLines log = new LogLines(Level.INFO);
                RawClient silent = new RawClient(server.port())) {
            assertThat(endsSoon(silent)).isTrue();
            assertThat(log.containing("not complete within 1 s")).hasSize(1);
        }
    }

    @Test
    void certificate_thatChanges_isUsedForNewConnections() throws Exception {
        Server server = server();
        assertThat(presented(server)).isEqualTo(first.certificate());
        assertThat(get(server, "/hi", Version.HTTP_2).body()).isEqualTo("hello");
        second.write(certificate, key);
        server.lookAtCertificates();
        assertThat(presented(server)).isEqualTo(second.certificate());
        assertThat(get(server, "/hi", Version.HTTP_2).body()).isEqualTo("hello");
    }

    @Test
    void certificate_thatIsBroken_leavesTheOneBeforeAndIsToldOnce() throws Exception {
        Server server = server();
        try (LogLines log = new LogLines(Level.WARNING)) {
            TestCertificate.replace(certificate, second.certificatePem());
            server.lookAtCertificates();
            server.lookAtCertificates();
            assertThat(log.containing("is not a key of the kind RSA")).hasSize(1);
            Files.delete(key);
            server.lookAtCertificates();
            server.lookAtCertificates();
            assertThat(log.containing("there is no such file")).hasSize(1);
            assertThat(presented(server)).isEqualTo(first.certificate());
            second.write(certificate, key);
            server.lookAtCertificates();
            assertThat(presented(server)).isEqualTo(second.certificate());
            assertThat(log.all()).hasSize(2);
        }
    }

    private X509Certificate presented(Server server) throws Exception {
        try (SSLSocket socket = connect(server, "TLSv1.3")) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    void start_withoutAKey_saysWhichFileIsMissing() {
        assertThatThrownBy(() ->
                        Server.builder()
                                .port(0)
                                .tls(certificate, directory.resolve("none.pem"))
                                .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none.pem: there is no such file");
    }
}
