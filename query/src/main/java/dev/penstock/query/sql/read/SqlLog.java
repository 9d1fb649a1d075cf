package dev.penstock.query.sql.read;

import dev.penstock.query.sql.statement.SqlQuery;
import java.lang.System.Logger.Level;
import java.util.HexFormat;

/** The log of what is sent to databases: the SQL at debug, the values that it binds only at trace. */
final class SqlLog {
    private static final System.Logger LOG = System.getLogger("dev.penstock.query.sql");

    private SqlLog() {}

    static void log(SqlQuery query) {
        if (!LOG.isLoggable(Level.DEBUG)) {
            return;
        }
        LOG.log(Level.DEBUG, "{0}", query.template().shown());
        if (LOG.isLoggable(Level.TRACE) && !query.values().isEmpty()) {
            LOG.log(Level.TRACE, "binds {0}", query.values().stream().map(SqlLog::shown).toList());
        }
    }

    private static Object shown(Object value) {
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
    }
}
