package dev.penstock.server.command;

import dev.penstock.server.config.PenstockVersion;
import dev.penstock.server.config.StartupException;
import dev.penstock.transfer.client.Receipt;
import dev.penstock.transfer.client.Source;
import dev.penstock.transfer.client.TransferClient;
import dev.penstock.transfer.client.TransferOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code penstock put}: files, or the standard input, to a server. */
@Command(
        name = "put",
        description =
                "Sends files of any size to a server, by tus, the IETF draft of resumable uploads, or plain PUT,"
                        + " whichever it speaks. What broke off goes on where it was: by itself, or when the same"
                        + " command is given again. Prints where each file can be found.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        sortOptions = false,
        footer = {
            "",
            "Exit codes: 0 all is there, 1 something failed, 2 nothing was tried, 130 interrupted.",
            "",
            "Examples:",
            "  penstock put big.iso http://127.0.0.1:8080/uploads",
            "  penstock put --token-file ~/.penstock-token *.parquet https://files.example/uploads",
            "  tar c /srv | penstock put --name srv.tar - http://127.0.0.1:8080/uploads"
        })
final class PutCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE... URL",
            hideParamSyntax = true,
            description =
                    "The files to send, - for the standard input, and behind them the URL that takes uploads.")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The name that the server keeps it under. Default: the file's.")
    private @Nullable String name;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description =
                    "The media type that the server is told, such as text/csv. Default: none.")
    private @Nullable String mediaType;

    @Mixin private TransferClientOptions options = new TransferClientOptions();

    @Override
    public Integer call() {
        options.check();
        if (arguments.size() < 2) {
            throw new StartupException(
                    "put needs files and the URL that takes them: penstock put FILE http://host:8080/uploads");
        }
        URI url = TransferClientOptions.url(arguments.getLast());
        List<String> files = arguments.subList(0, arguments.size() - 1);
        check(files);
        try (TransferClient client = options.client();
                TransferRun run = new TransferRun(options)) {
            int exit = 0;
            for (String file : files) {
                Receipt receipt =
                        run.make(
                                shown(file),
                                common -> client.put(source(file), url, named(common)));
                if (run.isInterrupted()) {
                    return TransferRun.EXIT_INTERRUPTED;
                }
                if (receipt == null) {
                    exit = TransferRun.EXIT_FAILED;
                } else {
                    System.out.println(receipt.location());
                    System.out.flush();
                }
            }
            return exit;
        }
    }

    private void check(List<String> files) {
        boolean several = files.size() > 1;
        if (several && (name != null || options.checksum() != null)) {
            throw new StartupException(
                    (name != null ? "--name" : "--checksum")
                            + " is about one file: send the others by commands of their own");
        }
        if (several && files.contains(STANDARD_INPUT)) {
            throw new StartupException(
                    "the standard input (-) is sent alone: send the files by a command of their own");
        }
        for (String file : files) {
            if (!file.equals(STANDARD_INPUT)) {
                requireReadable(Path.of(file));
            }
        }
    }

    private static void requireReadable(Path file) {
        if (Files.isDirectory(file)) {
            throw new StartupException(
                    file + " is a directory: name the files in it, or send it as tar c " + file);
        }
        if (!Files.exists(file)) {
            throw new StartupException("there is no file " + file + ": check its name");
        }
        if (!Files.isReadable(file)) {
            throw new StartupException(file + " can't be read: check its permissions");
        }
    }

    private static Source source(String file) {
        return file.equals(STANDARD_INPUT) ? Source.stream(System.in) : Source.file(Path.of(file));
    }

    private static String shown(String file) {
        return file.equals(STANDARD_INPUT)
                ? "standard input"
                : String.valueOf(Path.of(file).getFileName());
    }

    private TransferOptions named(TransferOptions common) {
        TransferOptions chosen = mediaType == null ? common : common.mediaType(mediaType);
        return name == null ? chosen : chosen.fileName(name);
    }
}
