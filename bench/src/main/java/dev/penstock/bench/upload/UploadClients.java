package dev.penstock.bench.upload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Clients that each send a form with one file, all at once. The file of a client is a block of random bytes over and
 * over, from another place on for each client.
 */
final class UploadClients {
    private static final String BOUNDARY = "----penstock-bench-upload";
    private static final int BLOCK = 1 << 20;

    /** For how long a client that has sent all waits for its answer: other clients may still be sending. */
    private static final int ANSWER_MILLIS = 10 * 60 * 1000;

    private final int clients;
    private final long bytes;
    private final byte[] block = new byte[2 * BLOCK];

    /**
     * Clients, none of which has begun.
     *
     * @param bytes of each file
     */
    UploadClients(int clients, long bytes) {
        this.clients = clients;
        this.bytes = bytes;
        byte[] once = new byte[BLOCK];
        new Random(1).nextBytes(once);
        System.arraycopy(once, 0, block, 0, BLOCK);
        System.arraycopy(once, 0, block, BLOCK, BLOCK);
    }

    /** Sends all files. Returns how many forms were not answered with 201. */
    int send(int port) throws InterruptedException {
        int failures = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> sent = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int number = i;
                sent.add(threads.submit(() -> send(port, number)));
            }
            for (Future<Boolean> one : sent) {
                try {
                    failures += one.get() ? 0 : 1;
                } catch (ExecutionException e) {
                    failures++;
                }
            }
        }
        return failures;
    }

    private boolean send(int port, int number) throws IOException {
        String part =
                "--%s\r\nContent-Disposition: form-data; name=\"%d\"; filename=\"%d.bin\"\r\n\r\n"
                        .formatted(BOUNDARY, number, number);
        String end = "\r\n--%s--\r\n".formatted(BOUNDARY);
        String head =
                "POST /upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n"
                        .formatted(part.length() + bytes + end.length());
        String type = "Content-Type: multipart/form-data; boundary=%s\r\n\r\n".formatted(BOUNDARY);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(ANSWER_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write((head + type + part).getBytes(ISO_8859_1));
            for (long at = 0; at < bytes; at += BLOCK) {
                out.write(block, number, (int) Math.min(BLOCK, bytes - at));
            }
            out.write(end.getBytes(ISO_8859_1));
            byte[] answer = socket.getInputStream().readAllBytes();
            return new String(answer, ISO_8859_1).startsWith("HTTP/1.1 201 ");
        }
    }

    /** Compares the files that were kept with those that were sent, and deletes them. Returns how many are whole. */
    int whole(Path folder) throws IOException {
        int whole = 0;
        for (int number = 0; number < clients; number++) {
            Path file = folder.resolve(Integer.toString(number));
            if (Files.exists(file)) {
                whole += Files.size(file) == bytes && isSame(file, number) ? 1 : 0;
                Files.delete(file);
            }
        }
        return whole;
    }

    private boolean isSame(Path file, int number) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            for (long at = 0; at < bytes; at += BLOCK) {
                int count = (int) Math.min(BLOCK, bytes - at);
                byte[] kept = in.readNBytes(count);
                if (!Arrays.equals(kept, 0, kept.length, block, number, number + count)) {
                    return false;
                }
            }
        }
        return true;
    }
}
