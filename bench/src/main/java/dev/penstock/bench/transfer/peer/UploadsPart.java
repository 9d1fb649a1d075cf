package dev.penstock.bench.transfer.peer;

import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.transfer.load.TestFile;
import dev.penstock.bench.transfer.load.Together;
import dev.penstock.bench.transfer.load.TusUpload;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Uploads by tus to several servers, one and many at once, and to the disk beside dd. */
public final class UploadsPart {
    /** Uploads at once, with the bytes of each in a short run. */
    private static final Map<Integer, Long> LOADS = loads();

    private static final long FULL_BYTES = 200_000_000;
    private static final long SYNCED_BYTES = 1_000_000_000;
    private static final int WARM_UP = 1;

    /** A trial installs nothing, and has two uploads at once only. */
    private static final double TRIAL = 0.1;

    /** A file that is larger than this is an upload's, not a server's own. */
    private static final long LEAST_UPLOAD = 64 * 1024;

    private static final double OF_DD = 0.8;
    private static final double OF_NODE = 2;
    private static final String DD = "dd";

    private final Trial trial;
    private final Map<Integer, Long> loads;

    /** The part of a run. */
    public UploadsPart(Trial trial) {
        this.trial = trial;
        loads = trial.settings().scale() < TRIAL ? Map.of(2, FULL_BYTES) : LOADS;
    }

    private static Map<Integer, Long> loads() {
        Map<Integer, Long> loads = new LinkedHashMap<>();
        loads.put(1, FULL_BYTES);
        loads.put(16, 50_000_000L);
        loads.put(128, 10_000_000L);
        return loads;
    }

    /** Returns how many steps it has, if every server can be had. */
    public int steps() {
        return (loads.size() * 4 + 5) * (trial.repetitions() + WARM_UP);
    }

    private static final class Seen {
        private final Samples rate = new Samples();
        private final Samples processor = new Samples();
        private final Samples resident = new Samples();
    }

    /** Measures, in a directory for files. */
    public void measure(Outcome outcome, Path directory) throws Exception {
        boolean mayInstall = trial.settings().scale() >= TRIAL;
        Path files = Files.createDirectories(directory.resolve("uploads"));
        try (TusServers servers = TusServers.start(files, trial, mayInstall, outcome)) {
            Outcome.Table table =
                    outcome.table(
                            "Uploads by tus 1.0.0, not forced to the disk but by Penstock",
                            "|at once|each, MB|MB/s|CPU (s/GB)|resident, most (MB)");
            for (Map.Entry<Integer, Long> load : loads.entrySet()) {
                measure(table, load.getKey(), load.getValue(), directory, servers);
            }
            synced(outcome, directory, servers);
        }
    }

    private void measure(
            Outcome.Table table, int count, long lessBytes, Path directory, TusServers servers)
            throws Exception {
        long bytes = trial.scaled(trial.full() ? FULL_BYTES : lessBytes, LEAST_UPLOAD * 2);
        TestFile file = TestFile.write(directory.resolve("file"), bytes, count);
        Map<TusServer, Seen> all = new LinkedHashMap<>();
        servers.all().forEach(server -> all.put(server, new Seen()));
        trial.interleave(
                WARM_UP,
                count + " uploads at once, ",
                servers.all(),
                (server, counts) -> {
                    Seen seen = new Seen();
                    upload(server, count, file, seen);
                    if (!counts) {
                        requireWhole(directory, file, server);
                    } else {
                        add(all, server, seen);
                    }
                    clear(directory);
                });
        all.forEach((server, seen) ->
                table.row(
                        server.toString(),
                        Integer.toString(count),
                        bytes / 1e6,
                        seen.rate,
                        seen.processor,
                        // What a process has had before it keeps.
                        seen.resident.max()));
    }

    private static void add(Map<TusServer, Seen> all, TusServer server, Seen one) {
        Seen seen = all.getOrDefault(server, one);
        one.rate.values().forEach(seen.rate::add);
        one.processor.values().forEach(seen.processor::add);
        one.resident.values().forEach(seen.resident::add);
    }

    private static void upload(TusServer server, int count, TestFile file, Seen seen)
            throws IOException {
        double bytes = (double) count * file.bytes();
        long before = server.processorNanos();
        long started = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file.path())) {
            Together.run(
                    count,
                    _ -> TusUpload.send(server.port(), server.path(), channel, file.bytes()));
        }
        seen.rate.add(bytes * 1e3 / (System.nanoTime() - started));
        seen.processor.add((server.processorNanos() - before) / bytes);
        seen.resident.add(server.peakResidentBytes() / 1e6);
    }

    /** Looks whether what a server has kept is what was sent. */
    private static void requireWhole(Path directory, TestFile file, TusServer server)
            throws IOException {
        List<Path> kept = kept(directory);
        for (Path each : kept) {
            if (!file.isSame(each)) {
                throw new IOException(server + " has kept another file than was sent: " + each);
            }
        }
        if (kept.isEmpty()) {
            throw new IOException(server + " has kept nothing");
        }
    }

    private static List<Path> kept(Path directory) throws IOException {
        List<Path> kept = new ArrayList<>();
        try (Stream<Path> all = Files.walk(directory.resolve("uploads"))) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                if (Files.size(each) > LEAST_UPLOAD) {
                    kept.add(each);
                }
            }
        }
        return kept;
    }

    /** Deletes what servers have kept, so that the disk need not write what it has not written yet. */
    private static void clear(Path directory) throws IOException {
        for (Path each : kept(directory)) {
            Files.delete(each);
        }
    }

    private void synced(Outcome outcome, Path directory, TusServers servers) throws Exception {
        long bytes = trial.scaled(SYNCED_BYTES, LEAST_UPLOAD * 2);
        TestFile file = TestFile.write(directory.resolve("file"), bytes, 0);
        Map<String, Samples> rates = new LinkedHashMap<>();
        Map<String, TusServer> named = new LinkedHashMap<>();
        servers.all().forEach(server -> named.put(server.toString(), server));
        List<String> contenders = new ArrayList<>(List.of(DD));
        contenders.addAll(named.keySet());
        trial.interleave(
                WARM_UP,
                "a large upload to the disk, ",
                contenders,
                (name, counts) -> {
                    TusServer server = named.get(name);
                    double rate;
                    if (server == null) {
                        rate = dd(file, directory.resolve("uploads").resolve(DD));
                    } else {
                        Seen seen = new Seen();
                        upload(server, 1, file, seen);
                        rate = seen.rate.max();
                    }
                    clear(directory);
                    if (counts) {
                        rates.computeIfAbsent(name, _ -> new Samples()).add(rate);
                    }
                });
        report(outcome, bytes, rates);
    }

    private static void report(Outcome outcome, long bytes, Map<String, Samples> rates) {
        Outcome.Table table =
                outcome.table(
                        "One upload of %s to the disk".formatted(Figures.megabytes(bytes)),
                        "|MB/s|forced to the disk");
        rates.forEach((name, rate) ->
                table.row(
                        name,
                        rate,
                        name.equals(DD) || name.equals(TusServers.PENSTOCK) ? "yes" : "no"));
        Samples ours = rates.getOrDefault(TusServers.PENSTOCK, new Samples());
        outcome.atLeast(
                "Upload to the disk, synced: at least 80 % of dd bs=1M conv=fsync",
                ours.medianRatio(rates.getOrDefault(DD, new Samples())), OF_DD, Figures::percent);
        Samples node = rates.get(TusServers.NODE);
        if (node != null) {
            outcome.atLeast(
                    "Upload to the disk, synced: at least twice the rate of @tus/server",
                    ours.medianRatio(node),
                    OF_NODE,
                    ratio -> Figures.number(ratio) + " times");
        }
    }

    /** Has dd write a file and force it. Returns the rate in MB/s. */
    private static double dd(TestFile file, Path target) throws IOException, InterruptedException {
        long started = System.nanoTime();
        Process dd =
                new ProcessBuilder(DD, "if=" + file.path(), "of=" + target, "bs=1M", "conv=fsync")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (dd.waitFor() != 0) {
            throw new IOException("dd failed");
        }
        return file.bytes() * 1e3 / (System.nanoTime() - started);
    }
}
