package dev.penstock.gateway.problem;

import dev.penstock.http.HttpException;
import dev.penstock.query.QueryException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The error responses: problem documents (RFC 9457) that have PostgREST's members as well, {@code message}, {@code
 * details}, {@code hint} and {@code code}, for its clients read these and nothing else. {@code code} is PostgREST's or
 * an SQLSTATE; our own, finer one is the last part of {@code type}.
 */
public final class Problems {
    /** What the type of a problem begins with. */
    public static final String TYPE = "urn:penstock:problem:";

    private static final Map<String, String> CODES =
            Map.ofEntries(
                    Map.entry("unsupported", "PGRST127"),
                    Map.entry("unsupported_operator", "PGRST127"),
                    Map.entry("bad_limit", "PGRST103"),
                    Map.entry("bad_offset", "PGRST103"),
                    Map.entry("bad_range", "PGRST103"),
                    Map.entry("bad_preference", "PGRST122"),
                    Map.entry("bad_form", "PGRST102"),
                    Map.entry("not_a_form", "PGRST107"),
                    Map.entry("not_acceptable", "PGRST107"),
                    Map.entry("unknown_schema", "PGRST106"),
                    Map.entry("not_one_row", "PGRST116"),
                    Map.entry("unknown_table", "PGRST205"),
                    Map.entry("unknown_column", "42703"),
                    Map.entry("unknown_name", "42703"),
                    Map.entry("malformed_value", "22P02"),
                    Map.entry("no_order", "42883"),
                    Map.entry("no_equality", "42883"),
                    Map.entry("forbidden", "42501"),
                    Map.entry("too_large", "54000"),
                    Map.entry("too_many_values", "54000"),
                    Map.entry("row_too_wide", "54000"),
                    Map.entry("memory_limit", "53200"),
                    Map.entry("unavailable", "PGRST000"),
                    Map.entry("cancelled", "57014"),
                    Map.entry("not_streaming", "XX000"),
                    Map.entry("database", "XX000"));

    private Problems() {}

    /**
     * An error of a kind of ours.
     *
     * @param kind the last part of its type
     * @param message what is wrong
     * @param details where, or how far
     * @param hint what would be right
     */
    public static HttpException of(
            int status,
            String kind,
            String message,
            @Nullable String details,
            @Nullable String hint,
            @Nullable Throwable cause) {
        String detail =
                (details == null ? "" : details + ": ")
                        + message
                        + (hint == null ? "" : "; " + hint);
        return new HttpException(status, detail, cause)
                .with("type", TYPE + kind)
                .with("code", CODES.getOrDefault(kind, "PGRST100"))
                .with("message", message)
                .with("details", details)
                .with("hint", hint);
    }

    public static HttpException of(
            int status,
            String kind,
            String message,
            @Nullable String details,
            @Nullable String hint) {
        return of(status, kind, message, details, hint, null);
    }

    /** What other error responses of the server have besides: the same members, the code by the status. */
    public static Map<String, @Nullable Object> members(HttpException exception) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("code", code(exception.status()));
        members.put("message", exception.getMessage());
        members.put("details", null);
        members.put("hint", null);
        return members;
    }

    private static String code(int status) {
        return switch (status) {
            case 401, 403 -> "42501";
            case 404 -> "PGRST125";
            case 405, 501 -> "PGRST117";
            case 406, 415 -> "PGRST107";
            case 413, 414, 431 -> "54000";
            case 416 -> "PGRST103";
            case 429, 503 -> "PGRST003";
            case 408, 504 -> "57014";
            default -> status >= 500 ? "XX000" : "PGRST100";
        };
    }

    /** What a client is told of a query that failed: never its SQL. */
    public static HttpException told(QueryException e) {
        String message = e.getMessage() == null ? e.kind().toString() : e.getMessage();
        return switch (e.kind()) {
            case UNKNOWN_NAME -> of(404, "unknown_name", message, null, null, e);
            case INVALID_PLAN -> of(400, "invalid_plan", message, null, null, e);
            case UNAVAILABLE ->
                    later("unavailable", "the database can't be reached", "try again later", e);
            case ROW_TOO_WIDE -> of(500, "row_too_wide", message, null, null, e);
            case MEMORY_LIMIT -> later("memory_limit", message, null, e);
            case NOT_STREAMING -> of(500, "not_streaming", message, null, null, e);
            case CANCELLED -> later("cancelled", "the query was cancelled", "try again later", e);
            case DATABASE -> ofDatabase(e);
        };
    }

    private static HttpException later(
            String kind, String message, @Nullable String hint, QueryException e) {
        return of(503, kind, message, null, hint, e).header("Retry-After", "2");
    }

    /** By the SQLSTATE, as PostgREST has it, but for what a client can't help: that stays a failure of the server. */
    private static HttpException ofDatabase(QueryException e) {
        String state = sqlState(e);
        if (state.equals("42501")) {
            return of(
                    403,
                    "forbidden",
                    "the server may not read this table",
                    null,
                    "grant SELECT on it to the server's database user",
                    e);
        }
        if (state.startsWith("53") || isConnectionLost(e)) {
            return later("unavailable", "the database can't be reached", "try again later", e)
                    .with("code", state);
        }
        return of(
                        500,
                        "database",
                        "the database failed while it answered",
                        null,
                        "the server's log says why",
                        e)
                .with("code", state);
    }

    /**
     * Returns whether the connection had ended, by its driver's, its database's or an administrator's doing, which
     * another one may not have.
     */
    private static boolean isConnectionLost(Throwable failure) {
        int depth = 0;
        for (Throwable each = failure; each != null && depth < 20; each = each.getCause()) {
            if (each instanceof SQLException e
                    && (isConnectionState(e.getSQLState()) || isConnectionCode(e))) {
                return true;
            }
            depth++;
        }
        return false;
    }

    private static boolean isConnectionState(@Nullable String state) {
        return state != null
                && (state.startsWith("08")
                        || switch (state) {
                            // PostgreSQL: shutdown, crash, start, and idle for too long. H2: broken
                            // and closed.
                            case "57P01", "57P02", "57P03", "57P05", "90067", "90098", "90121" ->
                                    true;
                            default -> false;
                        });
    }

    private static boolean isConnectionCode(SQLException e) {
        return switch (e.getErrorCode()) {
            // MariaDB and MySQL: shutdown, killed, and idle for too long.
            case 1053, 1927, 4031 -> true;
            default -> false;
        };
    }

    /** The standard's code of a database's failure; {@code XX000} where it gave none. */
    private static String sqlState(Throwable failure) {
        int depth = 0;
        for (Throwable each = failure; each != null && depth < 20; each = each.getCause()) {
            if (each instanceof SQLException e) {
                String state = e.getSQLState();
                boolean denied =
                        switch (e.getErrorCode()) {
                            // MariaDB and MySQL: no right on the database, table or column. H2: not
                            // enough rights.
                            case 1044, 1142, 1143, 90096 -> true;
                            default -> false;
                        };
                if (denied) {
                    return "42501";
                }
                if (state != null && state.matches("[0-9A-Z]{5}")) {
                    return state;
                }
            }
            depth++;
        }
        return "XX000";
    }
}
