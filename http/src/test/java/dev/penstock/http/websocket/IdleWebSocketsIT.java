package dev.penstock.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.ChildJvm;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The memory contract of idle WebSockets: a server in a JVM with a heap of 64 MB, and clients that have sent and
 * received compressed messages before.
 */
@Tag("any-loops")
@Timeout(120)
final class IdleWebSocketsIT {
    private static final int WARM = 300;
    private static final int SOCKETS = 1500;
    private static final byte[] MESSAGE = "{\"text\":\"hello\"},".repeat(40).getBytes(UTF_8);

    @Test
    void sockets_1500ThatHaveCompressed_holdNoCompressors() throws Exception {
        Process child =
                new ProcessBuilder(command())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        List<RawWebSocket> sockets = new ArrayList<>();
        try (BufferedReader out = child.inputReader()) {
            int port = Integer.parseInt(String.valueOf(out.readLine()));
            // What runs once is there, and compiled.
            open(port, WARM, sockets);
            close(sockets);
            long heapBefore = heap(port);
            long residentBefore = resident(child);
            open(port, SOCKETS, sockets);
            long heap = (heap(port) - heapBefore) / SOCKETS;
            long resident = (resident(child) - residentBefore) / SOCKETS;
            System.out.printf(
                    "%d idle WebSockets: %d bytes of heap each, %d resident%n",
                    SOCKETS, heap, resident);
            assertThat(heap).as("heap of each").isLessThan(6400);
            // A compressor alone would be 256 KiB, an inflater 40.
            assertThat(resident).as("resident memory of each").isLessThan(48 * 1024);
        } finally {
            close(sockets);
            child.destroy();
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void open(int port, int count, List<RawWebSocket> sockets) throws IOException {
        for (int i = 0; i < count; i++) {
            RawWebSocket socket = new RawWebSocket(port, 0, "permessage-deflate");
            sockets.add(socket);
            assertThat(socket.extensions()).isNotEmpty();
            DeflateClient.send(socket, 1, MESSAGE, 6, 100);
            assertThat(DeflateClient.receive(socket, 1)).isEqualTo(MESSAGE);
        }
    }

    private static void close(List<RawWebSocket> sockets) throws IOException {
        for (RawWebSocket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    private static List<String> command() {
        return ChildJvm.command(
                List.of(
                        "-Xms64m",
                        "-Xmx64m",
                        // Or else it would count when the heap is first used.
                        "-XX:+AlwaysPreTouch",
                        "-XX:+UseCompactObjectHeaders"),
                EchoServer.class);
    }

    /** The live heap of the server, in bytes. */
    private static long heap(int port) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.send("GET /heap HTTP/1.1\r\nHost: x\r\n\r\n");
            return Long.parseLong(client.reply().text());
        }
    }

    /** The resident memory of a process, in bytes; 0 where the kernel does not tell. */
    private static long resident(Process process) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.isReadable(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .sum();
    }

    /** The child's main class. */
    static final class EchoServer {
        private EchoServer() {}

        public static void main(String[] arguments) throws Exception {
            Server server =
                    Server.builder()
                            .port(0)
                            .accessLog(false)
                            .get("/heap", x -> x.respond(200, "text/plain", "" + heap()))
                            .get("/", x -> WebSocket.open(x, new EchoListener()))
                            .start();
            System.out.println(server.port());
            Thread.currentThread().join();
        }

        private static long heap() {
            System.gc();
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
    }
}
