package dev.penstock.http.events;

import dev.penstock.http.message.Syntax;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One server-sent event (WHATWG HTML, section 9.2). What is null is not sent.
 *
 * @param id what a client that comes back says it has seen last; without line breaks and NUL
 * @param name the event's type, {@code message} where it is null; without line breaks
 * @param data any text; each of its lines is a line of the event, so that a client gets all line breaks as LF
 * @param retry how long a client waits before it comes back; at least nothing, in whole milliseconds
 */
public record Event(
        @Nullable String id, @Nullable String name, String data, @Nullable Duration retry) {
    private static final byte[] COMMENT = Syntax.ascii(":\n\n");

    /** Checks that nothing in it could be taken for another line. */
    public Event {
        check("id", id, true);
        check("name", name, false);
        if (retry != null && retry.isNegative()) {
            throw new IllegalArgumentException(
                    "An event's retry is " + retry + "; it can't be negative");
        }
    }

    /** An event with nothing but text. */
    public static Event of(String data) {
        return new Event(null, null, data, null);
    }

    /** The same with an id. */
    public Event withId(String id) {
        return new Event(id, name, data, retry);
    }

    /** The same with a name. */
    public Event withName(String name) {
        return new Event(id, name, data, retry);
    }

    private static void check(String what, @Nullable String text, boolean nul) {
        for (int i = 0; text != null && i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\r' || (nul && c == 0)) {
                throw new IllegalArgumentException(
                        "An event's %s has character U+%04X at %d, which would end it"
                                .formatted(what, (int) c, i));
            }
        }
    }

    /** As it is sent. */
    byte[] encode() {
        StringBuilder out = new StringBuilder(data.length() + 32);
        field(out, "event", name);
        if (retry != null) {
            field(out, "retry", Long.toString(retry.toMillis()));
        }
        int start = 0;
        for (int i = 0; i <= data.length(); i++) {
            char c = i == data.length() ? '\n' : data.charAt(i);
            if (c == '\n' || c == '\r') {
                field(out, "data", data.substring(start, i));
                if (c == '\r' && i + 1 < data.length() && data.charAt(i + 1) == '\n') {
                    i++;
                }
                start = i + 1;
            }
        }
        field(out, "id", id);
        return out.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void field(StringBuilder out, String name, @Nullable String value) {
        if (value != null) {
            out.append(name).append(": ").append(value).append('\n');
        }
    }

    /** What says nothing, so that nobody on the way takes the connection for dead. */
    static byte[] comment() {
        return COMMENT.clone();
    }
}
