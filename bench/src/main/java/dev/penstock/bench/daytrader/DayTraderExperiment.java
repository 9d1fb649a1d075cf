package dev.penstock.bench.daytrader;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.databases.TestDatabase;
import dev.penstock.daytrader.store.Population;
import dev.penstock.daytrader.store.TradeStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.eclipse.jetty.server.Server;

/** The trading application on service pools, beside what people would otherwise run it on. */
public final class DayTraderExperiment extends Experiment {
    /** Below this scale, only a few things are tried. */
    static final double TRIAL = 0.1;

    private static final String GRID = "grid";
    private static final String OPTIMISATIONS = "optimisations";
    private static final String ORIGINAL = "original";
    private static final String SMALL = "small";
    private static final String PAGES = "pages";
    private static final String OVERLOAD = "overload";

    /** The experiment. */
    public DayTraderExperiment() {
        super(
                "daytrader",
                "a trading application on pools, beside semaphores, actors, servlets; about half an hour");
    }

    @Override
    public List<String> parts() {
        return List.of(SMALL, PAGES, ORIGINAL, OVERLOAD, OPTIMISATIONS, GRID);
    }

    /** A part as it is run. */
    private record Part(int steps, Measurement measurement) {}

    /** The measurement of a part. */
    private interface Measurement {
        void measure(Outcome outcome) throws Exception;
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        Outcome outcome = new Outcome(name(), "DayTrader on pools of services");
        outcome.peer("Pekko", ActorSystem.class);
        outcome.peer("Jetty", Server.class);
        outcome.text(
                """
                The application runs in a JVM of its own, with 10,000 stocks and 15,000 users; the load client, the
                application and the database share the machine. Users ask for the next page as soon as they have one.
                Passwords cost one iteration, as the public application has them in clear. The server itself lets as
                many requests run as come, so that the ways to call the services alone bound them. Pools, actors and
                semaphores of up to 90 have a connection each; beyond that they share 90. Additional memory is the
                most that collections leave under load, less that before it.
                """);
        Path directory =
                Files.createTempDirectory(
                                Files.createDirectories(trial.settings().out()), "daytrader")
                        .toRealPath();
        trial.doing("filling PostgreSQL");
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            TradeStore store = TradeServer.store(database.dataSource());
            store.populate(Population.STANDARD, (_, _) -> {});
            List<Part> parts = parts(trial, DatabaseAddress.of(database), directory);
            trial.steps(parts.stream().mapToLong(Part::steps).sum());
            for (Part part : parts) {
                part.measurement.measure(outcome);
            }
            List<String> broken = store.checkBooks().broken();
            outcome.finding(
                    "after everything, the books balance",
                    broken.isEmpty() ? "they do" : String.join("; ", broken),
                    broken.isEmpty());
        } finally {
            delete(directory);
        }
        return outcome;
    }

    private static List<Part> parts(Trial trial, DatabaseAddress address, Path directory) {
        List<Part> parts = new ArrayList<>();
        if (trial.soak()) {
            SoakPart soak = new SoakPart(trial, address);
            parts.add(new Part(soak.steps(), soak::measure));
            return parts;
        }
        if (trial.includes(SMALL)) {
            SmallPart small = new SmallPart(trial, address, directory);
            parts.add(new Part(small.steps(), small::measure));
        }
        if (trial.includes(PAGES)) {
            PagesPart pages = new PagesPart(trial, address, directory);
            parts.add(new Part(pages.steps(), pages::measure));
        }
        if (trial.includes(ORIGINAL)) {
            OriginalPart original = new OriginalPart(trial, address);
            parts.add(new Part(original.steps(), original::measure));
        }
        if (trial.includes(OVERLOAD)) {
            OverloadPart overload = new OverloadPart(trial, address);
            parts.add(new Part(overload.steps(), overload::measure));
        }
        if (trial.includes(OPTIMISATIONS)) {
            OptimisationsPart optimisations = new OptimisationsPart(trial, address);
            parts.add(new Part(optimisations.steps(), optimisations::measure));
        }
        if (trial.includes(GRID)) {
            for (GridPart.Setting setting : settings(trial, address, directory)) {
                GridPart grid = new GridPart(trial, setting);
                parts.add(new Part(grid.steps(), grid::measure));
            }
        }
        return parts;
    }

    private static List<GridPart.Setting> settings(
            Trial trial, DatabaseAddress address, Path directory) {
        List<GridPart.Setting> settings = new ArrayList<>();
        if (!trial.full()) {
            settings.add(new GridPart.Setting(address, "PostgreSQL", trial.heap("256m"), "Serial"));
            return settings;
        }
        String derby = "jdbc:derby:" + directory.resolve("derby") + ";create=true";
        for (String heap : trial.heaps("256m", "1g")) {
            for (String collector : List.of("Serial", "G1")) {
                settings.add(new GridPart.Setting(address, "PostgreSQL", heap, collector));
                settings.add(
                        new GridPart.Setting(
                                new DatabaseAddress(derby, "", ""), "Derby", heap, collector));
            }
        }
        return settings;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
