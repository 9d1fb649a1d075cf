package dev.penstock.server.command;

import dev.penstock.server.Application;
import dev.penstock.server.StartMessage;
import dev.penstock.server.config.ConcurrencyOptions;
import dev.penstock.server.config.DatabaseOptions;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.ListenOptions;
import dev.penstock.server.config.MemoryOptions;
import dev.penstock.server.config.MemorySettings;
import dev.penstock.server.config.PenstockVersion;
import dev.penstock.server.page.Example;
import dev.penstock.server.page.HomePage;
import dev.penstock.server.page.MemoryPage;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code penstock serve}: the tables of a database over HTTP. */
@Command(
        name = "serve",
        description = "Serves every table and view of a database at /api/{table}, read-only.",
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
            "  curl 'http://127.0.0.1:8080/api/orders?select=id,total&total=gte.100&format=csv'"
        })
final class ServeCommand implements Callable<Integer> {
    @Mixin private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--schema",
            paramLabel = "S",
            description =
                    "The schema whose tables are served (on MariaDB and MySQL, the database). Default: the"
                            + " connection's own.")
    private @Nullable String schema;

    @Mixin private ListenOptions listen = new ListenOptions();
    @Mixin private ConcurrencyOptions load = new ConcurrencyOptions();
    @Mixin private MemoryOptions memory = new MemoryOptions();

    @Override
    public Integer call() {
        listen.begin();
        load.check();
        MemorySettings inMemory = memory.settings().orElse(null);
        JdbcTarget target = database.target();
        List<Example> examples = inMemory == null ? List.of() : List.of(MemoryPage.EXAMPLE);
        HomePage.Content content =
                new HomePage.Content(
                        "Penstock",
                        "Every table and view of a database, streamed row by row.",
                        examples,
                        null,
                        "");
        try (Application application =
                Application.start(
                        target, schema, listen, load, inMemory, content, (_, _, _) -> {})) {
            StartMessage.print(target.toString(), listen, application, examples);
            application.awaitStop();
        }
        return 0;
    }
}
