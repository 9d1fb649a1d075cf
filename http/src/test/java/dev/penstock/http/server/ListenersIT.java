package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.RawClient.Reply;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several listeners of one server: TCP, Unix domain sockets, TLS. */
@Timeout(120)
final class ListenersIT extends ServerFixture {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static TestAuthority authority;

    @TempDir private Path directory;
    private Path path;
    private TlsOptions tls;

    @BeforeAll
    static void make() throws Exception {
        authority = new TestAuthority("authority");
    }

    @BeforeEach
    void write() throws Exception {
        path = directory.resolve("http.sock");
        Path certificate = directory.resolve("own.crt");
        Path key = directory.resolve("own.key");
        authority.issue("localhost").write(certificate, key);
        tls = TlsOptions.pem(certificate, key);
    }

    /** On TCP, at a Unix domain socket and with TLS, in this order. */
    private ServerBuilder everywhere(ServerBuilder builder) {
        return builder.listener(Listener.unix(path)).listener(Listener.tls(0, tls));
    }

    private RawClient atSocket() throws IOException {
        return new RawClient(new UnixSocket(path));
    }

    private static int port(Server server, int listener) {
        return ((InetSocketAddress) server.addresses().get(listener)).getPort();
    }

    private RawClient overTls(Server server) throws Exception {
        return new RawClient(new TlsClient(authority.client(null), port(server, 2)).connect());
    }

    /** One at each listener. */
    private List<RawClient> clients(Server server) throws Exception {
        return List.of(new RawClient(server.port()), atSocket(), overTls(server));
    }

    private static void close(List<RawClient> clients) throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    @Test
    void listeners_ofEveryKind_answerWithTheSameRoutes() throws Exception {
        Queue<String> from = new ConcurrentLinkedQueue<>();
        Server server =
                start(b ->
                        everywhere(b)
                                .onFinished(request -> from.add(request.remoteAddress()))
                                .get(
                                        "/",
                                        x ->
                                                x.respond(
                                                        200,
                                                        "text/plain",
                                                        x.remoteAddress() + " " + x.isSecure())));
        assertThat(server.addresses())
                .hasSize(3)
                .satisfies(addresses -> {
                    assertThat(addresses.get(0)).hasToString("/127.0.0.1:" + server.port());
                    assertThat(addresses.get(1)).isEqualTo(UnixDomainSocketAddress.of(path));
                    assertThat(port(server, 2)).isPositive().isNotEqualTo(server.port());
                });
        List<RawClient> clients = clients(server);
        List<String> texts = new ArrayList<>();
        for (RawClient client : clients) {
            texts.add(client.send(GET).reply().text());
            assertThat(client.send(GET).reply().status()).isEqualTo(200);
        }
        assertThat(texts).containsExactly("127.0.0.1 false", "unix false", "127.0.0.1 true");
        await("all are told", () -> from.size() == 6);
        assertThat(from).containsOnly("127.0.0.1", "unix").contains("unix");
        close(clients);
    }

    @Test
    void listeners_alone_leaveOutThePortThatNobodyHasSet() throws Exception {
        try (Server server =
                Server.builder()
                        .eventLoops(LOOPS)
                        .accessLog(false)
                        .listener(Listener.unix(path))
                        .get("/", x -> x.respond(200, "text/plain", "here"))
                        .start()) {
            assertThat(server.addresses()).containsExactly(UnixDomainSocketAddress.of(path));
            assertThat(server.port()).isEqualTo(-1);
            try (RawClient client = atSocket()) {
                assertThat(client.send(GET).reply().text()).isEqualTo("here");
            }
        }
    }

    /** With HTTP/2 too, and its streams. */
    @Test
    void connectionLimit_countsThoseOfAllListeners() throws Exception {
        Server server =
                start(b ->
                        everywhere(b)
                                .maxConnections(2)
                                .idleTimeout(Duration.ofMinutes(5))
                                .get("/", x -> x.suspend(Duration.ofMinutes(5))));
        try (LogLines log = new LogLines(Level.WARNING);
                RawClient first = new RawClient(server.port()).send(GET);
                RawClient second = atSocket().send(GET)) {
            await("both wait", () -> server.waiting() == 2);
            try (RawClient third = atSocket();
                    RawClient fourth = new RawClient(server.port())) {
                third.send(GET);
                fourth.send(GET);
                assertThat(server.connections()).isEqualTo(2);
                first.abort();
                await("one of them is accepted", () -> server.requests() == 3);
                second.abort();
                await("and the other", () -> server.requests() == 4);
                third.abort();
                fourth.abort();
                await("nobody is left", () -> server.connections() == 0);
            }
            assertThat(log.containing("No further connection is accepted")).hasSize(1);
        }
    }

    @Test
    void close_underLoadOfAllListeners_answersOrRefusesButBreaksNothing() throws Exception {
        AtomicInteger answered = new AtomicInteger();
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        Server server =
                start(b -> everywhere(b).get("/", x -> x.respond(200, "text/plain", "whole")));
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.addAll(clients(server));
        }
        List<Thread> threads =
                clients.stream()
                        .map(client ->
                                Thread.startVirtualThread(() -> ask(client, answered, wrong)))
                        .toList();
        await("requests come", () -> answered.get() > 100);
        server.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).isEmpty();
        assertThat(path).doesNotExist();
        close(clients);
    }

    /** Until the server says that it ends the connection, or has ended it before a request was read. */
    private static void ask(RawClient client, AtomicInteger answered, Queue<String> wrong) {
        boolean told = false;
        try {
            while (!told) {
                try {
                    client.send(GET);
                } catch (IOException _) {
                    return;
                }
                int first = client.input().read();
                if (first < 0) {
                    return;
                }
                Reply reply = restOfReply(client);
                if (reply.status() != 200 && reply.status() != 503) {
                    wrong.add("status " + reply.status());
                }
                told = reply.header("Connection").orElse("").equals("close");
                answered.incrementAndGet();
            }
        } catch (IOException failure) {
            if (!String.valueOf(failure.getMessage()).contains("reset")) {
                wrong.add(failure.toString());
            }
        }
    }

    /** The first letter has been read. */
    private static Reply restOfReply(RawClient client) throws IOException {
        String status = client.line();
        List<String> headers = new ArrayList<>();
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            headers.add(line);
        }
        Reply head = new Reply(Integer.parseInt(status.split(" ", 3)[1]), headers, new byte[0]);
        int length = Integer.parseInt(head.header("Content-Length").orElseThrow());
        byte[] body = client.input().readNBytes(length);
        if (body.length < length) {
            throw new IOException("a response ended before its end");
        }
        return head.with(body);
    }

    @Test
    void close_tellsConnectionsOfAllListeners() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Server server =
                start(b ->
                        everywhere(b)
                                .stopWithin(Duration.ofMinutes(5))
                                .get(
                                        "/",
                                        x -> {
                                            go.await();
                                            x.respond(200, "text/plain", "done");
                                        }));
        List<RawClient> clients = clients(server);
        for (RawClient client : clients) {
            client.send(GET);
        }
        await("all run", () -> server.running() == 3);
        Thread closing = Thread.startVirtualThread(server::close);
        await("stopping", () -> context(server).stopping());
        go.countDown();
        for (RawClient client : clients) {
            Reply reply = client.reply();
            assertThat(reply.text()).isEqualTo("done");
            assertThat(reply.header("Connection")).contains("close");
            assertThat(client.atEnd()).isTrue();
        }
        close(clients);
        closing.join();
    }

    @Test
    void listener_thatCantBeHad_leavesNoneOfTheOthers() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() ->
                            Server.builder()
                                    .listener(Listener.unix(path))
                                    .listener(Listener.tcp(port).withAddress("0.0.0.0"))
                                    .start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Can't listen on 0.0.0.0 port " + port);
            assertThat(path).doesNotExist();
        }
    }
}
