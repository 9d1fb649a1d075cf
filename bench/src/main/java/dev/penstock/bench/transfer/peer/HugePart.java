package dev.penstock.bench.transfer.peer;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.transfer.load.DiskSpace;
import dev.penstock.bench.transfer.load.TestFile;
import dev.penstock.http.files.StaticFiles;
import dev.penstock.http.server.Server;
import dev.penstock.transfer.client.Receipt;
import dev.penstock.transfer.client.Source;
import dev.penstock.transfer.client.TransferClient;
import dev.penstock.transfer.client.TransferOptions;
import dev.penstock.transfer.upload.ResumableUploads;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A file of 100 GB down and one of 20 GB up, with server and client in a heap of 64 MB each. */
public final class HugePart {
    private static final long DOWN_BYTES = 100_000_000_000L;
    private static final long UP_BYTES = 20_000_000_000L;
    private static final String HEAP = "64m";
    private static final Duration LIMIT = Duration.ofMinutes(30);

    /** The files are zeros, whose digest tells nothing that their length does not. */
    private static final TransferOptions OPTIONS =
            TransferOptions.DEFAULT.checksum(false).keepState(false);

    private final Trial trial;

    /** The part of a run. */
    public HugePart(Trial trial) {
        this.trial = trial;
    }

    /** Returns how many steps it has. */
    public int steps() {
        return 2;
    }

    /** Measures, in a directory for files. */
    public void measure(Outcome outcome, Path directory) throws IOException {
        Path files = Files.createDirectories(directory.resolve("huge-files"));
        Path kept = Files.createDirectories(directory.resolve("huge-uploads"));
        long down = trial.scaled(DOWN_BYTES, 1_000_000);
        long up = trial.scaled(UP_BYTES, 1_000_000);
        DiskSpace.require(directory, up + up / 20);
        TestFile large = TestFile.sparse(files.resolve("down"), down);
        TestFile sent = TestFile.sparse(files.resolve("up"), up);
        String from = files.toString();
        String to = kept.toString();
        try (Child<Integer> server =
                        Child.start(
                                "Penstock",
                                HEAP,
                                trial.log("transfer-huge"),
                                () -> serve(from, to));
                Child<String> client =
                        Child.start("client", HEAP, trial.log("transfer-huge-client"), () -> "")) {
            int port = server.call(at -> at);
            trial.doing("a download of " + Figures.megabytes(down));
            String target = "/f/" + large.path().getFileName();
            finding(outcome, "down", down, () -> client.call(LIMIT, _ -> get(port, target)));
            trial.step();
            trial.doing("an upload of " + Figures.megabytes(up));
            String source = sent.path().toString();
            finding(
                    outcome,
                    "up",
                    up,
                    () -> {
                        long told = client.call(LIMIT, _ -> put(port, source));
                        return Math.min(told, Files.size(kept.resolve("up")));
                    });
            trial.step();
        }
    }

    private interface Transfer {
        /** Returns how many bytes have arrived. */
        long run() throws IOException;
    }

    private static void finding(Outcome outcome, String where, long bytes, Transfer transfer) {
        long started = System.nanoTime();
        String measured;
        boolean isWhole = false;
        try {
            long arrived = transfer.run();
            double rate = arrived * 1e3 / (System.nanoTime() - started);
            isWhole = arrived == bytes;
            measured = "%s at %s MB/s".formatted(Figures.megabytes(arrived), Figures.number(rate));
        } catch (IOException e) {
            measured = e.getMessage();
        }
        outcome.finding(
                "%s %s, server and client each with -Xmx%s"
                        .formatted(Figures.megabytes(bytes), where, HEAP),
                String.valueOf(measured),
                isWhole);
    }

    private static int serve(String files, String uploads) {
        return Server.builder()
                .port(0)
                .accessLog(false)
                .get("/f/{path...}", StaticFiles.of(Path.of(files)))
                .group("/uploads", ResumableUploads.builder(Path.of(uploads)).build())
                .start()
                .port();
    }

    private static long get(int port, String path) {
        long[] bytes = {0};
        try (TransferClient client = TransferClient.builder().build()) {
            var _ =
                    client.get(
                            URI.create("http://127.0.0.1:" + port + path),
                            chunk -> bytes[0] += chunk.remaining(),
                            OPTIONS);
        }
        return bytes[0];
    }

    private static long put(int port, String file) {
        try (TransferClient client = TransferClient.builder().build()) {
            URI uploads = URI.create("http://127.0.0.1:" + port + "/uploads");
            Receipt receipt = client.put(Source.file(Path.of(file)), uploads, OPTIONS);
            return receipt.bytes();
        }
    }
}
