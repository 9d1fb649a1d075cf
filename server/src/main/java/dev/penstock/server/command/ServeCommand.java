package dev.penstock.server.command;

import dev.penstock.server.Application;
import dev.penstock.server.StartMessage;
import dev.penstock.server.config.ConcurrencyOptions;
import dev.penstock.server.config.DatabaseOptions;
import dev.penstock.server.config.DocumentOptions;
import dev.penstock.server.config.ListenOptions;
import dev.penstock.server.config.MemoryOptions;
import dev.penstock.server.config.MemorySettings;
import dev.penstock.server.config.MongoTarget;
import dev.penstock.server.config.PenstockVersion;
import dev.penstock.server.config.ServedSources;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.config.TransferOptions;
import dev.penstock.server.page.DocumentsPage;
import dev.penstock.server.page.Example;
import dev.penstock.server.page.HomePage;
import dev.penstock.server.page.MemoryPage;
import dev.penstock.server.page.UploadsPage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code penstock serve}: the tables of a database, files, uploads and XML documents over HTTP. */
@Command(
        name = "serve",
        description =
                "Serves every table and view of a database at /api/{table}, read-only; the files of a directory at"
                        + " /files/; takes resumable uploads at /uploads; and keeps XML documents at"
                        + " /documents. At least one of --jdbc, --files, --uploads and --mongodb is needed.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  penstock serve --jdbc jdbc:postgresql://localhost:5432/shop --user me \\",
            "      --password-file /run/secrets/shop",
            "  PENSTOCK_PASSWORD=... penstock serve --jdbc jdbc:mariadb://localhost/shop --user me",
            "  penstock serve --jdbc jdbc:h2:./films --accelerate film,actor --memory 2g --refresh 5m",
            "  curl 'http://127.0.0.1:8080/api/orders?select=id,total&total=gte.100&format=csv'",
            "  penstock serve --jdbc jdbc:postgresql://localhost/shop --user me --documents people,orders",
            "  penstock serve --mongodb mongodb://localhost/shop --documents people,orders",
            "  penstock serve --files /srv/files --uploads /srv/files --upload-quota 500g",
            "  penstock serve --uploads /srv/in --token-file /etc/penstock/tokens --host 0.0.0.0 \\",
            "      --tls-certificate cert.pem --tls-key key.pem"
        })
final class ServeCommand implements Callable<Integer> {
    @ArgGroup(exclusive = false)
    private @Nullable DatabaseOptions database;

    @Option(
            names = "--schema",
            paramLabel = "S",
            description =
                    "The schema whose tables are served (on MariaDB and MySQL, the database). Default: the"
                            + " connection's own.")
    private @Nullable String schema;

    @Mixin private TransferOptions transfer = new TransferOptions();
    @Mixin private DocumentOptions documents = new DocumentOptions();
    @Mixin private ListenOptions listen = new ListenOptions();
    @Mixin private ConcurrencyOptions load = new ConcurrencyOptions();
    @Mixin private MemoryOptions memory = new MemoryOptions();

    @Override
    public Integer call() {
        listen.begin();
        load.check();
        ServedSources sources = sources();
        List<Example> examples = examples(sources);
        HomePage.Content content =
                new HomePage.Content("Penstock", lead(sources), examples, null, "");
        try (Application application =
                Application.start(sources, listen, load, content, (_, _, _) -> {})) {
            StartMessage.print(text(sources), note(sources), listen, application, examples);
            application.awaitStop();
        }
        return 0;
    }

    private ServedSources sources() {
        MemorySettings inMemory = memory.settings().orElse(null);
        if (database == null) {
            load.checkWithoutDatabase();
            if (schema != null || inMemory != null) {
                throw new StartupException(
                        (schema != null ? "--schema" : "--accelerate")
                                + " is about a database: give --jdbc URL too");
            }
        }
        return new ServedSources(
                database == null ? null : database.target(),
                schema,
                inMemory,
                transfer.files().orElse(null),
                transfer.uploads(listen, documents.areGiven()).orElse(null),
                documents
                        .settings(
                                database == null ? null : database.target(),
                                documents.areGiven() ? transfer.tokens().orElse(null) : null,
                                listen)
                        .orElse(null));
    }

    private static List<Example> examples(ServedSources sources) {
        List<Example> examples = new ArrayList<>();
        if (sources.memory() != null) {
            examples.add(MemoryPage.EXAMPLE);
        }
        if (sources.files() != null) {
            examples.add(UploadsPage.FILES);
        }
        if (sources.uploads() != null) {
            examples.add(UploadsPage.example(sources.uploads().tokens() != null));
        }
        if (sources.documents() != null) {
            examples.add(DocumentsPage.EXAMPLE);
        }
        return examples;
    }

    private static String lead(ServedSources sources) {
        List<String> sentences = new ArrayList<>();
        if (sources.database() != null) {
            sentences.add("Every table and view of a database, streamed row by row.");
        }
        if (sources.files() != null) {
            sentences.add(
                    sources.uploads() == null
                            ? "Files of any size."
                            : "Files of any size, and resumable uploads.");
        } else if (sources.uploads() != null) {
            sentences.add("Uploads of any size, resumable.");
        }
        if (sources.documents() != null) {
            sentences.add("XML documents, found by XPath.");
        }
        return String.join(" ", sentences);
    }

    private static boolean isMongo(ServedSources sources) {
        return sources.documents() != null && sources.documents().database() instanceof MongoTarget;
    }

    /** Returns what is to be known of what is served. */
    private static String note(ServedSources sources) {
        return isMongo(sources)
                ? "MongoDB: unverified; its driver has run against mongo-java-server, and against no MongoDB server."
                : "";
    }

    /** Returns what is served, for the message at the start. */
    private static String text(ServedSources sources) {
        List<String> parts = new ArrayList<>();
        if (sources.database() != null) {
            parts.add(sources.database().toString());
        }
        if (sources.files() != null) {
            parts.add("the files of " + sources.files());
        }
        if (sources.uploads() != null) {
            parts.add("uploads to " + sources.uploads().directory());
        }
        if (sources.documents() != null) {
            String names = String.join(", ", sources.documents().collections());
            parts.add(
                    "documents in "
                            + names
                            + (isMongo(sources) ? " of " + sources.documents().database() : ""));
        }
        return String.join(", ", parts);
    }
}
