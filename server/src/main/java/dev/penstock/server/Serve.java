package dev.penstock.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    static final String PASSWORD_VARIABLE = "PENSTOCK_PASSWORD";
    private static final int MAX_PASSWORD_BYTES = 4096;

    @Option(
            names = "--jdbc",
            paramLabel = "URL",
            required = true,
            description =
                    "The database: a JDBC URL of PostgreSQL, MariaDB, MySQL or H2, such as"
                            + " jdbc:postgresql://localhost:5432/shop. It may hold user and password, but"
                            + " then other users of the machine can see them.")
    private String jdbc = "";

    @Option(
            names = "--user",
            paramLabel = "U",
            description = "The database user. Default: the URL's, else the driver's.")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description =
                    "A file whose first line is the password. Default: the environment variable "
                            + PASSWORD_VARIABLE
                            + ", else the URL's.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--schema",
            paramLabel = "S",
            description =
                    "The schema whose tables are served (on MariaDB and MySQL, the database). Default: the"
                            + " connection's own.")
    private @Nullable String schema;

    @Option(
            names = "--driver",
            paramLabel = "JAR",
            description =
                    "The jar of another JDBC driver; may be given more than once. Databases beside the four"
                            + " are served as standard SQL, which is not verified for them.")
    private List<Path> driverJars = new ArrayList<>();

    @Mixin private ListenOptions listen = new ListenOptions();
    @Mixin private LoadOptions load = new LoadOptions();

    @Override
    public Integer call() {
        listen.begin();
        load.check();
        StopSignal stop = StopSignal.listen();
        JdbcTarget target = new JdbcTarget(jdbc, user, password(), driverJars);
        HomePage.Content content =
                new HomePage.Content(
                        "Penstock",
                        "Every table and view of a database, streamed row by row.",
                        List.of(),
                        null,
                        "");
        try (Application application =
                Application.start(
                        target, schema, listen, load, content, (builder, database, bulk) -> {})) {
            Announcement.say(target.toString(), listen, application, List.of());
            stop.await();
        }
        return 0;
    }

    private @Nullable String password() {
        if (passwordFile == null) {
            return System.getenv(PASSWORD_VARIABLE);
        }
        try (InputStream in = Files.newInputStream(passwordFile)) {
            byte[] bytes = in.readNBytes(MAX_PASSWORD_BYTES + 1);
            if (bytes.length > MAX_PASSWORD_BYTES) {
                throw new StartupException(
                        "--password-file "
                                + passwordFile
                                + " is longer than "
                                + MAX_PASSWORD_BYTES
                                + " bytes: name a file that holds the password alone");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString()
                    .lines()
                    .findFirst()
                    .orElse("");
        } catch (CharacterCodingException e) {
            throw new StartupException(
                    "--password-file " + passwordFile + " is not UTF-8 text: save it as such", e);
        } catch (IOException e) {
            throw new StartupException(
                    "--password-file "
                            + passwordFile
                            + " can't be read ("
                            + e.getClass().getSimpleName()
                            + "): check the path and its permissions",
                    e);
        }
    }
}
