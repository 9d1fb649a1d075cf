package dev.penstock.server.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.logging.ErrorManager;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * A handler of log records that writes to a stream and counts the lines that could not be written: the JDK's forgets
 * those silently, since a {@code PrintStream} keeps its failures to itself. The next line that can be written comes
 * after one that says how many are missing. Thread-safe.
 */
public final class LogHandler extends Handler {
    private final OutputStream stream;
    private final Charset charset;

    // Guarded by this object.
    private long lost;
    private long told;

    /**
     * @param stream an unbuffered stream that fails where a line can't be written; it stays open
     */
    LogHandler(OutputStream stream, Charset charset, Formatter formatter) {
        this.stream = stream;
        this.charset = charset;
        setFormatter(formatter);
        setLevel(Level.ALL);
    }

    /** Returns the number of lines that could not be written so far. */
    public synchronized long lost() {
        return lost;
    }

    @Override
    public void publish(LogRecord record) {
        if (!isLoggable(record)) {
            return;
        }
        try {
            write(getFormatter().format(record));
        } catch (RuntimeException e) {
            reportError("a log record can't be formatted", e, ErrorManager.FORMAT_FAILURE);
        }
    }

    private synchronized void write(String line) {
        try {
            stream.write((missing() + line).getBytes(charset));
            told = lost;
        } catch (IOException _) {
            lost++;
        }
    }

    /** Returns what comes before the next line if lines are missing: the end of a partial line, and their number. */
    private String missing() {
        if (lost == told) {
            return "";
        }
        LogRecord record =
                new LogRecord(
                        Level.WARNING,
                        "lines of the log are missing here, which could not be written: "
                                + (lost - told));
        record.setLoggerName("dev.penstock.server");
        return System.lineSeparator() + getFormatter().format(record);
    }

    @Override
    public void flush() {
        // Each line is passed on at once.
    }

    @Override
    public void close() {
        // The stream is the process's.
    }
}
