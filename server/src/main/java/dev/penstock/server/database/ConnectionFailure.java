package dev.penstock.server.database;

import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.log.FirstSentence;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The explanation, in one sentence, why a database could not be connected to, and the remedy. */
public final class ConnectionFailure {
    /** The SQLSTATE of pgjdbc where the server wants a password and there is none. */
    private static final String CONNECTION_REJECTED = "08004";

    private static final int MARIADB_TOO_MANY_CONNECTIONS = 1040;
    private static final int MARIADB_NO_ACCESS_TO_DATABASE = 1044;
    private static final int MARIADB_UNKNOWN_DATABASE = 1049;
    private static final int H2_IN_USE = 90020;
    private static final int H2_NOT_FOUND = 90146;
    private static final int H2_NOT_FOUND_WITHIN = 90149;
    private static final int H2_URL_FORMAT = 90046;
    private static final int H2_UNSUPPORTED_SETTING = 90113;

    private static final Pattern CONNECTION_NUMBER = Pattern.compile("^\\(conn=-?\\d+\\)\\s*");

    private ConnectionFailure() {}

    public static StartupException of(SQLException failure, JdbcTarget target) {
        SQLException cause = telling(failure);
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        String words = cause.getErrorCode() == H2_NOT_FOUND ? "" : " (" + words(cause) + ")";
        String sentence =
                switch (kind(state, cause.getErrorCode())) {
                    case REFUSED ->
                            target
                                    + " refuses "
                                    + (target.user() == null
                                            ? "the user of the URL"
                                            : "user " + target.user())
                                    + words
                                    + ": check the user, and the password in --password-file or"
                                    + " PENSTOCK_PASSWORD";
                    case NO_DATABASE ->
                            "there is no such database as "
                                    + target
                                    + words
                                    + ": check the name in the URL";
                    case IN_USE ->
                            target
                                    + " is open in another process: end that, or have both use"
                                    + " AUTO_SERVER=TRUE in the URL";
                    case FULL ->
                            target
                                    + " takes no more connections"
                                    + words
                                    + ": raise its limit, or end some clients";
                    case BAD_URL ->
                            "the driver does not understand "
                                    + target
                                    + words
                                    + ": check the spelling of the URL";
                    case UNREACHABLE ->
                            target
                                    + " can't be reached"
                                    + words
                                    + ": check host and port, and that the database runs";
                    case OTHER -> "can't connect to " + target + words + ": check the URL";
                };
        return new StartupException(sentence, failure);
    }

    private enum Kind {
        REFUSED,
        NO_DATABASE,
        IN_USE,
        FULL,
        BAD_URL,
        UNREACHABLE,
        OTHER
    }

    private static Kind kind(String state, int code) {
        if (state.equals("53300") || code == MARIADB_TOO_MANY_CONNECTIONS) {
            return Kind.FULL;
        }
        if (state.startsWith("28")
                || state.equals(CONNECTION_REJECTED)
                || code == MARIADB_NO_ACCESS_TO_DATABASE) {
            return Kind.REFUSED;
        }
        if (state.equals("3D000")
                || code == MARIADB_UNKNOWN_DATABASE
                || code == H2_NOT_FOUND
                || code == H2_NOT_FOUND_WITHIN) {
            return Kind.NO_DATABASE;
        }
        if (code == H2_IN_USE) {
            return Kind.IN_USE;
        }
        if (code == H2_URL_FORMAT || code == H2_UNSUPPORTED_SETTING) {
            return Kind.BAD_URL;
        }
        return state.startsWith("08") ? Kind.UNREACHABLE : Kind.OTHER;
    }

    /**
     * Returns the first exception of the chain that has an error code or a state: pools and drivers wrap what the
     * database said.
     */
    private static SQLException telling(SQLException failure) {
        SQLException telling = failure;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && sql.getErrorCode() != 0) {
                return sql;
            }
            if (each instanceof SQLException sql && telling.getSQLState() == null) {
                telling = sql;
            }
        }
        return telling;
    }

    private static String words(SQLException failure) {
        String own = words(failure.getMessage());
        Throwable root = root(failure);
        if (root instanceof UnknownHostException) {
            return own + "; unknown host " + root.getMessage();
        }
        String deeper = words(root.getMessage());
        return deeper.isEmpty() || own.contains(deeper) ? own : own + "; " + deeper;
    }

    /**
     * Returns a driver's message without the number that MariaDB's gives a connection: the same reason may come with
     * and without it.
     */
    private static String words(@Nullable String message) {
        String all = message == null ? "" : CONNECTION_NUMBER.matcher(message).replaceFirst("");
        return FirstSentence.one(JdbcTarget.withoutSecrets(all));
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; root.getCause() != null && depth < 20; depth++) {
            root = root.getCause();
        }
        return root;
    }
}
