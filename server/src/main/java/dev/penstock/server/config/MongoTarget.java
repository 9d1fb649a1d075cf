package dev.penstock.server.config;

import com.mongodb.ConnectionString;
import com.mongodb.MongoException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A database in MongoDB to connect to. Its text is its address without user, password and options. Immutable.
 */
public final class MongoTarget implements DatabaseTarget {
    private static final String EXAMPLES =
            "write it like mongodb://HOST:27017/DATABASE, mongodb+srv://HOST/DATABASE or mongodb://USER@HOST/DATABASE";
    private static final Pattern URL = Pattern.compile("mongodb(?:\\+srv)?://.*", Pattern.DOTALL);
    private static final Pattern USER =
            Pattern.compile("^(mongodb(?:\\+srv)?://[^@/?:]+)(?::[^@/?]*)?@");

    private final ConnectionString url;
    private final String database;

    private MongoTarget(ConnectionString url, String database) {
        this.url = url;
        this.database = database;
    }

    /**
     * Reads a connection string.
     *
     * @param url the connection string of MongoDB
     * @param password of the user whom it names; null for its own
     * @throws StartupException if it is none, or names no database
     */
    static MongoTarget of(String url, @Nullable String password) {
        if (!URL.matcher(url).matches()) {
            throw new StartupException("--mongodb has no URL of MongoDB: " + EXAMPLES);
        }
        ConnectionString parsed = parse(password == null ? url : withPassword(url, password));
        String database = parsed.getDatabase();
        if (database == null || parsed.getCollection() != null) {
            throw new StartupException(
                    "--mongodb %s names %s: %s"
                            .formatted(
                                    shown(parsed),
                                    database == null
                                            ? "no database"
                                            : "a collection beside the database, behind a point",
                                    EXAMPLES));
        }
        if (parsed.getHosts().stream().anyMatch(host -> host.startsWith("/"))) {
            throw new StartupException(
                    "--mongodb %s names a Unix socket, which the driver lacks a library for: write HOST:PORT"
                            .formatted(shown(parsed)));
        }
        if (parsed.getCompressorList().stream().anyMatch(each -> !each.getName().equals("zlib"))) {
            throw new StartupException(
                    "--mongodb %s has compressors that the driver lacks libraries for: write compressors=zlib"
                            .formatted(shown(parsed)));
        }
        return new MongoTarget(parsed, database);
    }

    /** Returns whether a connection string names a user. */
    static boolean namesUser(String url) {
        return USER.matcher(url).find();
    }

    private static String withPassword(String url, String password) {
        String encoded = URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20");
        return USER.matcher(url).replaceFirst("$1:" + Matcher.quoteReplacement(encoded) + "@");
    }

    private static ConnectionString parse(String url) {
        try {
            return new ConnectionString(url);
        } catch (IllegalArgumentException | MongoException e) {
            // The cause is left out, as its text may hold parts of the URL.
            throw new StartupException(
                    "--mongodb is not understood"
                            + words(url, String.valueOf(e.getMessage()))
                            + ": "
                            + EXAMPLES
                            + ", the password in --mongodb-password-file or "
                            + DocumentOptions.PASSWORD_VARIABLE
                            + ", and : / ? # @ % in a user's name as %3A %2F %3F %23 %40 %25");
        }
    }

    /** Returns what the driver says of a URL, which may have parts of it: nothing where it may hold a password. */
    private static String words(String url, String message) {
        if (message.startsWith("Password can not be null")) {
            return " (its user has no password)";
        }
        if (message.startsWith("state should be: databaseName")) {
            return " (the database's name has a character that none may have)";
        }
        boolean secret = url.indexOf('@') >= 0 || url.contains("assword");
        return secret ? "" : " (" + message.strip().replaceFirst("\\.$", "") + ")";
    }

    private static String shown(ConnectionString url) {
        String name = url.getDatabase() == null ? "" : "/" + url.getDatabase();
        return (url.isSrvProtocol() ? "mongodb+srv://" : "mongodb://")
                + String.join(",", url.getHosts())
                + name;
    }

    /** Returns the connection string, which may hold a password. */
    @SuppressWarnings("exports") // for the server alone, which requires the driver's module
    public ConnectionString url() {
        return url;
    }

    /** Returns the database's name. */
    public String database() {
        return database;
    }

    /** Returns the user's name; null where there is none. */
    public @Nullable String user() {
        return url.getUsername();
    }

    /** Returns the address without user, password and options. */
    @Override
    public String toString() {
        return shown(url);
    }
}
