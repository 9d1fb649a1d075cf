package dev.penstock.bench.transfer.storm;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.client.ChunkHandler;
import dev.penstock.transfer.client.Receipt;
import dev.penstock.transfer.client.Source;
import dev.penstock.transfer.client.TransferClient;
import dev.penstock.transfer.client.TransferEvent;
import dev.penstock.transfer.client.TransferOptions;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** The clients of the storm, all in one JVM: each sends a file, or receives one. Thread-safe. */
final class StormClients {
    /** More than there are interruptions without any progress between them. */
    private static final int RETRIES = 1000;

    private static final int MOST_FAILURES = 10;

    /** Three of them are under way, and sent again when the server is killed. */
    private static final int CHUNK_BYTES = 16 * 1024;

    /**
     * The transfers that they are to make.
     *
     * @param directory where the file is
     * @param name of the file; it is below {@code /f/} of the server as well
     * @param checksum of the file, its CRC32C
     * @param port of the server, and {@code proxyPort} that of a proxy before it, for every third
     * @param uploads how many, and as many downloads
     */
    record Plan(String directory, String name, long checksum, int port, int proxyPort, int uploads)
            implements Serializable {}

    /**
     * The progress of the transfers.
     *
     * @param ended uploads and downloads that have, and {@code right} of them as they should
     * @param interruptions of uploads that went on in the middle
     * @param mostRepeated bytes of an upload that an interruption had sent again
     */
    record Status(
            int ended,
            int right,
            int interruptions,
            long mostRepeated,
            long movedBytes,
            List<String> failures)
            implements Serializable {}

    private final Plan plan;
    private final TransferClient client;
    private final List<String> failures = new ArrayList<>();
    private int ended;
    private int right;
    private int interruptions;
    private long mostRepeated;
    private long movedBytes;

    StormClients(Plan plan) {
        this.plan = plan;
        client =
                TransferClient.builder()
                        .stateDirectory(Path.of(plan.directory).resolve("state"))
                        .backOff(Duration.ofMillis(100), Duration.ofSeconds(2))
                        .build();
    }

    /** Starts all. Returns how many. */
    int start() {
        for (int i = 0; i < plan.uploads; i++) {
            int number = i;
            Thread.ofVirtual().name("upload").start(() -> run(() -> upload(number)));
            Thread.ofVirtual().name("download").start(() -> run(() -> download(number)));
        }
        return 2 * plan.uploads;
    }

    synchronized Status status() {
        return new Status(
                ended, right, interruptions, mostRepeated, movedBytes, List.copyOf(failures));
    }

    /** One transfer, which says whether all of it arrived as it was sent. */
    private interface Transfer {
        boolean run() throws IOException;
    }

    private void run(Transfer transfer) {
        boolean isRight = false;
        String failure = "other bytes arrived than were sent";
        try {
            isRight = transfer.run();
        } catch (IOException | TransferException e) {
            failure = e.toString();
        }
        synchronized (this) {
            ended++;
            if (isRight) {
                right++;
            } else if (failures.size() < MOST_FAILURES) {
                failures.add(failure);
            }
        }
    }

    private URI server(int number, String path) {
        int port = number % 3 == 0 ? plan.proxyPort : plan.port;
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private boolean upload(int number) throws IOException {
        TransferOptions options =
                TransferOptions.DEFAULT
                        .retries(RETRIES)
                        .fileName(name(number))
                        .chunkBytes(CHUNK_BYTES)
                        .progress(new UploadProgress()::on);
        Path file = Path.of(plan.directory).resolve(plan.name);
        // The parent compares what the server has kept.
        Receipt receipt = client.put(Source.file(file), server(number, "/uploads"), options);
        return receipt.bytes() > 0;
    }

    /** Names an upload. */
    static String name(int number) {
        return "upload-" + number;
    }

    private boolean download(int number) {
        CRC32C sum = new CRC32C();
        TransferOptions options = TransferOptions.DEFAULT.retries(RETRIES).checksum(false);
        ChunkHandler handler =
                chunk -> {
                    int bytes = chunk.remaining();
                    sum.update(chunk);
                    moved(bytes);
                };
        var _ = client.get(server(number, "/f/" + plan.name), handler, options);
        return sum.getValue() == plan.checksum;
    }

    private synchronized void moved(long bytes) {
        movedBytes += bytes;
    }

    private synchronized void interrupted(long repeated) {
        interruptions++;
        mostRepeated = Math.max(mostRepeated, repeated);
    }

    /** The bytes that an upload has sent, and those of them that it has sent again. For one thread at a time. */
    private final class UploadProgress {
        private long sent;

        void on(TransferEvent event) {
            switch (event) {
                case TransferEvent.Moved moved -> {
                    moved(Math.max(0, moved.bytes() - sent));
                    sent = moved.bytes();
                }
                case TransferEvent.Resumed resumed -> {
                    interrupted(Math.max(0, sent - resumed.offset()));
                    sent = resumed.offset();
                }
                case TransferEvent.Restarted restarted -> {
                    interrupted(sent);
                    sent = 0;
                }
                case TransferEvent.Started _,
                        TransferEvent.Retrying _,
                        TransferEvent.Verified _ -> {
                    // They move nothing.
                }
            }
        }
    }
}
