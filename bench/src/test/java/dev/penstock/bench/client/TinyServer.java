package dev.penstock.bench.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers as a test wants it to, one request at a time on each connection. */
final class TinyServer implements AutoCloseable {
    /**
     * Writes the answer to the request of that number, counted from 0. Returns whether the connection is to be kept.
     */
    interface Script {
        boolean answer(int request, OutputStream out) throws IOException, InterruptedException;
    }

    private final ServerSocket socket = new ServerSocket(0, 2000, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger requests = new AtomicInteger();
    private final Script script;

    TinyServer(Script script) throws IOException {
        this.script = script;
        threads.submit(this::accept);
    }

    /** Answers all with the same after so long, at most so many at once. */
    static TinyServer answering(String response, Duration after, int atOnce) throws IOException {
        Semaphore admission = new Semaphore(atOnce, true);
        return new TinyServer((request, out) -> {
            admission.acquire();
            try {
                Thread.sleep(after);
            } finally {
                admission.release();
            }
            out.write(response.getBytes(ISO_8859_1));
            return true;
        });
    }

    int port() {
        return socket.getLocalPort();
    }

    int requests() {
        return requests.get();
    }

    private Void accept() throws IOException {
        while (true) {
            Socket connection = socket.accept();
            threads.submit(() -> serve(connection));
        }
    }

    private Void serve(Socket connection) throws IOException, InterruptedException {
        try (connection;
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(connection.getInputStream(), ISO_8859_1))) {
            connection.setTcpNoDelay(true);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.isEmpty()
                        && !script.answer(
                                requests.getAndIncrement(), connection.getOutputStream())) {
                    break;
                }
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        socket.close();
        threads.shutdownNow();
    }
}
