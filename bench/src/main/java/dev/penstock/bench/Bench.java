package dev.penstock.bench;

import dev.penstock.bench.daytrader.DayTraderExperiment;
import dev.penstock.bench.documents.DocumentsExperiment;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.export.CancelExperiment;
import dev.penstock.bench.export.ExportExperiment;
import dev.penstock.bench.export.MemoryExperiment;
import dev.penstock.bench.export.SlowClientsExperiment;
import dev.penstock.bench.files.StaticFilesExperiment;
import dev.penstock.bench.films.FilmsExperiment;
import dev.penstock.bench.films.FilmsSqlExperiment;
import dev.penstock.bench.films.RestartExperiment;
import dev.penstock.bench.follow.FollowExperiment;
import dev.penstock.bench.pages.FirstRowExperiment;
import dev.penstock.bench.pages.PresidentsExperiment;
import dev.penstock.bench.pages.StreamingCostExperiment;
import dev.penstock.bench.report.Checkout;
import dev.penstock.bench.report.Machine;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Report;
import dev.penstock.bench.requests.RequestsExperiment;
import dev.penstock.bench.service.ServiceExperiment;
import dev.penstock.bench.sums.SumsExperiment;
import dev.penstock.bench.transfer.TransferExperiment;
import dev.penstock.bench.upload.UploadsExperiment;
import dev.penstock.bench.waits.SuspendExperiment;
import dev.penstock.bench.waits.WebSocketsExperiment;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
                    new WebSocketsExperiment(),
                    new UploadsExperiment(),
                    new RequestsExperiment(),
                    new StaticFilesExperiment(),
                    new TransferExperiment(),
                    new ServiceExperiment(),
                    new DayTraderExperiment(),
                    new DocumentsExperiment(),
                    new CancelExperiment(),
                    new FilmsSqlExperiment(),
                    new FilmsExperiment(),
                    new RestartExperiment(),
                    new FollowExperiment(),
                    new SumsExperiment());

    /** Old names of experiments, and what they are called now. */
    private static final Map<String, String> RENAMED = Map.of("article-cost", "streaming-cost");

    /** Held, since a logger that nobody holds forgets its level. */
    private static final Logger QUIET = Logger.getLogger("");

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "What to run; \"all\" for all.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Lists the experiments.")
    private boolean list;

    @Option(
            names = "--publish",
            description =
                    "Writes the reports to docs/results, to be committed; with --part, those parts of a report. The"
                            + " working tree must have no uncommitted changes.")
    private boolean publish;

    @Mixin private final Settings settings = new Settings();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

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
        CommandLine line = new CommandLine(bench).setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler((e, _) -> bench.refused(e));
        line.setExecutionExceptionHandler((e, _, _) -> bench.failed(e));
        return line.execute(arguments);
    }

    private int refused(ParameterException e) {
        terminal.println("penstock bench: " + e.getMessage());
        return ExitCode.USAGE;
    }

    private int failed(Exception e) throws IOException {
        Path log = settings.logs().resolve("bench.log");
        Files.createDirectories(log.getParent());
        try (PrintWriter trace = new PrintWriter(Files.newBufferedWriter(log))) {
            e.printStackTrace(trace);
        }
        terminal.println("penstock bench: " + e + "; see " + log + " and the logs beside it");
        return ExitCode.SOFTWARE;
    }

    private ParameterException mistake(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    @Override
    public Integer call() throws Exception {
        if (list || names.isEmpty()) {
            terminal.println("Experiments; run one with ./penstock bench NAME [--full]:");
            for (Experiment experiment : EXPERIMENTS) {
                terminal.printf("  %-14s %s%n", experiment.name(), experiment.summary());
                if (!experiment.parts().isEmpty()) {
                    String parts = String.join(", ", experiment.parts());
                    terminal.printf("  %-14s parts, to run alone with --part: %s%n", "", parts);
                }
            }
            return ExitCode.OK;
        }
        List<Experiment> chosen =
                names.equals(List.of("all"))
                        ? EXPERIMENTS
                        : names.stream().map(this::experiment).toList();
        if (!settings.mistake().isEmpty()) {
            throw mistake(settings.mistake());
        }
        requireParts(chosen);
        if (publish) {
            requireCommitted();
            requireReportsInParts(chosen);
        }
        for (Experiment experiment : chosen) {
            run(experiment);
        }
        return ExitCode.OK;
    }

    private Experiment experiment(String name) {
        return EXPERIMENTS.stream()
                .filter(experiment -> experiment.name().equals(name))
                .findFirst()
                .orElseThrow(() -> mistake(unknown(name)));
    }

    private static String unknown(String name) {
        String now = RENAMED.get(name);
        String names = EXPERIMENTS.stream().map(Experiment::name).collect(Collectors.joining(", "));
        return "there is no experiment \"%s\"; %s"
                .formatted(
                        name, now == null ? "there are " + names : "it is called " + now + " now");
    }

    /** Refuses parts that an experiment has not. */
    private void requireParts(List<Experiment> chosen) {
        for (String part : settings.parts()) {
            for (Experiment experiment : chosen) {
                if (!experiment.parts().contains(part)) {
                    throw mistake(
                            "%s has no part \"%s\"; %s"
                                    .formatted(
                                            experiment.name(),
                                            part,
                                            experiment.parts().isEmpty()
                                                    ? "it has no parts: leave --part out"
                                                    : "there are "
                                                            + String.join(
                                                                    ", ", experiment.parts())));
                }
            }
        }
    }

    /** Refuses to publish what no commit tells of. */
    private void requireCommitted() throws IOException {
        List<String> files = checkout.uncommitted();
        if (!files.isEmpty()) {
            throw mistake(
                    "--publish names the commit that was measured, and the working tree has uncommitted changes in "
                            + files.getFirst()
                            + (files.size() == 1 ? "" : " and " + (files.size() - 1) + " more")
                            + ": commit them, or leave --publish out");
        }
    }

    /** Refuses to publish a part where the report of the whole would be lost by that; before hours of measuring. */
    private void requireReportsInParts(List<Experiment> chosen) throws IOException {
        if (settings.parts().isEmpty()) {
            return;
        }
        for (Experiment experiment : chosen) {
            if (Report.isWhole(checkout.results(), experiment.name())) {
                throw mistake(
                        ("--part would leave only %s of the published report of %s, which is about the whole:"
                                        + " publish it without --part, or remove %s.md first")
                                .formatted(
                                        String.join(", ", settings.parts()),
                                        experiment.name(),
                                        experiment.name()));
            }
        }
    }

    /** Runs one and writes its report; of one that is published in parts, a report of each part. */
    private void run(Experiment experiment) throws Exception {
        if (publish && !settings.parts().isEmpty()) {
            for (String part : settings.parts()) {
                run(experiment, settings.only(part), Optional.of(part));
            }
        } else {
            run(experiment, settings, Optional.empty());
        }
    }

    private void run(Experiment experiment, Settings chosen, Optional<String> part)
            throws Exception {
        Instant start = Instant.now();
        Outcome outcome;
        try (Progress progress = new Progress(experiment.name(), isTerminal(), terminal)) {
            outcome = experiment.run(new Trial(chosen, progress));
        }
        Report report = new Report(outcome, circumstances(start));
        Path directory = publish ? checkout.results() : settings.out();
        Path file =
                part.isPresent()
                        ? report.writePart(directory, part.get(), experiment.parts())
                        : report.write(directory);
        report.writeFigures(settings.out());
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
        circumstances.put("repetitions", Integer.toString(settings.repetitions()));
        if (settings.scale() != 1) {
            circumstances.put("scale", settings.scale() + ": a trial, whose figures say nothing");
        }
        circumstances.putAll(Machine.describe());
        return circumstances;
    }
}
