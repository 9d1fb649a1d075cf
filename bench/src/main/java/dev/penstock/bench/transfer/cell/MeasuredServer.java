package dev.penstock.bench.transfer.cell;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executors;

/**
 * The measured side where that is a server: a POST to {@code /NUMBER} becomes the file of that name in its directory,
 * and a GET of {@code /file} is answered with its file.
 */
final class MeasuredServer {
    private static final String BYTES = "application/octet-stream";

    private final Path file;
    private final Path directory;
    private final int chunkBytes;

    private MeasuredServer(Path file, Path directory, int chunkBytes) {
        this.file = file;
        this.directory = directory;
        this.chunkBytes = chunkBytes;
    }

    /** Starts one in this JVM, until that ends. Returns its port. */
    static int start(Path file, Path directory, int chunkBytes) throws IOException {
        MeasuredServer server = new MeasuredServer(file, directory, chunkBytes);
        return chunkBytes > 0 ? server.startChunked() : server.startWhole();
    }

    private int startChunked() {
        return Server.builder()
                .port(0)
                .accessLog(false)
                .maxBody(Long.MAX_VALUE)
                .post("/{number}", this::readChunks)
                .get("/file", this::returnChunks)
                .start()
                .port();
    }

    private void readChunks(Exchange exchange) throws IOException {
        Path target = directory.resolve(exchange.pathParameter("number"));
        try (FileChannel out = create(target)) {
            copy(exchange.requestBody(), out, chunkBytes);
        }
        exchange.respond(201, "text/plain", "");
    }

    static FileChannel create(Path target) throws IOException {
        return FileChannel.open(
                target,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
    }

    private void returnChunks(Exchange exchange) throws IOException {
        try (FileChannel in = FileChannel.open(file)) {
            exchange.header("Content-Length", Long.toString(in.size()));
            try (ResponseBody body = exchange.body(BYTES)) {
                copy(in, body, chunkBytes);
            }
        }
    }

    /** Copies all there is, through one chunk, which is full each time but the last. */
    static void copy(ReadableByteChannel in, WritableByteChannel out, int chunkBytes)
            throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(chunkBytes);
        boolean isEnd = false;
        while (!isEnd) {
            chunk.clear();
            while (chunk.hasRemaining() && !isEnd) {
                isEnd = in.read(chunk) < 0;
            }
            chunk.flip();
            while (chunk.hasRemaining()) {
                out.write(chunk);
            }
        }
    }

    private int startWhole() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = HttpServer.create(any, 1024);
        server.createContext("/", this::readWhole);
        server.createContext("/file", this::returnWhole);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server.getAddress().getPort();
    }

    private void readWhole(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] all = exchange.getRequestBody().readAllBytes();
            Files.write(directory.resolve(exchange.getRequestURI().getPath().substring(1)), all);
            exchange.sendResponseHeaders(201, -1);
        }
    }

    private void returnWhole(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] all = Files.readAllBytes(file);
            exchange.getResponseHeaders().set("Content-Type", BYTES);
            exchange.sendResponseHeaders(200, all.length);
            exchange.getResponseBody().write(all);
        }
    }
}
