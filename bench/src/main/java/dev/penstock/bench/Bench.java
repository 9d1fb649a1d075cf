package dev.penstock.bench;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.export.CancelExperiment;
import dev.penstock.bench.export.ExportExperiment;
import dev.penstock.bench.export.MemoryExperiment;
import dev.penstock.bench.export.SlowClientsExperiment;
import dev.penstock.bench.films.FilmsExperiment;
import dev.penstock.bench.films.FilmsSqlExperiment;
import dev.penstock.bench.pages.FirstRowExperiment;
import dev.penstock.bench.pages.PresidentsExperiment;
import dev.penstock.bench.pages.StreamingCostExperiment;
import dev.penstock.bench.report.Checkout;
import dev.penstock.bench.report.Machine;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Report;
import dev.penstock.bench.waits.SuspendExperiment;
import dev.penstock.databases.TestDatabase;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code bench}: lists the experiments, or runs some of them and writes what they measured. */
@Command(
        name = "penstock bench",
        mixinStandardHelpOptions = true,
        description = {
            "Measures Penstock side by side with what people would otherwise use.",
            "Without a name it lists the experiments."
        })
public final class Bench implements Callable<Integer> {
    /** The experiments there are. */
    static final List<Experiment> EXPERIMENTS =
            List.of(
                    new PresidentsExperiment(),
                    new StreamingCostExperiment(),
                    new ExportExperiment(),
                    new MemoryExperiment(),
                    new SlowClientsExperiment(),
                    new FirstRowExperiment(),
                    new SuspendExperiment(),
                    new CancelExperiment(),
                    new FilmsSqlExperiment(),
                    new FilmsExperiment());

    /** Old names of experiments, and what they are called now. */
    private static final Map<String, String> RENAMED = Map.of("article-cost", "streaming-cost");

    /** Held, since a logger that nobody holds forgets its level. */
    private static final Logger QUIET = Logger.getLogger("");

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "What to run; \"all\" for all.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Lists the experiments.")
    private boolean list;

    @Option(names = "--full", description = "Everything, which may take hours, not minutes.")
    private boolean full;

    @Option(
            names = "--publish",
            description =
                    "Writes the reports to docs/results, to be committed. The working tree must have no"
                            + " uncommitted changes.")
    private boolean publish;

    @Option(
            names = "--heap",
            split = ",",
            paramLabel = "SIZE",
            description =
                    "Heaps of the servers, such as 64m,1g. Default: what the experiment says.")
    private List<String> heaps = List.of();

    @Option(
            names = "--database",
            split = ",",
            paramLabel = "NAME",
            description = "postgresql, mariadb, h2. Default: what the experiment says.")
    private List<String> databases = List.of();

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "How often each thing is measured. Default: ${DEFAULT-VALUE}.")
    private int repetitions = 5;

    @Option(
            names = "--scale",
            paramLabel = "F",
            description =
                    "Less than 1: that part of the usual size and time, to try whether it works."
                            + " Default: ${DEFAULT-VALUE}.")
    private double scale = 1;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results go. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("bench", "results");

    private final PrintStream terminal;
    private final Checkout checkout;
    private final String command;

    private Bench(PrintStream terminal, Checkout checkout, String... arguments) {
        this.terminal = terminal;
        this.checkout = checkout;
        command = "./penstock bench " + String.join(" ", arguments);
    }

    /** Runs the command and ends the JVM with its exit code: 1 where an experiment failed, 2 for a wrong command. */
    public static void main(String[] arguments) {
        System.exit(run(System.out, new Checkout(Path.of("")), arguments));
    }

    static int run(PrintStream terminal, Checkout checkout, String... arguments) {
        // The test databases tell at length how they start.
        QUIET.setLevel(Level.WARNING);
        Bench bench = new Bench(terminal, checkout, arguments);
        CommandLine line = new CommandLine(bench);
        line.setExecutionExceptionHandler((e, _, _) -> bench.failed(e));
        return line.execute(arguments);
    }

    private int failed(Exception e) throws IOException {
        if (e instanceof WrongArgument) {
            terminal.println("penstock bench: " + e.getMessage());
            return ExitCode.USAGE;
        }
        Path log = logs().resolve("bench.log");
        Files.createDirectories(log.getParent());
        try (PrintWriter trace = new PrintWriter(Files.newBufferedWriter(log))) {
            e.printStackTrace(trace);
        }
        terminal.println("penstock bench: " + e + "; see " + log + " and the logs beside it");
        return ExitCode.SOFTWARE;
    }

    /** A mistake that the user can put right. */
    private static final class WrongArgument extends Exception {
        private static final long serialVersionUID = 1L;

        WrongArgument(String message) {
            super(message);
        }
    }

    private Path logs() {
        return out.resolve("logs");
    }

    @Override
    public Integer call() throws Exception {
        if (list || names.isEmpty()) {
            terminal.println("Experiments; run one with ./penstock bench NAME [--full]:");
            for (Experiment experiment : EXPERIMENTS) {
                terminal.printf("  %-14s %s%n", experiment.name(), experiment.summary());
            }
            return ExitCode.OK;
        }
        List<Experiment> chosen = chosen();
        Trial.Settings settings = settings();
        if (publish) {
            requireCommitted();
        }
        for (Experiment experiment : chosen) {
            run(experiment, settings);
        }
        return ExitCode.OK;
    }

    private List<Experiment> chosen() throws WrongArgument {
        if (names.equals(List.of("all"))) {
            return EXPERIMENTS;
        }
        List<Experiment> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(experiment(name));
        }
        return chosen;
    }

    private static Experiment experiment(String name) throws WrongArgument {
        for (Experiment experiment : EXPERIMENTS) {
            if (experiment.name().equals(name)) {
                return experiment;
            }
        }
        String now = RENAMED.get(name);
        throw new WrongArgument(
                "there is no experiment \"%s\"; %s"
                        .formatted(
                                name,
                                now == null
                                        ? "there are "
                                                + EXPERIMENTS.stream()
                                                        .map(Experiment::name)
                                                        .collect(Collectors.joining(", "))
                                        : "it is called " + now + " now"));
    }

    private Trial.Settings settings() throws WrongArgument {
        for (String heap : heaps) {
            if (!heap.matches("[1-9]\\d*[mMgG]")) {
                throw new WrongArgument("--heap " + heap + " is not a size such as 64m or 1g");
            }
        }
        List<TestDatabase.Kind> kinds = new ArrayList<>();
        for (String database : databases) {
            kinds.add(kind(database));
        }
        if (repetitions < 1 || !(scale > 0)) {
            throw new WrongArgument("--repetitions and --scale must be positive");
        }
        return new Trial.Settings(full, heaps, kinds, logs(), repetitions, scale);
    }

    private static TestDatabase.Kind kind(String name) throws WrongArgument {
        try {
            return TestDatabase.Kind.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new WrongArgument(
                    "--database " + name + " is none of postgresql, mariadb, mysql, h2");
        }
    }

    /** Refuses to publish what no commit tells of. */
    private void requireCommitted() throws IOException, WrongArgument {
        List<String> files = checkout.uncommitted();
        if (!files.isEmpty()) {
            throw new WrongArgument(
                    "--publish names the commit that was measured, and the working tree has uncommitted changes in "
                            + files.getFirst()
                            + (files.size() == 1 ? "" : " and " + (files.size() - 1) + " more")
                            + ": commit them, or leave --publish out");
        }
    }

    /** Runs one and writes its report. */
    private void run(Experiment experiment, Trial.Settings settings) throws Exception {
        Instant start = Instant.now();
        Outcome outcome;
        try (Progress progress = new Progress(experiment.name(), isTerminal(), terminal)) {
            outcome = experiment.run(new Trial(settings, progress));
        }
        Report report = new Report(outcome, circumstances(start));
        Path file = report.write(publish ? checkout.results() : out);
        report.writeFigures(out);
        terminal.println();
        terminal.println(report.text());
        terminal.println("Report: " + file.toAbsolutePath().normalize());
    }

    private static boolean isTerminal() {
        // Null before release 22 only, and to the checkers.
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    private Map<String, String> circumstances(Instant start) throws IOException {
        Map<String, String> circumstances = new LinkedHashMap<>();
        circumstances.put("command", "`" + command + "`");
        circumstances.put("measured", start.truncatedTo(ChronoUnit.MINUTES).toString());
        circumstances.put("took", ChronoUnit.SECONDS.between(start, Instant.now()) + " s");
        if (publish) {
            circumstances.put("commit", checkout.commit());
        }
        circumstances.put("repetitions", Integer.toString(repetitions));
        if (scale != 1) {
            circumstances.put("scale", scale + ": a trial, whose figures say nothing");
        }
        circumstances.putAll(Machine.describe());
        return circumstances;
    }
}
