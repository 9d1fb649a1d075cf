package dev.penstock.bench.transfer.storm;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.transfer.load.DiskSpace;
import dev.penstock.bench.transfer.load.TestFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The storm: 64 uploads and 64 downloads of 200 MB in 24 MB, over cut connections and killed servers. */
public final class StormPart {
    private static final int UPLOADS = 64;
    private static final long BYTES = 200_000_000;
    private static final Duration KILL_EVERY = Duration.ofSeconds(5);
    private static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final long POLL_MILLIS = 50;

    /** Of a connection over the proxy; few of them outlive the server, so that these are small parts of a body. */
    private static final long LEAST_CUT = 250_000;

    private static final int CUTS_OF_SMALL = 20;
    private static final long MOST_REPEATED = 512 * 1024;
    private static final String CLIENT_HEAP = "64m";

    /** A small send buffer: its bytes are sent again when a connection breaks. */
    private static final List<String> CLIENT_OPTIONS =
            List.of("-Djdk.httpclient.sendBufferSize=16384");

    private final Trial trial;

    /** The part of a run. */
    public StormPart(Trial trial) {
        this.trial = trial;
    }

    /** Returns how many steps it has. */
    public int steps() {
        return 1;
    }

    /** The outcome of the storm. */
    private record Seen(
            StormClients.Status clients,
            int transfers,
            int whole,
            int kills,
            int crashes,
            int cuts,
            double seconds) {}

    /** Measures, in a directory for files. */
    public void measure(Outcome outcome, Path directory) throws Exception {
        int uploads = (int) trial.scaled(UPLOADS, 3);
        long bytes = trial.scaled(BYTES, 100_000);
        DiskSpace.require(directory, (uploads + 2) * bytes);
        Path files = Files.createDirectories(directory.resolve("storm-files"));
        Path kept = Files.createDirectories(directory.resolve("storm-uploads"));
        TestFile file = TestFile.write(files.resolve("file"), bytes, 3);
        int port = freePort();
        trial.doing("%d uploads and %d downloads at once".formatted(uploads, uploads));
        try (StormServer server = new StormServer(port, kept, files, trial);
                CuttingProxy proxy =
                        CuttingProxy.start(port, Math.min(LEAST_CUT, bytes / CUTS_OF_SMALL));
                OffsetWatch offsets = new OffsetWatch(port, kept, bytes)) {
            StormClients.Plan plan =
                    new StormClients.Plan(
                            files.toString(), "file", file.checksum(), port, proxy.port(), uploads);
            Seen seen = run(server, proxy, plan, kept, file);
            report(outcome, seen, offsets, uploads, bytes);
        }
        trial.step();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private Seen run(
            StormServer server,
            CuttingProxy proxy,
            StormClients.Plan plan,
            Path kept,
            TestFile file)
            throws IOException, InterruptedException {
        Duration killEvery = trial.scaled(KILL_EVERY, SHORTEST);
        int kills = 0;
        int crashes = 0;
        try (Child<StormClients> clients =
                Child.start(
                        "the storm's clients",
                        CLIENT_HEAP,
                        CLIENT_OPTIONS,
                        trial.log("transfer-storm-clients"),
                        () -> new StormClients(plan))) {
            int transfers = clients.call(StormClients::start);
            long started = System.nanoTime();
            StormClients.Status status = clients.call(StormClients::status);
            long lastStart = started;
            while (status.ended() < transfers && System.nanoTime() - started < LIMIT.toNanos()) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                if (System.nanoTime() - lastStart > killEvery.toNanos()) {
                    crashes += server.killAndStart() ? 0 : 1;
                    kills++;
                    lastStart = System.nanoTime();
                }
                status = clients.call(StormClients::status);
                trial.doing(
                        "storm: %d of %d, %s, %d kills"
                                .formatted(
                                        status.ended(),
                                        transfers,
                                        Figures.megabytes(status.movedBytes()),
                                        kills));
            }
            double seconds = (System.nanoTime() - started) / 1e9;
            int whole = whole(kept, file, plan.uploads());
            return new Seen(status, transfers, whole, kills, crashes, proxy.cuts(), seconds);
        }
    }

    /** Returns how many uploads the server has kept as they were sent. */
    private static int whole(Path kept, TestFile file, int uploads) {
        int whole = 0;
        for (int i = 0; i < uploads; i++) {
            Path upload = kept.resolve(StormClients.name(i));
            whole += Files.exists(upload) && file.isSame(upload) ? 1 : 0;
        }
        return whole;
    }

    private static void report(
            Outcome outcome, Seen seen, OffsetWatch offsets, int uploads, long bytes) {
        StormClients.Status clients = seen.clients();
        String storm =
                "%d uploads and %d downloads of %s at once in a heap of %s and 24 MB of direct memory"
                        .formatted(uploads, uploads, Figures.megabytes(bytes), StormServer.HEAP);
        boolean isRight = clients.right() == seen.transfers() && seen.whole() == uploads;
        outcome.finding(
                storm
                        + ", a third over a proxy that cuts, the server killed every five seconds: all right",
                "%d of %d transfers right, %d of %d files whole, %d kills, %d cuts%s"
                        .formatted(
                                clients.right(),
                                seen.transfers(),
                                seen.whole(),
                                uploads,
                                seen.kills(),
                                seen.cuts(),
                                clients.failures().isEmpty()
                                        ? ""
                                        : "; " + clients.failures().getFirst()),
                isRight);
        outcome.finding(
                "The server ends only when it is killed",
                seen.crashes() + " ends by itself",
                seen.crashes() == 0);
        outcome.finding(
                "No offset that was stated goes back",
                "%d of %,d did %s"
                        .formatted(offsets.back(), offsets.asked(), offsets.example())
                        .strip(),
                offsets.back() == 0);
        outcome.finding(
                "An interruption repeats at most 512 KiB of an upload",
                "%,d bytes at most, in %,d interruptions"
                        .formatted(clients.mostRepeated(), clients.interruptions()),
                clients.mostRepeated() <= MOST_REPEATED);
        outcome.table("The storm", "|transfers|GB moved|seconds|MB/s|kills|cuts|interruptions")
                .row(
                        "clients in -Xmx" + CLIENT_HEAP,
                        Integer.toString(seen.transfers()),
                        clients.movedBytes() / 1e9,
                        seen.seconds(),
                        clients.movedBytes() / 1e6 / seen.seconds(),
                        Integer.toString(seen.kills()),
                        Integer.toString(seen.cuts()),
                        Integer.toString(clients.interruptions()));
    }
}
