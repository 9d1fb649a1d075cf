package dev.penstock.server.command;

import dev.penstock.server.config.PenstockVersion;
import dev.penstock.server.config.StartupException;
import dev.penstock.transfer.client.Receipt;
import dev.penstock.transfer.client.TransferClient;
import dev.penstock.transfer.client.TransferOptions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code penstock get}: a file, or rows of a table, from a server. */
@Command(
        name = "get",
        description =
                "Gets a file of any size from a server, or the rows of a table. What broke off goes on where it was:"
                        + " by itself, or when the same command is given again; if it has changed meanwhile, it"
                        + " begins anew. Until it is whole, it is in FILE.part.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        sortOptions = false,
        footer = {
            "",
            "Exit codes: 0 it is there, 1 it failed, 2 nothing was tried, 130 interrupted.",
            "",
            "Examples:",
            "  penstock get http://127.0.0.1:8080/files/big.iso",
            "  penstock get --connections 4 https://files.example/files/big.iso /srv/isos/",
            "  penstock get 'http://127.0.0.1:8080/api/orders?format=csv&order=id' - | gzip > orders.csv.gz"
        })
final class GetCommand implements Callable<Integer> {
    private static final String STANDARD_OUTPUT = "-";

    @Parameters(index = "0", paramLabel = "URL", description = "What to get.")
    private String url = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            description =
                    "The file to write, in the place of one that is there; a directory to put it in; or - for the"
                            + " standard output. Default: the URL's last name, here.")
    private @Nullable String target;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "How many parts of a file are fetched side by side (1 to 16). Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Mixin private TransferClientOptions options = new TransferClientOptions();

    @Override
    public Integer call() {
        options.check();
        if (connections < 1 || connections > TransferOptions.MAX_CONNECTIONS) {
            throw new StartupException(
                    "--connections %d is out of bounds: choose 1 to %d"
                            .formatted(connections, TransferOptions.MAX_CONNECTIONS));
        }
        URI uri = TransferClientOptions.url(url);
        Path file = STANDARD_OUTPUT.equals(target) ? null : file(uri);
        try (TransferClient client = options.client();
                TransferRun run = new TransferRun(options)) {
            Receipt receipt =
                    run.make(
                            file == null ? "standard output" : String.valueOf(file.getFileName()),
                            common ->
                                    file == null
                                            ? toStandardOutput(client, uri, common)
                                            : client.get(
                                                    uri, file, common.connections(connections)));
            if (run.isInterrupted()) {
                return TransferRun.EXIT_INTERRUPTED;
            }
            return receipt == null ? TransferRun.EXIT_FAILED : 0;
        }
    }

    private static Receipt toStandardOutput(
            TransferClient client, URI uri, TransferOptions common) {
        // Not closed: it is the process's own.
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        return client.get(uri, out.getChannel(), common);
    }

    private Path file(URI uri) {
        Path given = target == null ? Path.of("") : Path.of(target);
        if (target != null && !Files.isDirectory(given)) {
            Path parent = given.toAbsolutePath().getParent();
            if (parent == null || !Files.isDirectory(parent)) {
                throw new StartupException(
                        "there is no directory %s: create it, or name another FILE"
                                .formatted(parent));
            }
            return given;
        }
        return given.resolve(name(uri));
    }

    private static String name(URI uri) {
        String path = String.valueOf(uri.getPath());
        String name = path.substring(path.lastIndexOf('/') + 1);
        try {
            boolean plain =
                    !name.isEmpty()
                            && !name.startsWith(".")
                            && Path.of(name).getNameCount() == 1
                            && name.chars().noneMatch(c -> c < 0x20 || c == '\\');
            if (plain) {
                return name;
            }
        } catch (InvalidPathException _) {
            // Said below.
        }
        throw new StartupException(
                "the URL does not end in the name of a file: name the FILE to write, or - for the standard output");
    }
}
