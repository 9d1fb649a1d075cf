package dev.penstock.bench.transfer.peer;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.transfer.load.RawClient;
import dev.penstock.bench.transfer.load.TestFile;
import dev.penstock.http.files.StaticFiles;
import dev.penstock.http.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Short answers beside downloads of files that the operating system does not have in memory. */
public final class ColdPart {
    private static final int DOWNLOADS = 8;
    private static final long BYTES = 100_000_000;
    private static final int CLIENTS = 4;
    private static final Duration INTERVAL = Duration.ofMillis(10);
    private static final Duration WINDOW = Duration.ofSeconds(5);
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final int WARM_UP = 1;
    private static final String HEAP = "64m";
    private static final String SHORT = "short";
    private static final double MOST = 2;

    private final Trial trial;
    private final Map<Beside, Seen> all = new EnumMap<>(Beside.class);

    /** The downloads that the server sends meanwhile. */
    private enum Beside {
        NOTHING("alone"),
        WARM("beside " + DOWNLOADS + " downloads of files in memory"),
        COLD("beside " + DOWNLOADS + " downloads of files that are not in memory");

        private final String name;

        Beside(String name) {
            this.name = name;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final class Seen {
        private final Samples p50 = new Samples();
        private final Samples p99 = new Samples();
        private final Samples most = new Samples();
        private final Samples rate = new Samples();
        private final Samples disk = new Samples();
    }

    /** The part of a run. */
    public ColdPart(Trial trial) {
        this.trial = trial;
    }

    /** Returns how many steps it has. */
    public int steps() {
        return Beside.values().length * (trial.repetitions() + WARM_UP);
    }

    /** Measures, in a directory for files. */
    public void measure(Outcome outcome, Path directory) throws Exception {
        Path folder = Files.createDirectories(directory.resolve("cold"));
        List<TestFile> files = new ArrayList<>();
        for (int i = 0; i < DOWNLOADS; i++) {
            long bytes = trial.scaled(BYTES, 100_000);
            files.add(TestFile.write(folder.resolve(Integer.toString(i)), bytes, i));
        }
        String path = folder.toString();
        try (Child<Integer> server =
                        Child.start(
                                "Penstock", HEAP, trial.log("transfer-cold"), () -> serve(path));
                LoadDriver driver = trial.loadDriver()) {
            trial.interleave(
                    WARM_UP,
                    "short answers ",
                    List.of(Beside.values()),
                    (beside, counts) -> {
                        Seen seen =
                                counts ? all.computeIfAbsent(beside, _ -> new Seen()) : new Seen();
                        round(server, driver, files, beside, seen);
                    });
        }
        for (TestFile file : files) {
            Files.delete(file.path());
        }
        report(outcome);
    }

    private static int serve(String directory) {
        return Server.builder()
                .port(0)
                .eventLoops(1)
                .accessLog(false)
                .get("/short", exchange -> exchange.respond(200, "text/plain", SHORT))
                .get("/f/{path...}", StaticFiles.of(Path.of(directory)))
                .start()
                .port();
    }

    private void round(
            Child<Integer> server,
            LoadDriver driver,
            List<TestFile> files,
            Beside beside,
            Seen seen)
            throws Exception {
        int port = server.call(known -> known);
        Duration window = trial.scaled(WINDOW, SHORTEST);
        Load.Group group =
                new Load.Group("/short", CLIENTS, Load.Expected.text(SHORT)).every(INTERVAL);
        Load load = new Load(port, window.dividedBy(5), window, List.of(group));
        AtomicBoolean over = new AtomicBoolean();
        LongAdder received = new LongAdder();
        long before = server.call(_ -> readFromDisk());
        long started = System.nanoTime();
        LoadFigures figures;
        try (ExecutorService threads = Executors.newFixedThreadPool(DOWNLOADS)) {
            List<Future<?>> downloads = new ArrayList<>();
            for (TestFile file : beside == Beside.NOTHING ? List.<TestFile>of() : files) {
                downloads.add(
                        threads.submit(() -> {
                            while (!over.get()) {
                                download(port, file, beside == Beside.COLD);
                                received.add(file.bytes());
                            }
                            return file;
                        }));
            }
            try {
                figures = driver.runOne(load);
            } finally {
                over.set(true);
            }
            for (Future<?> each : downloads) {
                each.get();
            }
        }
        if (figures.failed() > 0) {
            throw new IOException("Short answers failed: " + figures.failures());
        }
        double seconds = (System.nanoTime() - started) / 1e9;
        seen.p50.add(figures.latency().p50());
        seen.p99.add(figures.latency().p99());
        seen.most.add(figures.latency().max());
        seen.rate.add(received.sum() / 1e6 / seconds);
        seen.disk.add((server.call(_ -> readFromDisk()) - before) / 1e6 / seconds);
    }

    private static void download(int port, TestFile file, boolean isCold) throws IOException {
        if (isCold) {
            file.evict();
        }
        RawClient.receive(
                port, "/f/" + file.path().getFileName(), file.bytes(), OptionalLong.empty());
    }

    /** The bytes that this process has had read from disks; 0 where the system does not tell. */
    private static long readFromDisk() {
        try {
            return Files.readAllLines(Path.of("/proc/self/io")).stream()
                    .filter(line -> line.startsWith("read_bytes: "))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                    .sum();
        } catch (IOException _) {
            return 0;
        }
    }

    private Samples p99(Beside beside) {
        return all.getOrDefault(beside, new Seen()).p99;
    }

    private void report(Outcome outcome) {
        Outcome.Table table =
                outcome.table(
                        "Short answers, %d clients that ask every %d ms; one event loop, heap %s"
                                .formatted(CLIENTS, INTERVAL.toMillis(), HEAP),
                        "|p50 (ms)|p99 (ms)|most (ms)|downloads: MB/s|read from the disk: MB/s");
        all.forEach((beside, seen) ->
                table.row(
                        beside.toString(),
                        seen.p50,
                        seen.p99,
                        seen.most,
                        beside == Beside.NOTHING ? "" : seen.rate,
                        seen.disk));
        Samples alone = p99(Beside.NOTHING);
        Samples cold = p99(Beside.COLD);
        outcome.atMost(
                "p99 of short answers " + Beside.COLD + ": at most twice that alone",
                cold.medianRatio(alone),
                MOST,
                ratio ->
                        "%s times: %s against %s"
                                .formatted(
                                        Figures.number(ratio),
                                        Figures.milliseconds(cold.median()),
                                        Figures.milliseconds(alone.median())));
    }
}
