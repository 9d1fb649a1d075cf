package dev.penstock.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A document of {@code /status}. */
public record Status(String json) {
    public static Status of(PenstockProcess server) {
        try {
            return new Status(server.body("/status"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long heapUsed() {
        return number("\"heap\":\\{\"used\":(\\d+)");
    }

    public long running() {
        return number("\"requests\":\\{\"running\":(\\d+)");
    }

    public long queued() {
        return number("\"requests\":\\{\"running\":\\d+,\"queued\":(\\d+)");
    }

    public long bulkRunning() {
        return number("\"bulk\":\\{\"running\":(\\d+)");
    }

    private long number(String form) {
        Matcher matcher = Pattern.compile(form).matcher(json);
        if (!matcher.find()) {
            throw new AssertionError(form + " is not in " + json);
        }
        return Long.parseLong(matcher.group(1));
    }
}
