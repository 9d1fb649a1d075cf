package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.http2.FrameClient;
import dev.penstock.http.server.RawClient.Reply;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Listeners that speak one protocol alone, and what they answer to the other. */
@Timeout(60)
final class ProtocolsIT extends ServerFixture {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int GOAWAY = 7;
    private static final int INADEQUATE_SECURITY = 12;
    private static final int HTTP_1_1_REQUIRED = 13;

    @TempDir private Path directory;
    private TestAuthority authority;
    private TlsOptions tls;

    @BeforeEach
    void write() throws Exception {
        authority = new TestAuthority("authority");
        Path certificate = directory.resolve("own.crt");
        Path key = directory.resolve("own.key");
        authority.issue("localhost").write(certificate, key);
        tls = TlsOptions.pem(certificate, key);
    }

    /** The first listener is not the one that is meant. */
    private Server server(Listener listener) {
        return start(
                b -> b.listener(listener).get("/", x -> x.respond(200, "text/plain", x.method())));
    }

    private static int port(Server server) {
        return ((InetSocketAddress) server.addresses().get(1)).getPort();
    }

    @Test
    void http2Only_answersHttp1With505() throws Exception {
        Server server = server(Listener.tcp(0).withProtocols(HttpProtocol.HTTP_2));
        try (LogLines log = new LogLines(Level.INFO);
                RawClient client = new RawClient(port(server))) {
            Reply reply = client.send(GET).reply();
            assertThat(reply.status()).isEqualTo(505);
            assertThat(reply.text()).contains("use HTTP/2 from the start");
            assertThat(reply.header("Connection")).contains("close");
            assertThat(client.atEnd()).isTrue();
            assertThat(log.containing("with 505: HTTP/1 is not spoken there")).hasSize(1);
        }
        try (RawClient other = new RawClient(server.port())) {
            assertThat(other.send(GET).reply().status()).isEqualTo(200);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            // The JDK's begins with HTTP/1.1 and an offer to upgrade, without TLS.
            assertThat(ask(client, "http", port(server))).isEqualTo(505);
        }
    }

    private static int ask(HttpClient client, String scheme, int port) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(
                                        URI.create("%s://localhost:%d/".formatted(scheme, port)))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void http2Only_answersHttp2WithPriorKnowledge() throws Exception {
        Server server = server(Listener.tcp(0).withProtocols(HttpProtocol.HTTP_2));
        try (FrameClient client = new FrameClient(new RawClient(port(server)).socket())) {
            assertThat(client.reply(client.get("/")).text()).isEqualTo("GET");
        }
    }

    @Test
    void http1Only_answersHttp2WithAGoawayThatNamesHttp1() throws Exception {
        Server server = server(Listener.tcp(0).withProtocols(HttpProtocol.HTTP_1_1));
        try (LogLines log = new LogLines(Level.INFO);
                RawClient client = new RawClient(port(server))) {
            client.send(PREFACE);
            assertGoodbye(client, HTTP_1_1_REQUIRED, "use HTTP/1.1");
            assertThat(log.containing("HTTP_1_1_REQUIRED")).hasSize(1);
        }
        try (RawClient client = new RawClient(port(server))) {
            assertThat(client.send(GET).reply().status()).isEqualTo(200);
        }
    }

    private static void assertGoodbye(RawClient client, int code, String says) throws IOException {
        DataInputStream in = new DataInputStream(client.input());
        assertThat(in.readNBytes(9))
                .as("empty settings")
                .isEqualTo(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
        int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
        assertThat(in.readUnsignedByte()).isEqualTo(GOAWAY);
        assertThat(in.readUnsignedByte()).isZero();
        assertThat(in.readInt()).as("the connection").isZero();
        assertThat(in.readInt()).as("the last stream").isZero();
        assertThat(in.readInt()).isEqualTo(code);
        assertThat(new String(in.readNBytes(length - 8), StandardCharsets.US_ASCII)).contains(says);
        assertThat(client.atEnd()).isTrue();
    }

    @Test
    void alpn_offersWhatTheListenerSpeaks() throws Exception {
        Server both = server(Listener.tls(0, tls));
        Server first = server(Listener.tls(0, tls).withProtocols(HttpProtocol.HTTP_1_1));
        Server second = server(Listener.tls(0, tls).withProtocols(HttpProtocol.HTTP_2));
        for (List<String> offer : List.of(List.of("h2", "http/1.1"), List.of("http/1.1", "h2"))) {
            String[] offered = offer.toArray(String[]::new);
            assertThat(agreed(both, offered)).isEqualTo("h2");
            assertThat(agreed(first, offered)).isEqualTo("http/1.1");
            assertThat(agreed(second, offered)).isEqualTo("h2");
        }
        assertThat(agreed(first, "h2")).isEmpty();
        assertThat(agreed(second, "http/1.1")).isEmpty();
    }

    private String agreed(Server server, String... offered) throws Exception {
        try (SSLSocket socket =
                new TlsClient(authority.client(null), port(server)).protocols(offered).connect()) {
            return socket.getApplicationProtocol();
        }
    }

    @Test
    void tls_ofOneProtocolAlone_answersTheOther() throws Exception {
        Server second = server(Listener.tls(0, tls).withProtocols(HttpProtocol.HTTP_2));
        assertThat(new TlsClient(authority.client(null), port(second)).ask())
                .startsWith("HTTP/1.1 505 ");
        Server first = server(Listener.tls(0, tls).withProtocols(HttpProtocol.HTTP_1_1));
        try (SSLSocket socket =
                        new TlsClient(authority.client(null), port(first))
                                .protocols("h2")
                                .connect();
                RawClient client = new RawClient(socket)) {
            client.send(PREFACE);
            assertGoodbye(client, HTTP_1_1_REQUIRED, "use HTTP/1.1");
        }
        for (Server server : List.of(first, second)) {
            try (HttpClient client =
                    HttpClient.newBuilder().sslContext(authority.client(null)).build()) {
                assertThat(ask(client, "https", port(server))).isEqualTo(200);
            }
        }
    }

    @Test
    void plainText_whereTlsIsSpoken_isAnswered() throws Exception {
        Server server = server(Listener.tls(0, tls));
        try (LogLines log = new LogLines(Level.INFO)) {
            try (RawClient client = new RawClient(port(server))) {
                // Byte by byte: the first decides.
                for (byte one : GET.getBytes(StandardCharsets.US_ASCII)) {
                    client.send(new byte[] {one});
                }
                Reply reply = client.reply();
                assertThat(reply.status()).isEqualTo(400);
                assertThat(reply.text()).contains("ask for https:// instead of http://");
                assertThat(client.atEnd()).isTrue();
            }
            assertThat(log.containing("what it sent is not TLS")).hasSize(1);
        }
        try (RawClient client = new RawClient(port(server))) {
            client.send(PREFACE);
            assertGoodbye(client, INADEQUATE_SECURITY, "https://");
        }
        try (LogLines log = new LogLines(Level.INFO);
                RawClient client = new RawClient(port(server))) {
            client.send(new byte[] {(byte) 0x80, 1, 2, 3, 4, 5, 6, 7, 8, 9});
            client.socket().setSoTimeout(20_000);
            assertThat(endsWithoutHttp(client)).isTrue();
            await("the line", () -> !log.containing("neither TLS nor HTTP").isEmpty());
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(ask(client, "http", port(server))).isEqualTo(400);
        }
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send(GET).reply().status()).isEqualTo(200);
        }
    }

    private static boolean endsWithoutHttp(RawClient client) {
        try {
            return !new String(client.input().readAllBytes(), StandardCharsets.ISO_8859_1)
                    .contains("HTTP");
        } catch (SocketTimeoutException _) {
            return false;
        } catch (IOException _) {
            return true;
        }
    }

    @Test
    void tls_overAUnixSocket_isSpoken() throws Exception {
        Path path = directory.resolve("tls.sock");
        start(b ->
                b.listener(Listener.unix(path).withTls(tls))
                        .get("/", x -> x.respond(200, "text/plain", "" + x.isSecure())));
        try (UnixSocket plain = new UnixSocket(path);
                SSLSocket socket =
                        (SSLSocket)
                                authority
                                        .client(null)
                                        .getSocketFactory()
                                        .createSocket(plain, "localhost", 1, true);
                RawClient client = new RawClient(socket)) {
            assertThat(client.send(GET).reply().text()).isEqualTo("true");
        }
        try (RawClient client = new RawClient(new UnixSocket(path))) {
            assertThat(client.send(GET).reply().status()).isEqualTo(400);
        }
    }
}
