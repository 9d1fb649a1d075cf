package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The memory contract: a server in a JVM with a heap of 64 MB, 128 clients that read endless bodies slowly, half of
 * them compressed, and short requests beside them.
 */
@Tag("any-loops")
@Timeout(120)
final class SlowClientsIT {
    private static final int CLIENTS = 128;
    private static final int SECONDS = Boolean.getBoolean("penstock.soak") ? 120 : 12;

    @Test
    void clients_128ThatReadSlowly_leaveTheHeapFlatAndShortRequestsQuick() throws Exception {
        Process child =
                new ProcessBuilder(command())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        List<SocketChannel> slow = new ArrayList<>();
        try (BufferedReader out = child.inputReader()) {
            int port = Integer.parseInt(line(out));
            for (int i = 0; i < CLIENTS; i++) {
                slow.add(slowClient(port, i % 2 == 0));
            }
            long[] early = memory(port);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            ByteBuffer buffer = ByteBuffer.allocate(512);
            List<Long> times = new ArrayList<>();
            while (System.nanoTime() < end) {
                for (SocketChannel client : slow) {
                    // Nothing there yet is fine: the compressed ones are slower to fill.
                    int count = client.read(buffer.clear());
                    assertThat(count).as("a slow client was cut off").isNotNegative();
                }
                long started = System.nanoTime();
                assertThat(get(port, "/short")).isEqualTo("short");
                times.add(System.nanoTime() - started);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            }
            long[] late = memory(port);
            times.sort(null);
            long slowest = times.get(times.size() * 9 / 10);
            System.out.printf(
                    "%d slow clients: heap %d then %d KiB, direct %d then %d KiB, p90 of short requests %d us%n",
                    CLIENTS,
                    early[0] >> 10,
                    late[0] >> 10,
                    early[1] >> 10,
                    late[1] >> 10,
                    slowest / 1000);
            assertThat(late[0]).as("live heap").isLessThan(32L << 20);
            assertThat(late[0] - early[0]).as("growth of live heap").isLessThan(8L << 20);
            assertThat(late[1]).as("direct memory").isLessThan(32L << 20);
            // Each was answered within the client's limit. On one busy processor that compresses
            // for all of them most may take seconds; but
            // whoever waited behind the slow clients would do so for ever.
            assertThat(times.getFirst()).as("fastest").isLessThan(TimeUnit.SECONDS.toNanos(5));
        } finally {
            for (SocketChannel client : slow) {
                client.close();
            }
            child.destroy();
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static List<String> command() {
        return ChildJvm.command(
                List.of("-Xmx64m"), SlowServer.class, Integer.toString(ServerFixture.LOOPS));
    }

    private static String line(BufferedReader out) throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("The server's JVM has ended");
        }
        return line;
    }

    private static SocketChannel slowClient(int port, boolean gzip) throws IOException {
        SocketChannel client = SocketChannel.open();
        client.setOption(StandardSocketOptions.SO_RCVBUF, 8192);
        SocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        client.connect(address);
        String request =
                "GET /endless HTTP/1.1\r\nHost: x\r\n"
                        + (gzip ? "Accept-Encoding: gzip\r\n" : "")
                        + "\r\n";
        client.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        client.configureBlocking(false);
        return client;
    }

    private static String get(int port, String path) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
            return client.reply().text();
        }
    }

    /** Live heap and direct memory, in bytes. */
    private static long[] memory(int port) throws IOException {
        String[] parts = get(port, "/memory").split(" ", -1);
        return new long[] {Long.parseLong(parts[0]), Long.parseLong(parts[1])};
    }

    /** The child's main class. */
    static final class SlowServer {
        private SlowServer() {}

        public static void main(String[] arguments) throws Exception {
            Admission bulk = new Admission(CLIENTS, 0, Duration.ofSeconds(1));
            Server server =
                    Server.builder()
                            .port(0)
                            .eventLoops(Integer.parseInt(arguments[0]))
                            .accessLog(false)
                            .get("/endless", SlowServer::endless, _ -> bulk)
                            .get("/short", x -> x.respond(200, "text/plain", "short"))
                            .get("/memory", SlowServer::memory)
                            .start();
            System.out.println(server.port());
            Thread.currentThread().join();
        }

        private static void endless(Exchange exchange) throws IOException {
            ResponseBody body = exchange.body("text/csv");
            java.util.Random random = new java.util.Random(1);
            byte[] block = new byte[8192];
            while (true) {
                random.nextBytes(block);
                body.write(ByteBuffer.wrap(block));
            }
        }

        private static void memory(Exchange exchange) {
            System.gc();
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            long pools =
                    ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                            .mapToLong(BufferPoolMXBean::getMemoryUsed)
                            .sum();
            long direct =
                    Math.max(pools, io.netty.util.internal.PlatformDependent.usedDirectMemory());
            exchange.respond(200, "text/plain", heap + " " + direct);
        }
    }
}
