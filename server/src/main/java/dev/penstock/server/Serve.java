package dev.penstock.server;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code penstock serve}: the tables of a database. */
@Command(
        name = "serve",
        description = "Serves every table and view of a database at /api/{table}, read-only.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  penstock serve --jdbc jdbc:postgresql://localhost:5432/shop --user me \\",
            "      --password-file /run/secrets/shop",
            "  PENSTOCK_PASSWORD=... penstock serve --jdbc jdbc:mariadb://localhost/shop --user me",
            "  curl 'http://127.0.0.1:8080/api/orders?select=id,total&total=gte.100&format=csv'"
        })
final class Serve implements Callable<Integer> {
    @Mixin private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--schema",
            paramLabel = "S",
            description =
                    "The schema whose tables are served (on MariaDB and MySQL, the database). Default: the"
                            + " connection's own.")
    private @Nullable String schema;

    @Mixin private ListenOptions listen = new ListenOptions();
    @Mixin private LoadOptions load = new LoadOptions();

    @Override
    public Integer call() {
        listen.begin();
        load.check();
        StopSignal stop = StopSignal.listen();
        JdbcTarget target = database.target();
        HomePage.Content content =
                new HomePage.Content(
                        "Penstock",
                        "Every table and view of a database, streamed row by row.",
                        List.of(),
                        null,
                        "");
        try (Application application =
                Application.start(target, schema, listen, load, content, (_, _, _) -> {})) {
            Announcement.say(target.toString(), listen, application, List.of());
            stop.await();
        }
        return 0;
    }
}
