package dev.penstock.transfer.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A client in a JVM of its own, for tests that kill it or give it little memory: some uploads of one file, and as many
 * downloads of one resource, at once.
 */
final class ClientProcess {
    private static final long TOLD_BYTES = 64 * 1024;

    private ClientProcess() {}

    /**
     * Takes: count, URI of uploads, file, URI to get, directory. Tells the bytes that move, and {@code done} at the
     * end.
     */
    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[0]);
        URI uploads = URI.create(arguments[1]);
        Path file = Path.of(arguments[2]);
        URI download = URI.create(arguments[3]);
        Path directory = Path.of(arguments[4]);
        TransferOptions options = TransferOptions.DEFAULT.retries(50);
        if (count == 1) {
            options = options.progress(new Teller());
        }
        TransferOptions used = options;
        try (TransferClient client =
                        TransferClient.builder()
                                .stateDirectory(directory.resolve("state"))
                                .backOff(Duration.ofMillis(10), Duration.ofMillis(500))
                                .build();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Receipt>> transfers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Path target = directory.resolve("got" + i);
                TransferOptions named = used.fileName("sent" + i).keepState(count == 1);
                transfers.add(threads.submit(() -> client.put(Source.file(file), uploads, named)));
                transfers.add(threads.submit(() -> client.get(download, target, used)));
            }
            for (Future<Receipt> transfer : transfers) {
                print(transfer);
            }
        }
        System.out.println("done");
    }

    private static void print(Future<Receipt> transfer)
            throws InterruptedException, ExecutionException {
        Receipt receipt = transfer.get();
        System.out.println(
                "%s %d %s resumed at %d, interrupted %d, repeated %d"
                        .formatted(
                                receipt.protocol().map(Enum::name).orElse("GET"),
                                receipt.bytes(),
                                receipt.sha256().orElse(""),
                                receipt.resumedAt(),
                                receipt.interruptions(),
                                receipt.repeatedBytes()));
    }

    /** Writes a line for each 64 KiB that have moved, so that a test can kill this process after any number of them. */
    private static final class Teller implements Progress {
        private long moved;
        private long told;

        @Override
        public synchronized void on(TransferEvent event) {
            if (event instanceof TransferEvent.Moved) {
                moved += 16 * 1024;
                if (moved - told >= TOLD_BYTES) {
                    told = moved;
                    System.out.println("moved");
                }
            }
        }
    }

    static List<String> lines(Process process) throws IOException {
        try (var reader = process.inputReader()) {
            return reader.lines().toList();
        }
    }
}
