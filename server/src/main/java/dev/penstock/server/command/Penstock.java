package dev.penstock.server.command;

import dev.penstock.codegen.problem.CodegenException;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.PenstockVersion;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.log.FirstSentence;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The command line. Exit codes: 0 after an orderly end, 1 after a defect of Penstock, 2 when what was asked for can't
 * be; then one sentence on the standard error stream says cause and remedy.
 */
@Command(
        name = "penstock",
        description = "Big data through small Java heaps: databases, files and uploads over HTTP.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        subcommands = {
            ServeCommand.class,
            PutCommand.class,
            GetCommand.class,
            GenerateCommand.class,
            SchemaCommand.class,
            X2jCommand.class,
            J2xCommand.class
        },
        footer = {
            "",
            "The launcher ./penstock has more:",
            "  demo                 A server on embedded sample data.",
            "  films --jdbc URL     Makes the sample film store in a database.",
            "  daytrader --jdbc URL Runs the trading application on a database.",
            "  test [--soak]        Build and run every test.",
            "  bench NAME [--full]  Run an experiment.",
            "",
            "penstock COMMAND --help says more of each command."
        })
public final class Penstock implements Runnable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int USAGE_COLUMNS = 100;
    private static final int EXIT_DEFECT = 1;
    private static final int EXIT_REFUSED = 2;

    @Spec private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // picocli sets the fields
    private Penstock() {}

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(List.of(), arguments));
    }

    /**
     * Runs one command and returns its exit code.
     *
     * @param more commands beside those of the server
     */
    public static int run(List<? extends Callable<Integer>> more, String... arguments) {
        CommandLine commandLine = new CommandLine(new Penstock());
        more.forEach(commandLine::addSubcommand);
        // A value that begins with @ is a value, not a file of arguments.
        commandLine.setExpandAtFiles(false);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpWidth(USAGE_COLUMNS);
        commandLine.setParameterExceptionHandler(Penstock::refuseArguments);
        commandLine.setExecutionExceptionHandler(Penstock::explainFailure);
        return commandLine.execute(arguments);
    }

    /** Prints the usage, which is what {@code penstock} alone does. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int refuseArguments(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String reason =
                RenamedOptions.explain(failure)
                        .orElseGet(() -> FirstSentence.one(failure.getMessage()));
        print(command, JdbcTarget.withoutSecrets(reason) + "; see " + name + " --help");
        return EXIT_REFUSED;
    }

    private static int explainFailure(
            Exception failure, CommandLine command, ParseResult arguments) {
        if (failure instanceof StartupException || failure instanceof CodegenException) {
            print(command, String.valueOf(failure.getMessage()));
            return EXIT_REFUSED;
        }
        LOG.log(System.Logger.Level.ERROR, "Penstock failed; this is a defect of it", failure);
        return EXIT_DEFECT;
    }

    private static void print(CommandLine command, String sentence) {
        PrintWriter err = command.getErr();
        err.println("penstock: " + sentence);
        err.flush();
    }
}
