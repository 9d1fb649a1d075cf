package dev.penstock.http.server;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The lines that are logged while it is open, from a level on. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("");
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final SimpleFormatter formatter = new SimpleFormatter();

    public LogLines(Level least) {
        setLevel(least);
        logger.addHandler(this);
    }

    public List<String> containing(String text) {
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    public List<String> all() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord line) {
        if (isLoggable(line)) {
            lines.add(formatter.formatMessage(line));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
