package dev.penstock.bench.files;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.Nginx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Static files beside nginx, and a directory of very many. */
public final class StaticFilesExperiment extends Experiment {
    private static final List<Integer> SIZES = List.of(1024, 16 * 1024, 64 * 1024, 1024 * 1024);
    private static final int FILES_OF_A_SIZE = 16;
    private static final int CLIENTS = 64;
    private static final int DRIVERS = 2;
    private static final Duration WINDOW = Duration.ofSeconds(3);
    private static final Duration SHORTEST = Duration.ofMillis(60);

    /** Rounds until compilers are done. */
    private static final int WARM_UP = 3;

    /** Of nginx's answers: for the smallest files, and for others. */
    private static final double OF_NGINX_SMALL = 0.7;

    private static final double OF_NGINX = 0.9;

    /** The experiment. */
    public StaticFilesExperiment() {
        super(
                "static-files",
                "static files beside nginx, by their size; a directory of very many; about five minutes");
    }

    /** The figures of one server for files of one size: answers a second, and its processor time for each, in µs. */
    private record Seen(Samples rate, Samples time, Samples busy) {
        Seen() {
            this(new Samples(), new Samples(), new Samples());
        }
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        String heap = trial.heap("64m");
        int loops = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 8);
        Optional<Path> nginx = Nginx.executable();
        trial.steps((long) SIZES.size() * (trial.repetitions() + WARM_UP) * 2 + 1);
        Outcome outcome = new Outcome(name(), "Static files, heap " + heap);
        outcome.text(
                """
                %d clients keep their connections and ask for files, 16 of each size, again as soon as they have their
                answer; each answer's length is checked. Both servers have %d event loops or workers; nginx has sendfile
                and open_file_cache on, and neither writes a log. The load clients are %d processes with a thread each
                on the same machine.
                """
                        .formatted(CLIENTS, loops, DRIVERS));
        Path directory = Files.createTempDirectory("penstock-files").toRealPath();
        List<FileServer> servers = new ArrayList<>();
        try {
            Path files = writeFiles(directory.resolve("files"));
            FileServer ours = FileServer.Penstock.start(files, loops, heap, trial);
            servers.add(ours);
            if (nginx.isPresent()) {
                outcome.peer("nginx", Nginx.version(nginx.get()));
                servers.add(new FileServer.Peer(Nginx.start(nginx.get(), directory, files, loops)));
            } else {
                outcome.text(
                        "nginx was not measured, as it is not installed: %s installs it on Debian."
                                .formatted(Nginx.INSTALLATION));
            }
            measure(outcome, servers, loops, trial);
            new ManyFiles(trial).measure(outcome, directory.resolve("many"), loops, heap);
            trial.step();
        } finally {
            servers.forEach(FileServer::close);
            ManyFiles.delete(directory);
        }
        return outcome;
    }

    private static Path writeFiles(Path directory) throws IOException {
        Files.createDirectories(directory);
        Random random = new Random(1);
        for (int size : SIZES) {
            for (int i = 0; i < FILES_OF_A_SIZE; i++) {
                byte[] bytes = new byte[size];
                random.nextBytes(bytes);
                Files.write(directory.resolve(name(size, i)), bytes);
            }
        }
        return directory;
    }

    private static String name(int size, int number) {
        return size + "-" + number + ".bin";
    }

    private static void measure(Outcome outcome, List<FileServer> servers, int loops, Trial trial)
            throws Exception {
        Map<String, Seen> all = new LinkedHashMap<>();
        List<LoadDriver> drivers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(DRIVERS)) {
            for (int i = 0; i < DRIVERS; i++) {
                drivers.add(LoadDriver.start("256m", trial.log("load-client-" + i)));
            }
            for (int size : SIZES) {
                trial.interleave(
                        WARM_UP,
                        label(size) + ", ",
                        servers,
                        (server, counts) -> {
                            Seen seen =
                                    counts
                                            ? all.computeIfAbsent(
                                                    server + " " + size, _ -> new Seen())
                                            : new Seen();
                            ask(server, size, seen, drivers, threads, loops, trial);
                        });
            }
        } finally {
            drivers.forEach(LoadDriver::close);
        }
        report(outcome, servers, all);
    }

    private static void ask(
            FileServer server,
            int size,
            Seen seen,
            List<LoadDriver> drivers,
            ExecutorService threads,
            int loops,
            Trial trial)
            throws Exception {
        Duration window = trial.scaled(WINDOW, SHORTEST);
        long started = System.nanoTime();
        long before = server.processorNanos();
        List<Callable<Map<String, LoadFigures>>> runs = new ArrayList<>();
        for (int i = 0; i < DRIVERS; i++) {
            Load load = load(server.port(), size, i, window);
            LoadDriver driver = drivers.get(i);
            runs.add(() -> driver.run(load));
        }
        double answers = 0;
        double perSecond = 0;
        for (Future<Map<String, LoadFigures>> run : threads.invokeAll(runs)) {
            for (LoadFigures figures : run.get().values()) {
                if (figures.failed() > 0) {
                    throw new IOException(server + ": " + figures.failures());
                }
                answers += figures.completed();
                perSecond += figures.requestsPerMinute() / 60;
            }
        }
        long used = server.processorNanos() - before;
        seen.rate.add(perSecond);
        // The ramp is a third of the window, and takes processor time as well.
        seen.time.add(used / 1000.0 / Math.max(1, answers * 4.0 / 3));
        seen.busy.add((double) used / (System.nanoTime() - started) / loops);
    }

    /** The part of one driver: each group asks for one file. */
    private static Load load(int port, int size, int driver, Duration window) {
        Load.Expected expected = new Load.Expected(size, size, "", "", 0);
        List<Load.Group> groups = new ArrayList<>();
        for (int file = driver; file < FILES_OF_A_SIZE; file += DRIVERS) {
            groups.add(
                    new Load.Group("/f/" + name(size, file), CLIENTS / FILES_OF_A_SIZE, expected)
                            .named(name(size, file)));
        }
        return new Load(port, window.dividedBy(3), window, groups);
    }

    private static String label(int size) {
        return size < 1024 * 1024 ? size / 1024 + " KiB" : size / 1024 / 1024 + " MiB";
    }

    private static void report(Outcome outcome, List<FileServer> servers, Map<String, Seen> all) {
        for (int size : SIZES) {
            Seen ours = all.get("Penstock " + size);
            Seen peer = all.get("nginx " + size);
            if (ours != null && peer != null) {
                double share = size == SIZES.getFirst() ? OF_NGINX_SMALL : OF_NGINX;
                outcome.atLeast(
                        "%s: at least %s of nginx's answers"
                                .formatted(label(size), Figures.percent(share)),
                        ours.rate.medianRatio(peer.rate),
                        share,
                        Figures::percent);
            }
        }
        List<String> header = new ArrayList<>(List.of(""));
        for (FileServer server : servers) {
            header.add(server + ": answers a second");
            header.add("processor time of each, µs");
            header.add("busy");
        }
        Outcome.Table table = outcome.table("Files, " + CLIENTS + " connections", header);
        for (int size : SIZES) {
            List<Object> row = new ArrayList<>(List.of(label(size)));
            for (FileServer server : servers) {
                Seen seen = all.getOrDefault(server + " " + size, new Seen());
                row.add(seen.rate);
                row.add(seen.time);
                row.add(new Outcome.Cell(seen.busy, Figures::percent));
            }
            table.row(row);
        }
    }
}
