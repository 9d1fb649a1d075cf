package dev.penstock.server.log;

import java.util.logging.Level;

/** A level of the log, as the command line names it. */
public enum LogLevel {
    off,
    error,
    warning,
    info,
    debug;

    Level level() {
        return switch (this) {
            case off -> Level.OFF;
            case error -> Level.SEVERE;
            case warning -> Level.WARNING;
            case info -> Level.INFO;
            case debug -> Level.FINE;
        };
    }
}
