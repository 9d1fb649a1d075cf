package dev.penstock.transfer.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Uploads to a server that takes no further connections for a while. */
class ConnectTimeoutIT extends TransferClientFixture {
    private static final String OPTIONS_ANSWER = "200 OK\r\nAllow: PUT";

    /** Where no connection is made in time, nothing can have arrived. */
    @Test
    void put_plainCannotConnectInTime_isRepeated() throws Exception {
        byte[] content = RangeServer.bytes(1000, 3);
        Path file = Files.write(directory.resolve("source.bin"), content);
        Semaphore failures = new Semaphore(0);
        TransferOptions options =
                TransferOptions.DEFAULT
                        .retries(1000)
                        .progress(event -> {
                            if (event instanceof TransferEvent.Retrying) {
                                failures.release();
                            }
                        });
        try (TransferClient hasty = builder().connectTimeout(Duration.ofMillis(300)).build();
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<byte[]> body = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> completeWith(body, server, failures));
            URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/a");
            Receipt receipt = hasty.put(Source.file(file), uri, options);
            assertThat(receipt.protocol()).contains(UploadProtocol.PLAIN);
            assertThat(receipt.interruptions()).isPositive();
            assertThat(body.get()).isEqualTo(content);
        }
    }

    private static void completeWith(
            CompletableFuture<byte[]> body, ServerSocket server, Semaphore failures) {
        try {
            body.complete(serveLate(server, failures));
        } catch (IOException | InterruptedException e) {
            body.completeExceptionally(e);
        }
    }

    /** Answers OPTIONS, and takes connections again when one could not be made. Returns the body of the PUT. */
    private static byte[] serveLate(ServerSocket server, Semaphore failures)
            throws IOException, InterruptedException {
        List<SocketChannel> waiting = new ArrayList<>();
        while (waiting.isEmpty()) {
            try (Socket socket = server.accept()) {
                if (!isOptions(head(socket.getInputStream()))) {
                    continue; // a connection that was not made in time for the OPTIONS
                }
                failures.drainPermits();
                for (int i = 0; i < 16; i++) {
                    SocketChannel channel = SocketChannel.open();
                    waiting.add(channel);
                    channel.configureBlocking(false);
                    channel.connect(server.getLocalSocketAddress());
                }
                answer(socket, OPTIONS_ANSWER);
            } catch (SocketException e) {
                requireOpen(server, e);
                // It was one that was given up.
            }
        }
        if (!failures.tryAcquire(60, TimeUnit.SECONDS)) {
            throw new IOException("no connection has failed, with a full queue of them");
        }
        for (SocketChannel channel : waiting) {
            channel.close();
        }
        while (true) {
            try (Socket socket = server.accept()) {
                BufferedInputStream in = new BufferedInputStream(socket.getInputStream());
                String head = head(in);
                int length = contentLength(head);
                if (length > 0) {
                    byte[] body = in.readNBytes(length);
                    answer(socket, "201 Created");
                    return body;
                }
                if (isOptions(head)) {
                    answer(socket, OPTIONS_ANSWER);
                }
            } catch (SocketException e) {
                requireOpen(server, e);
                // It was one of those that only waited.
            }
        }
    }

    private static void requireOpen(ServerSocket server, SocketException failure)
            throws SocketException {
        if (server.isClosed()) {
            throw failure;
        }
    }

    private static void answer(Socket socket, String status) throws IOException {
        socket.getOutputStream()
                .write(
                        "HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                                .formatted(status)
                                .getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads the head of a request, which is empty where there was none. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next; !head.toString().endsWith("\r\n\r\n") && (next = in.read()) >= 0; ) {
            head.append((char) next);
        }
        return head.toString();
    }

    private static boolean isOptions(String head) {
        return head.startsWith("OPTIONS ") && head.endsWith("\r\n\r\n");
    }

    private static int contentLength(String head) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length: "))
                .mapToInt(line -> Integer.parseInt(line.substring(16)))
                .sum();
    }
}
