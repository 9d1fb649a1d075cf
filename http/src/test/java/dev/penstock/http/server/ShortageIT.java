package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.penstock.http.Exchange;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server in a JVM of its own that has too few of what the system gives, with the JDK's log as it comes: it must
 * outlive that.
 */
@Tag("any-loops")
@Timeout(400)
final class ShortageIT {
    private static final int FILES = 256;
    private static final int CLIENTS = 400;

    /** A connection that was lost without a word must not take all the time that there is. */
    private static final int ATTEMPT_MILLIS = 5_000;

    /** Only a server that never answers again takes as long, however busy the machine is. */
    private static final Duration LIMIT = Duration.ofSeconds(100);

    private static final String HALF_A_HEAD = "GET / HTTP/1.1\r\nX: " + "y".repeat(12_000);

    /** The preface, empty settings, and headers of which some bytes are missing. */
    private static final String HALF_A_FRAME =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
                    + "\0\0\0\4\0\0\0\0\0"
                    + "\0\56\177\1\4\0\0\0\1"
                    + "y".repeat(0x2e7f - 3);

    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource({
        "1, false, tcp",
        "1, true, tcp",
        "4, false, tcp",
        "4, true, tcp",
        "1, false, unix",
        "4, true, unix"
    })
    void files_whenAllAreOpen_areWaitedForAndTheServerGoesOn(
            int loops, boolean others, String transport) throws Exception {
        Path log = directory.resolve("log");
        long started = System.nanoTime();
        Process child =
                child(
                        log,
                        "ulimit -n " + FILES + "; exec",
                        List.of(),
                        Integer.toString(loops),
                        Boolean.toString(others),
                        directory.resolve("http.sock").toString());
        try (BufferedReader out = child.inputReader()) {
            int port = Integer.parseInt(out.readLine());
            SocketAddress address =
                    transport.equals("tcp")
                            ? loopback(port)
                            : UnixDomainSocketAddress.of(directory.resolve("http.sock"));
            // The first answer, too, comes under pressure.
            overrun(child, address, "");
            for (int i = 0; i < 10; i++) {
                assertThat(ask(child, address, "/")).endsWith("here");
            }
        } finally {
            end(child);
        }
        assertThat(Files.readString(log))
                .doesNotContain("Exception")
                .doesNotContain("Error")
                .contains("ulimit -n");
        // A closed connection keeps its descriptor until its loop selects again, so many that close
        // at
        // once may be more than what is spared.
        int minutes = (int) TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - started);
        assertThat(Files.readAllLines(log))
                .filteredOn(line -> line.contains("can't be accepted"))
                .as("one a minute")
                .hasSizeBetween(others ? 1 : 0, 1 + minutes);
    }

    @ParameterizedTest
    @CsvSource({"1, HTTP_1_1", "4, HTTP_1_1", "1, HTTP_2", "4, HTTP_2"})
    void buffers_whenNoneIsLeft_endTheirConnectionsOnly(int loops, HttpProtocol protocol)
            throws Exception {
        Process child = childWithoutMemory(loops);
        try (BufferedReader out = child.inputReader()) {
            SocketAddress address = loopback(Integer.parseInt(out.readLine()));
            overrun(child, address, protocol == HttpProtocol.HTTP_2 ? HALF_A_FRAME : HALF_A_HEAD);
            for (int i = 0; i < 10; i++) {
                assertThat(ask(child, address, "/")).endsWith("here");
            }
        } finally {
            end(child);
        }
    }

    private Process childWithoutMemory(int loops) throws IOException {
        return child(
                directory.resolve("log"),
                "exec",
                List.of("-XX:MaxDirectMemorySize=1m"),
                Integer.toString(loops),
                "false",
                directory.resolve("http.sock").toString());
    }

    /** Bodies in small pieces, which are copied together while nobody reads them. */
    @ParameterizedTest
    @CsvSource({"1", "4"})
    void buffers_whenNoneIsLeft_areAllGivenBack(int loops) throws Exception {
        Process child = childWithoutMemory(loops);
        try (BufferedReader out = child.inputReader()) {
            SocketAddress address = loopback(Integer.parseInt(out.readLine()));
            String head = "POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
            overrun(child, address, head + ("2bc\r\n" + "y".repeat(700) + "\r\n").repeat(40));
            stop(child, address);
            assertThat(out.readLine()).isEqualTo("0 in use");
        } finally {
            end(child);
        }
    }

    private static Process child(Path log, String before, List<String> options, String... arguments)
            throws IOException {
        List<String> shell = new ArrayList<>(List.of("sh", "-c", before + " \"$@\"", "sh"));
        List<String> all = new ArrayList<>(options);
        all.add("-Xmx64m");
        shell.addAll(ChildJvm.command(all, SmallServer.class, arguments));
        return new ProcessBuilder(shell)
                .redirectError(ProcessBuilder.Redirect.to(log.toFile()))
                .start();
    }

    private static void end(Process child) throws InterruptedException {
        child.destroy();
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Opens more connections than there is room for, has one of them answered nevertheless, and closes them. */
    private void overrun(Process child, SocketAddress address, String start) throws IOException {
        List<SocketChannel> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                SocketChannel client = SocketChannel.open(address);
                clients.add(client);
                if (!start.isEmpty()) {
                    client.configureBlocking(false);
                    var _ = client.write(ByteBuffer.wrap(ascii(start)));
                }
            }
            assertThat(ask(child, address, "/")).endsWith("here");
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    /** Again and again, as one does, as long as the server lives. */
    private String ask(Process child, SocketAddress address, String path) throws IOException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        IOException failure = new IOException("The connection ended without an answer");
        while (child.isAlive() && System.nanoTime() < deadline) {
            try (SocketChannel client = SocketChannel.open(address)) {
                closeLater(client);
                client.write(
                        ByteBuffer.wrap(
                                ascii(
                                        "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                                                .formatted(path))));
                InputStream in = Channels.newInputStream(client);
                String answer = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
                if (answer.startsWith("HTTP/1.1 200")) {
                    return answer;
                }
                failure = new IOException("Answered: " + answer);
            } catch (ClosedByInterruptException ended) {
                failure = ended;
                break;
            } catch (IOException ended) {
                failure = ended;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        boolean interrupted = Thread.interrupted();
        failure.addSuppressed(new IOException(described(child)));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        throw failure;
    }

    /** Has the server stop. The answer may be lost for want of a buffer, and there is no other after that. */
    private void stop(Process child, SocketAddress address) throws IOException {
        try {
            var _ = ask(child, address, "/stop");
        } catch (IOException lost) {
            if (child.isAlive()) {
                throw lost;
            }
        }
    }

    /** Returns a description of what the server was doing: its state, its log and its threads. */
    private String described(Process child) throws IOException {
        Path threads = directory.resolve("threads");
        new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(child.pid()),
                        "Thread.print")
                .redirectErrorStream(true)
                .redirectOutput(threads.toFile())
                .start()
                .onExit()
                .join();
        return "the server is %s%nits log:%n%s%nits threads:%n%s"
                .formatted(
                        child.isAlive() ? "alive" : "dead: " + child.exitValue(),
                        Files.readString(directory.resolve("log")),
                        Files.readString(threads));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static SocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Sockets of Unix know no limit of waiting. */
    private static void closeLater(SocketChannel client) {
        CompletableFuture.delayedExecutor(ATTEMPT_MILLIS, TimeUnit.MILLISECONDS)
                .execute(() -> {
                    try {
                        client.close();
                    } catch (IOException _) {
                        // It is closed.
                    }
                });
    }

    /** The server, in its own JVM. */
    static final class SmallServer {
        private static final int LEFT = 100;

        private SmallServer() {}

        /**
         * Returns how many files may still be opened. They must not all be taken, not even for a moment: a class that
         * the JVM finds no file for then is missing for good.
         */
        private static long files() {
            var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount();
        }

        /**
         * Starts it, and takes all files but a few if told so.
         *
         * @param arguments how many event loops it has, whether to, and a path for a Unix domain socket
         */
        public static void main(String[] arguments) throws IOException {
            CompletableFuture<Void> stopped = new CompletableFuture<>();
            Server server =
                    Server.builder()
                            .port(0)
                            .eventLoops(Integer.parseInt(arguments[0]))
                            .accessLog(false)
                            .clientConnections(0)
                            .listener(Listener.unix(Path.of(arguments[2])))
                            .get("/", exchange -> exchange.respond(200, "text/plain", "here"))
                            .post("/body", SmallServer::readSlowly)
                            .get("/stop", exchange -> stop(exchange, stopped))
                            .start();
            List<SocketChannel> taken = new ArrayList<>();
            while (Boolean.parseBoolean(arguments[1]) && files() > LEFT) {
                taken.add(SocketChannel.open());
            }
            System.out.println(server.port());
            stopped.join();
            server.close();
            System.out.println(server.context().loops().buffersInUse() + " in use");
            for (SocketChannel each : taken) {
                each.close();
            }
        }

        private static void readSlowly(Exchange exchange) throws IOException {
            while (exchange.requestBody().read(ByteBuffer.allocate(1)) > 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            exchange.respond(200, "text/plain", "read");
        }

        private static void stop(Exchange exchange, CompletableFuture<Void> stopped)
                throws IOException {
            exchange.respond(200, "text/plain", "stops");
            stopped.complete(null);
        }
    }
}
