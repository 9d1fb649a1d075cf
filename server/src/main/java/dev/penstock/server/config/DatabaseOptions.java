package dev.penstock.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a database and its user. */
public final class DatabaseOptions {
    public static final String PASSWORD_VARIABLE = "PENSTOCK_PASSWORD";

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
            names = "--driver",
            paramLabel = "JAR",
            description =
                    "The jar of another JDBC driver; may be given more than once. Databases beside the four"
                            + " are spoken to in standard SQL, which is not verified for them.")
    private List<Path> driverJars = new ArrayList<>();

    /**
     * Returns the database.
     *
     * @throws StartupException if the URL is none, or the password can't be read
     */
    public JdbcTarget target() {
        return new JdbcTarget(jdbc, user, password(), driverJars);
    }

    private @Nullable String password() {
        return passwordFile == null
                ? System.getenv(PASSWORD_VARIABLE)
                : PasswordFile.read("--password-file", passwordFile);
    }
}
