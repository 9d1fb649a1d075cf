package dev.penstock.bench.transfer.peer;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.files.FileServer;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.Nginx;
import dev.penstock.bench.transfer.load.Http2Download;
import dev.penstock.bench.transfer.load.RawClient;
import dev.penstock.bench.transfer.load.TestFile;
import dev.penstock.bench.transfer.load.Together;
import dev.penstock.http.files.StaticFiles;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** Downloads of a large file beside nginx: plain, and over HTTP/2 and TLS. */
public final class DownloadsPart {
    private static final long BYTES = 2_000_000_000;

    /** Downloads at once. They are of one file each time, and share its bytes between them. */
    private static final List<Integer> COUNTS = List.of(1, 16, 128);

    private static final List<Integer> COUNTS_OF_TRIAL = List.of(1, 2);
    private static final double TRIAL = 0.1;

    private static final String HEAP = "64m";
    private static final int WARM_UP = 1;
    private static final double OF_RATE = 0.95;
    private static final double OF_RATE_TLS = 0.8;
    private static final double OF_PROCESSOR = 1.2;

    private final Trial trial;
    private final List<Integer> counts;
    private final Map<String, Seen> all = new LinkedHashMap<>();

    /** The part of a run. */
    public DownloadsPart(Trial trial) {
        this.trial = trial;
        counts = trial.settings().scale() < TRIAL ? COUNTS_OF_TRIAL : COUNTS;
    }

    /** Returns how many steps it has, if there is an nginx. */
    public int steps() {
        return counts.size() * 2 * 2 * (trial.repetitions() + WARM_UP);
    }

    private static final class Seen {
        private final Samples rate = new Samples();
        private final Samples processor = new Samples();
    }

    /** Measures, in a directory for files. */
    public void measure(Outcome outcome, Path directory) throws Exception {
        Path files = Files.createDirectories(directory.resolve("files"));
        Map<Integer, TestFile> file = new LinkedHashMap<>();
        for (int count : counts) {
            long bytes = trial.scaled(BYTES / count, 1000);
            file.put(count, TestFile.write(files.resolve(Integer.toString(count)), bytes, count));
        }
        int loops = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 8);
        Certificate certificate = Certificate.make(directory);
        measure(false, file, directory, files, loops, certificate);
        measure(true, file, directory, files, loops, certificate);
        if (Nginx.executable().isPresent()) {
            outcome.peer("nginx", Nginx.version(Nginx.executable().get()));
        } else {
            outcome.text(
                    "nginx was not measured, as it is not installed: %s installs it on Debian."
                            .formatted(Nginx.INSTALLATION));
        }
        report(outcome, loops);
    }

    private void measure(
            boolean isTls,
            Map<Integer, TestFile> files,
            Path directory,
            Path folder,
            int loops,
            Certificate certificate)
            throws Exception {
        List<FileServer> contenders = new ArrayList<>();
        try {
            contenders.add(penstock(isTls, folder, loops, certificate));
            Optional<Path> nginx = Nginx.executable();
            if (nginx.isPresent()) {
                Path own = Files.createTempDirectory(directory, "nginx");
                contenders.add(
                        new FileServer.Peer(
                                isTls
                                        ? Nginx.startTls(
                                                nginx.get(),
                                                own,
                                                folder,
                                                loops,
                                                certificate.certificate(),
                                                certificate.key())
                                        : Nginx.start(nginx.get(), own, folder, loops)));
            }
            for (int count : counts) {
                TestFile file = Objects.requireNonNull(files.get(count));
                trial.interleave(
                        WARM_UP,
                        "%d downloads at once%s, ".formatted(count, isTls ? " over TLS" : ""),
                        contenders,
                        (server, isCounted) -> {
                            Seen seen =
                                    isCounted
                                            ? all.computeIfAbsent(
                                                    key(server.toString(), isTls, count),
                                                    _ -> new Seen())
                                            : new Seen();
                            download(server, isTls, count, file, certificate, seen);
                        });
            }
        } finally {
            contenders.forEach(FileServer::close);
        }
    }

    private static String key(String server, boolean isTls, int count) {
        return "%s %s %d".formatted(server, isTls, count);
    }

    private FileServer penstock(boolean isTls, Path files, int loops, Certificate certificate)
            throws IOException {
        String directory = files.toString();
        String pem = certificate.certificate().toString();
        String key = certificate.key().toString();
        Child<Integer> child =
                Child.start(
                        "Penstock",
                        HEAP,
                        trial.log("transfer-files" + (isTls ? "-tls" : "")),
                        () -> serve(directory, loops, isTls, pem, key));
        return new FileServer.Penstock(child, child.call(port -> port));
    }

    private static int serve(
            String directory, int loops, boolean isTls, String certificate, String key) {
        ServerBuilder server =
                Server.builder()
                        .port(0)
                        .eventLoops(loops)
                        .accessLog(false)
                        .get("/f/{path...}", StaticFiles.of(Path.of(directory)));
        if (isTls) {
            server.tls(Path.of(certificate), Path.of(key));
        }
        return server.start().port();
    }

    private static void download(
            FileServer server,
            boolean isTls,
            int count,
            TestFile file,
            Certificate certificate,
            Seen seen)
            throws IOException {
        String target = "/f/" + file.path().getFileName();
        double bytes = (double) count * file.bytes();
        // Files that are not in memory have a part of their own.
        file.readThrough();
        long before = server.processorNanos();
        long started = System.nanoTime();
        Together.run(
                count,
                _ -> {
                    if (isTls) {
                        Http2Download.receive(
                                certificate.trust(), server.port(), target, file.bytes());
                    } else {
                        RawClient.receive(
                                server.port(), target, file.bytes(), OptionalLong.empty());
                    }
                });
        seen.rate.add(bytes * 1e3 / (System.nanoTime() - started));
        seen.processor.add((server.processorNanos() - before) / bytes);
    }

    private Seen seen(String server, boolean isTls, int count) {
        return all.getOrDefault(key(server, isTls, count), new Seen());
    }

    private void report(Outcome outcome, int loops) {
        Seen ours = seen("Penstock", false, 1);
        Seen peer = seen("nginx", false, 1);
        if (!peer.rate.isEmpty()) {
            outcome.atLeast(
                    "Download of a 2 GB file: at least 95 % of nginx's rate",
                    ours.rate.medianRatio(peer.rate), OF_RATE, Figures::percent);
            outcome.atMost(
                    "Download of a 2 GB file: at most 1.2 times nginx's CPU time",
                    ours.processor.medianRatio(peer.processor),
                    OF_PROCESSOR,
                    ratio -> Figures.number(ratio) + " times");
            outcome.atLeast(
                    "Download of a 2 GB file over HTTP/2 and TLS: at least 80 % of nginx's rate",
                    seen("Penstock", true, 1).rate.medianRatio(seen("nginx", true, 1).rate),
                    OF_RATE_TLS,
                    Figures::percent);
        }
        Outcome.Table table =
                outcome.table(
                        "Downloads, 2 GB in all each time; %d event loops or workers, heap %s"
                                .formatted(loops, HEAP),
                        "|at once|Penstock: MB/s|CPU (s/GB)|nginx: MB/s|CPU (s/GB)");
        for (boolean isTls : new boolean[] {false, true}) {
            for (int count : counts) {
                Seen own = seen("Penstock", isTls, count);
                Seen other = seen("nginx", isTls, count);
                table.row(
                        isTls ? "HTTP/2, TLS 1.3" : "HTTP/1.1",
                        Integer.toString(count),
                        own.rate,
                        own.processor,
                        other.rate,
                        other.processor);
            }
        }
    }
}
