package dev.penstock.bench;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.export.CancelExperiment;
import dev.penstock.bench.export.ExportExperiment;
import dev.penstock.bench.export.MemoryExperiment;
import dev.penstock.bench.export.SlowClientsExperiment;
import dev.penstock.bench.films.FilmsExperiment;
import dev.penstock.bench.films.FilmsSqlExperiment;
import dev.penstock.bench.pages.ArticleCostExperiment;
import dev.penstock.bench.pages.FirstRowExperiment;
import dev.penstock.bench.pages.PresidentsExperiment;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.OutcomeFile;
import dev.penstock.bench.report.Report;
import dev.penstock.bench.waits.SuspendExperiment;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
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
                    new ArticleCostExperiment(),
                    new ExportExperiment(),
                    new MemoryExperiment(),
                    new SlowClientsExperiment(),
                    new FirstRowExperiment(),
                    new SuspendExperiment(),
                    new CancelExperiment(),
                    new FilmsSqlExperiment(),
                    new FilmsExperiment());

    /** Held, since a logger that nobody holds forgets its level. */
    private static final Logger QUIET = Logger.getLogger("");

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "What to run; \"all\" for all.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Lists the experiments.")
    private boolean list;

    @Option(names = "--full", description = "Everything, which may take hours, not minutes.")
    private boolean full;

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

    Bench(PrintStream terminal) {
        this.terminal = terminal;
    }

    /** Runs the command and ends the JVM with its exit code: 1 where an experiment failed, 2 for a wrong command. */
    public static void main(String[] arguments) {
        System.exit(run(System.out, arguments));
    }

    static int run(PrintStream terminal, String... arguments) {
        // The test databases tell at length how they start.
        QUIET.setLevel(Level.WARNING);
        Bench bench = new Bench(terminal);
        CommandLine command = new CommandLine(bench);
        command.setExecutionExceptionHandler((e, line, result) -> bench.failed(e));
        return command.execute(arguments);
    }

    private int failed(Exception e) throws IOException {
        if (e instanceof WrongArgument) {
            terminal.println("penstock bench: " + e.getMessage());
            return ExitCode.USAGE;
        }
        Path log = out.resolve("logs").resolve("bench.log");
        Files.createDirectories(log.getParent());
        try (PrintWriter trace = new PrintWriter(Files.newBufferedWriter(log))) {
            e.printStackTrace(trace);
        }
        terminal.println("penstock bench: " + e + "; see " + log + " and the logs beside it");
        return ExitCode.SOFTWARE;
    }

    /** What the user can put right. */
    private static final class WrongArgument extends Exception {
        private static final long serialVersionUID = 1L;

        WrongArgument(String message) {
            super(message);
        }
    }

    @Override
    public Integer call() throws Exception {
        if (list || names.isEmpty()) {
            list();
            return ExitCode.OK;
        }
        List<Experiment> chosen = chosen();
        Settings settings = settings();
        Files.createDirectories(out);
        for (Experiment experiment : chosen) {
            run(experiment, settings);
            Report.write(out);
        }
        terminal.println("Report: " + out.resolve(Report.NAME).toAbsolutePath().normalize());
        return ExitCode.OK;
    }

    private void list() {
        terminal.println("Experiments; run one with ./penstock bench NAME [--full]:");
        for (Experiment experiment : EXPERIMENTS) {
            terminal.printf("  %-14s %s%n", experiment.name(), experiment.summary());
        }
    }

    private List<Experiment> chosen() throws WrongArgument {
        if (names.equals(List.of("all"))) {
            return EXPERIMENTS;
        }
        List<Experiment> chosen = new java.util.ArrayList<>();
        for (String name : names) {
            Optional<Experiment> found =
                    EXPERIMENTS.stream().filter(each -> each.name().equals(name)).findFirst();
            chosen.add(
                    found.orElseThrow(() ->
                            new WrongArgument(
                                    "there is no experiment \""
                                            + name
                                            + "\"; there are "
                                            + String.join(
                                                    ", ",
                                                    EXPERIMENTS.stream()
                                                            .map(Experiment::name)
                                                            .toList()))));
        }
        return chosen;
    }

    private Settings settings() throws WrongArgument {
        for (String heap : heaps) {
            if (!heap.matches("[1-9]\\d*[mMgG]")) {
                throw new WrongArgument("--heap " + heap + " is no size such as 64m or 1g");
            }
        }
        List<TestDatabase.Kind> kinds = new java.util.ArrayList<>();
        for (String database : databases) {
            kinds.add(kind(database));
        }
        if (repetitions < 1 || !(scale > 0)) {
            throw new WrongArgument("--repetitions and --scale must be positive");
        }
        return new Settings(full, heaps, kinds, out, repetitions, scale);
    }

    private static TestDatabase.Kind kind(String name) throws WrongArgument {
        try {
            return TestDatabase.Kind.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new WrongArgument(
                    "--database " + name + " is none of postgresql, mariadb, mysql, h2");
        }
    }

    /** Runs one and writes its file. */
    private void run(Experiment experiment, Settings settings) throws Exception {
        Instant start = Instant.now();
        Outcome outcome;
        try (Progress progress = new Progress(experiment.name(), isTerminal(), terminal)) {
            outcome = experiment.run(settings, progress);
        }
        OutcomeFile.write(
                outcome,
                circumstances(start, settings),
                settings.out().resolve(experiment.name() + ".json"));
        print(outcome);
    }

    private static boolean isTerminal() {
        // Null before release 22 only, and to the checkers.
        return Optional.ofNullable(System.console())
                .filter(java.io.Console::isTerminal)
                .isPresent();
    }

    private static Map<String, String> circumstances(Instant start, Settings settings) {
        Map<String, String> circumstances = new LinkedHashMap<>();
        circumstances.put("run", start.truncatedTo(ChronoUnit.SECONDS).toString());
        circumstances.put("took", ChronoUnit.SECONDS.between(start, Instant.now()) + " s");
        circumstances.put("Java", Runtime.version().toString());
        circumstances.put(
                "machine",
                System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.arch")
                        + ", "
                        + Runtime.getRuntime().availableProcessors()
                        + " cores");
        circumstances.put("repetitions", Integer.toString(settings.repetitions()));
        if (settings.scale() != 1) {
            circumstances.put("scale", Double.toString(settings.scale()));
        }
        return circumstances;
    }

    private void print(Outcome outcome) {
        terminal.println();
        terminal.println(outcome.title());
        for (Outcome.Part part : outcome.parts()) {
            switch (part) {
                case Outcome.Text text -> terminal.println(text.text());
                case Outcome.Finding finding ->
                        terminal.printf(
                                "%s %s: %s%n",
                                finding.reached() ? "[reached]" : "[MISSED] ",
                                finding.goal(),
                                finding.measured());
                case Outcome.Table table -> print(table);
                case Outcome.Chart chart -> {
                    // For the report.
                }
            }
        }
        terminal.println();
    }

    private void print(Outcome.Table table) {
        int columns = table.header().size();
        int[] widths = new int[columns];
        List<List<String>> all = new java.util.ArrayList<>(table.rows());
        all.addFirst(table.header());
        for (List<String> row : all) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        terminal.println();
        terminal.println(table.title());
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < columns; i++) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? row.get(i) + pad : "  " + pad + row.get(i));
            }
            terminal.println(line.toString().stripTrailing());
        }
    }
}
