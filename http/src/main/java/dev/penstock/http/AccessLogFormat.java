package dev.penstock.http;

import dev.penstock.http.message.Syntax;
import dev.penstock.http.text.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** The form of a request in the access log: one line each, whatever a client sends. */
public enum AccessLogFormat {
    /**
     * Words: time, client, method, path, status (0: none was sent), bytes, duration, and how it ended; behind them the
     * attributes that are {@linkplain AttributeKey#logged logged}, as {@code name=value}. Other than visible ASCII is a
     * question mark; a path or an attribute is cut at 200 characters.
     */
    TEXT {
        @Override
        public String line(Instant time, FinishedRequest request) {
            StringBuilder line = new StringBuilder(128);
            line.append(time.truncatedTo(ChronoUnit.MILLIS))
                    .append(' ')
                    .append(request.remoteAddress())
                    .append(' ')
                    .append(Syntax.printable(request.method()))
                    .append(' ')
                    .append(Syntax.printable(request.path()))
                    .append(' ')
                    .append(request.status())
                    .append(' ')
                    .append(request.bytesSent())
                    .append(' ');
            millis(line, request.durationNanos()).append("ms ").append(request.ending().text());
            request.logged()
                    .forEach((name, value) ->
                            line.append(' ')
                                    .append(name)
                                    .append('=')
                                    .append(Syntax.printable(value)));
            return line.toString();
        }
    },

    /**
     * A JSON object: {@code time}, {@code client}, {@code method}, {@code path}, {@code route}, {@code protocol},
     * {@code status}, {@code bytes}, {@code millis}, {@code queuedMillis}, {@code ending}, {@code userAgent}, and the
     * attributes that are {@linkplain AttributeKey#logged logged}. All of it is ASCII, other characters escaped; what
     * a client sends, and an attribute, is cut at 512 characters.
     */
    JSON {
        @Override
        public String line(Instant time, FinishedRequest request) {
            StringBuilder line = new StringBuilder(320);
            line.append("{\"time\":\"").append(time.truncatedTo(ChronoUnit.MILLIS)).append('"');
            text(line, "client", request.remoteAddress());
            text(line, "method", request.method());
            text(line, "path", request.path());
            String route = request.route();
            if (route != null) {
                text(line, "route", route);
            }
            text(line, "protocol", request.protocol());
            line.append(",\"status\":").append(request.status());
            line.append(",\"bytes\":").append(request.bytesSent());
            millis(line.append(",\"millis\":"), request.durationNanos());
            millis(line.append(",\"queuedMillis\":"), request.queuedNanos());
            text(line, "ending", request.ending().text());
            request.header("User-Agent").ifPresent(agent -> text(line, "userAgent", agent));
            request.logged().forEach((name, value) -> text(line, name, value));
            return line.append('}').toString();
        }
    };

    private static final int MOST_CHARACTERS = 512;

    public abstract String line(Instant time, FinishedRequest request);

    private static StringBuilder millis(StringBuilder line, long nanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
        return line.append(micros / 1000).append('.').append(micros / 100 % 10);
    }

    private static void text(StringBuilder line, String name, String value) {
        line.append(",\"").append(name).append("\":");
        boolean cut = value.length() > MOST_CHARACTERS;
        Json.ascii(line, cut ? value.substring(0, MOST_CHARACTERS) + ".." : value);
    }
}
