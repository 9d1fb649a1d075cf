package dev.penstock.gateway.problem;

import dev.penstock.http.HttpException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Failures of queries that a change of the schema explains. */
public final class SchemaFailure {
    /**
     * Classes of SQLSTATE: wrong data, unknown names and types, what can't be done with them, and what drivers and
     * MariaDB have no state for.
     */
    private static final Set<String> CLASSES = Set.of("22", "42", "0A", "3F", "HY");

    private static final String DIVISION_BY_ZERO = "22012";

    private SchemaFailure() {}

    /** Returns whether a request failed for what a change of the schema explains. */
    public static boolean is(HttpException failure) {
        SQLException cause = cause(failure);
        String state = cause == null ? null : cause.getSQLState();
        return failure.status() == 500
                && state != null
                && state.length() == 5
                && CLASSES.contains(state.substring(0, 2))
                && !state.equals(DIVISION_BY_ZERO);
    }

    /** What is said to a request whose table has changed under it. */
    public static HttpException changed(HttpException failure) {
        return Problems.of(
                        503,
                        "schema_changed",
                        "the table has changed, and its columns are read again",
                        null,
                        "ask once more",
                        failure)
                .header("Retry-After", "1");
    }

    private static @Nullable SQLException cause(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof SQLException)) {
            cause = cause.getCause();
        }
        return cause instanceof SQLException sql ? sql : null;
    }
}
