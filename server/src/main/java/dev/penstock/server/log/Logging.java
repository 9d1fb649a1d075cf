package dev.penstock.server.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log: one line a message on the standard error stream; a stack trace only for defects. */
public final class Logging {
    /** Loggers whose level is set must be referred to: the JDK drops others. */
    private static final Logger POOLS = Logger.getLogger("com.zaxxer.hikari");

    private static final List<Logger> TALKATIVE = List.of(POOLS, Logger.getLogger("io.netty"));

    /** The logger that warns of each connection that was closed under the pool, as cancelling does. */
    private static final Logger CONNECTIONS =
            Logger.getLogger("com.zaxxer.hikari.pool.ProxyConnection");

    /** Loggers of drivers are off: failures arrive as exceptions, and they may log parts of URLs. */
    private static final List<Logger> DRIVERS =
            List.of(
                    Logger.getLogger("org.postgresql"),
                    Logger.getLogger("org.mariadb.jdbc"),
                    Logger.getLogger("org.mongodb.driver"),
                    Logger.getLogger("MySQL"));

    /** The access log, whose JSON lines are written as they are, since they hold the time themselves. */
    private static final String ACCESS = "dev.penstock.http.access";

    private static final Logger ROOT = Logger.getLogger("");

    private static final LogHandler LINES =
            new LogHandler(
                    new FileOutputStream(FileDescriptor.err), System.err.charset(), new Line());

    private Logging() {}

    public static void start(LogLevel level) {
        for (Handler handler : ROOT.getHandlers()) {
            ROOT.removeHandler(handler);
        }
        ROOT.addHandler(LINES);
        ROOT.setLevel(level.level());
        if (level == LogLevel.info) {
            TALKATIVE.forEach(logger -> logger.setLevel(Level.WARNING));
            CONNECTIONS.setLevel(Level.SEVERE);
        }
        DRIVERS.forEach(logger -> logger.setLevel(Level.OFF));
    }

    /** Returns the handler that writes the lines and counts those that are lost. */
    public static LogHandler lines() {
        return LINES;
    }

    /** Silences the pools after a failed start, which is explained in one sentence. */
    public static void quietenPools() {
        POOLS.setLevel(Level.OFF);
    }

    private static final class Line extends Formatter {
        @Override
        public String format(LogRecord record) {
            if (ACCESS.equals(record.getLoggerName()) && record.getMessage().startsWith("{")) {
                return record.getMessage() + System.lineSeparator();
            }
            StringBuilder line = new StringBuilder(160);
            line.append(Instant.ofEpochMilli(record.getMillis()).truncatedTo(ChronoUnit.MILLIS))
                    .append(' ')
                    .append(level(record.getLevel()))
                    .append(' ')
                    .append(component(record.getLoggerName()))
                    .append(": ")
                    .append(formatMessage(record).replace('\n', ' ').replace('\r', ' '));
            Throwable thrown = record.getThrown();
            if (thrown != null && record.getLevel().intValue() < Level.SEVERE.intValue()) {
                line.append(" (").append(FirstSentence.one(thrown.toString())).append(')');
            }
            line.append(System.lineSeparator());
            if (thrown != null && record.getLevel().intValue() >= Level.SEVERE.intValue()) {
                StringWriter trace = new StringWriter();
                thrown.printStackTrace(new PrintWriter(trace));
                line.append(trace);
            }
            return line.toString();
        }

        private static String level(Level level) {
            if (level.intValue() >= Level.SEVERE.intValue()) {
                return "ERROR";
            }
            String name = level.intValue() < Level.INFO.intValue() ? "DEBUG" : level.getName();
            return name.toUpperCase(Locale.ROOT);
        }

        private static String component(String logger) {
            if (logger == null) {
                return "-";
            }
            return logger.startsWith("dev.penstock.")
                    ? logger.substring("dev.penstock.".length())
                    : logger;
        }
    }
}
