package dev.penstock.server.config;

import dev.penstock.query.sql.DriverSettings;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The database to connect to.
 *
 * @param url its JDBC URL
 * @param user the database user; null where the URL names it
 * @param password the user's; null where the URL has it, or none is needed
 * @param driverJars jars with drivers beside those that Penstock brings
 */
public record JdbcTarget(
        String url, @Nullable String user, @Nullable String password, List<Path> driverJars)
        implements DatabaseTarget {
    private static final Pattern SECRET_PARAMETER =
            Pattern.compile("(?i)((?:password|passwd|pwd|secret|token)\\w*=)[^&;\\s]*");
    private static final Pattern PASSWORD_PARAMETER =
            Pattern.compile("(?i)([?&;])(?:password|passwd|pwd|secret|token)\\w*=[^&;\\s]*[&;]?");
    private static final Pattern PASSWORD_OF_USER = Pattern.compile("//([^/@:\\s]*):[^/@\\s]*@");
    private static final Pattern SECRET_AUTHORITY = Pattern.compile("//[^/@\\s]*@");

    /** An example of a URL for each database that Penstock knows. */
    private static final TreeMap<String, String> EXAMPLES = new TreeMap<>();

    static {
        EXAMPLES.put("postgresql", "jdbc:postgresql://HOST:5432/DATABASE");
        EXAMPLES.put("mariadb", "jdbc:mariadb://HOST:3306/DATABASE");
        EXAMPLES.put("mysql", "jdbc:mysql://HOST:3306/DATABASE");
        EXAMPLES.put("h2", "jdbc:h2:/PATH/TO/FILE-WITHOUT-.mv.db");
    }

    public JdbcTarget {
        driverJars = List.copyOf(driverJars);
        if (!url.toLowerCase(Locale.ROOT).startsWith("jdbc:") || scheme(url).isEmpty()) {
            throw new StartupException(
                    "--jdbc "
                            + withoutSecrets(url)
                            + " is not a JDBC URL: write it like "
                            + String.join(", ", EXAMPLES.values()));
        }
    }

    /** Returns what stands between {@code jdbc:} and the next colon. */
    String scheme() {
        return scheme(url);
    }

    private static String scheme(String url) {
        int end = url.indexOf(':', 5);
        return end < 0 ? "" : url.substring(5, end).toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the driver that takes the URL.
     *
     * @throws StartupException if there is none, naming those that are there, or if its driver does not understand the
     * URL
     */
    public Driver driver() {
        Driver found = null;
        for (Driver driver : drivers()) {
            try {
                if (driver.acceptsURL(url)) {
                    return driver;
                }
            } catch (SQLException _) {
                // It knows the scheme, and does not like the rest.
                found = driver;
            }
        }
        if (found != null || EXAMPLES.containsKey(scheme())) {
            throw new StartupException(
                    "the driver does not understand the JDBC URL "
                            + this
                            + ": write it like "
                            + EXAMPLES.getOrDefault(scheme(), "its documentation says"));
        }
        throw new StartupException(
                "no driver is there for jdbc:"
                        + scheme()
                        + ": URLs (there are those for "
                        + String.join(", ", EXAMPLES.keySet())
                        + "): correct the URL, or name the driver's jar with --driver");
    }

    private List<Driver> drivers() {
        List<Driver> drivers = new ArrayList<>(DriverManager.drivers().toList());
        if (!driverJars.isEmpty()) {
            // Lives as long as the JVM does: its driver may load more of its classes at any time.
            ClassLoader loader =
                    new URLClassLoader(
                            driverJars.stream().map(JdbcTarget::location).toArray(URL[]::new),
                            JdbcTarget.class.getClassLoader());
            ServiceLoader.load(Driver.class, loader).forEach(drivers::add);
        }
        return drivers;
    }

    private static URL location(Path jar) {
        if (!Files.isReadable(jar)) {
            throw new StartupException(
                    "--driver " + jar + " can't be read: name the jar file of a JDBC driver");
        }
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new StartupException("--driver " + jar + " is no path of a file", e);
        }
    }

    /** Returns the properties for the driver: user, password, and what keeps a connection from hanging for ever. */
    public Properties properties() {
        Properties properties = DriverSettings.of(url);
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        switch (scheme()) {
            case "postgresql" -> {
                properties.setProperty("tcpKeepAlive", "true");
                properties.setProperty("ApplicationName", "penstock");
            }
            case "h2" -> {
                // Else a wrong path makes a new, empty database.
                if (!url.toUpperCase(Locale.ROOT).contains("IFEXISTS")
                        && !url.regionMatches(true, 8, "mem:", 0, 4)) {
                    properties.setProperty("IFEXISTS", "TRUE");
                }
            }
            default -> {}
        }
        return properties;
    }

    /** Returns the URL without the password, as a program may have it in its source. */
    public String urlWithoutPassword() {
        String open = PASSWORD_PARAMETER.matcher(url).replaceAll("$1");
        open = PASSWORD_OF_USER.matcher(open).replaceFirst("//$1@");
        return open.replaceFirst("[?&;]+$", "");
    }

    /** Returns a text without the passwords that URLs in it may hold. */
    public static String withoutSecrets(String text) {
        String shown = SECRET_PARAMETER.matcher(text).replaceAll("$1***");
        return SECRET_AUTHORITY.matcher(shown).replaceAll("//***@");
    }

    /** Returns the URL without a password. */
    @Override
    public String toString() {
        return withoutSecrets(url);
    }
}
