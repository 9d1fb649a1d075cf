package dev.penstock.bench.transfer.cell;

import dev.penstock.transfer.client.ChunkHandler;
import dev.penstock.transfer.client.Source;
import dev.penstock.transfer.client.TransferClient;
import dev.penstock.transfer.client.TransferClientBuilder;
import dev.penstock.transfer.client.TransferOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The measured side where that is a client: it sends its file, or writes what comes to files of its directory. */
final class MeasuredClient {
    /** As much as the JDK's own client does. */
    private static final TransferOptions OPTIONS =
            TransferOptions.DEFAULT.checksum(false).keepState(false).retries(0);

    private final Cell cell;
    private final Path file;
    private final Path directory;
    private final HttpClient whole =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final TransferClient chunked;

    MeasuredClient(Cell cell, Path file, Path directory) {
        this.cell = cell;
        this.file = file;
        this.directory = directory;
        chunked =
                TransferClient.builder()
                        .stateDirectory(directory.resolve("state"))
                        .memoryBudget(budget(cell.chunkBytes()))
                        .build();
    }

    /** The client's part of half of the heap, of which the chunk that each transfer collects has the other. */
    private static long budget(int chunkBytes) {
        long connection = TransferClientBuilder.CONNECTION_BYTES;
        long half = Runtime.getRuntime().maxMemory() / 2;
        return Math.max(connection, half * connection / (connection + chunkBytes));
    }

    /** Runs so many transfers at once with the server at a port. Returns how many there were. */
    int run(int port, int count) throws IOException, InterruptedException {
        URI server = URI.create("http://127.0.0.1:" + port + "/file");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Path target = directory.resolve(Integer.toString(i));
                all.add(
                        threads.submit(() -> {
                            run(server, target);
                            return target;
                        }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof OutOfMemoryError error) {
                throw error;
            }
            throw new IOException(e.getCause());
        }
        return count;
    }

    private void run(URI server, Path target) throws IOException, InterruptedException {
        boolean sends = cell.operation() == Operation.CLIENT_SENDS;
        if (cell.isInChunks()) {
            if (sends) {
                sendChunks(server);
            } else {
                receiveChunks(server, target);
            }
        } else if (sends) {
            sendWhole(server);
        } else {
            Files.write(target, receiveWhole(server));
        }
    }

    private void sendWhole(URI server) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(server)
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(Files.readAllBytes(file)))
                        .build();
        check(whole.send(request, HttpResponse.BodyHandlers.discarding()));
    }

    private byte[] receiveWhole(URI server) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server).build();
        HttpResponse<byte[]> response =
                whole.send(request, HttpResponse.BodyHandlers.ofByteArray());
        check(response);
        return response.body();
    }

    private void sendChunks(URI server) {
        TransferOptions options = OPTIONS.chunkBytes(cell.chunkBytes());
        chunked.put(Source.file(file), server, options);
    }

    /** Collects full chunks, as the article's programs do, and writes them. */
    private void receiveChunks(URI server, Path target) throws IOException {
        try (FileChannel out = MeasuredServer.create(target)) {
            ChunkWriter writer = new ChunkWriter(out, cell.chunkBytes());
            chunked.get(server, writer, OPTIONS);
            writer.end();
        }
    }

    /** A writer of full chunks. It has none before the first byte comes, since transfers wait for their turn. */
    private static final class ChunkWriter implements ChunkHandler {
        private final FileChannel out;
        private final int chunkBytes;
        private @Nullable ByteBuffer chunk;

        ChunkWriter(FileChannel out, int chunkBytes) {
            this.out = out;
            this.chunkBytes = chunkBytes;
        }

        @Override
        public void accept(ByteBuffer part) throws IOException {
            ByteBuffer to = chunk;
            if (to == null) {
                to = ByteBuffer.allocate(chunkBytes);
                chunk = to;
            }
            while (part.hasRemaining()) {
                int taken = Math.min(part.remaining(), to.remaining());
                to.put(part.slice(part.position(), taken));
                part.position(part.position() + taken);
                if (!to.hasRemaining()) {
                    write(to);
                }
            }
        }

        void end() throws IOException {
            if (chunk != null) {
                write(chunk);
            }
        }

        private void write(ByteBuffer full) throws IOException {
            full.flip();
            while (full.hasRemaining()) {
                out.write(full);
            }
            full.clear();
        }
    }

    private static void check(HttpResponse<?> response) throws IOException {
        if (response.statusCode() / 100 != 2) {
            throw new IOException("answered with " + response.statusCode());
        }
    }
}
