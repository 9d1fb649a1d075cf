package dev.penstock.bench.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.penstock.bench.child.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a load client is to do to a server on this machine.
 *
 * @param port the server's
 * @param ramp how long the load runs before anything counts
 * @param window how long it then counts; what is still under way at its end is given up
 * @param groups who asks what; at least one
 */
public record Load(int port, Duration ramp, Duration window, List<Group> groups) {
    /**
     * Clients that do the same. Each has one connection, which is kept alive, and asks again as soon as it has its answer, or
     * at fixed times.
     *
     * @param name for the figures
     * @param path what is asked, with its query
     * @param clients how many
     * @param requests how many each makes; 0 for as many as the window holds. Where all groups have a number, the run ends
     *     with the last answer, and the window is only how long it may take.
     * @param interval the time from one intended start to the next; zero to ask at once. Latency counts from the intended
     *     start (the first of those that ask at once: from when the client begins it), so that an answer that was late for one request makes the next ones late too, as it would in life.
     * @param bytesPerSecond how fast each reads; 0 for as fast as it can
     * @param expected what a complete answer is
     */
    public record Group(
            String name,
            String path,
            int clients,
            int requests,
            Duration interval,
            int bytesPerSecond,
            Expected expected) {
        public Group {
            if (clients < 1 || requests < 0 || bytesPerSecond < 0) {
                throw new IllegalArgumentException(
                        name + ": " + clients + ", " + requests + ", " + bytesPerSecond);
            }
        }
    }

    /**
     * What a complete answer is: status 200, HTTP's own framing to its end, and this.
     *
     * @param leastBytes of the body
     * @param mostBytes of the body
     * @param end what the body ends with; may be empty
     * @param rowMarker what a row of the body holds once and nothing before the first row does; may be empty
     * @param rows how many rows; 0 not to count them, which costs the client time
     */
    public record Expected(
            long leastBytes, long mostBytes, String end, String rowMarker, long rows) {
        /** Any body that HTTP's framing says is whole. */
        public static final Expected ANYTHING = new Expected(0, Long.MAX_VALUE, "", "", 0);

        byte[] endBytes() {
            return end.getBytes(ISO_8859_1);
        }

        byte[] markerBytes() {
            return rowMarker.getBytes(ISO_8859_1);
        }

        /** The middle of the bounds, or 0 where there are none. */
        long typicalBytes() {
            return mostBytes == Long.MAX_VALUE ? 0 : (leastBytes + mostBytes) / 2;
        }
    }

    public Load {
        groups = List.copyOf(groups);
        if (groups.isEmpty()) {
            throw new IllegalArgumentException("a load without clients");
        }
    }

    /** Whether the run ends with the last answer. */
    public boolean endsByItself() {
        return groups.stream().allMatch(group -> group.requests() > 0);
    }

    public Answer encode() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("port", Integer.toString(port));
        values.put("ramp", Long.toString(ramp.toNanos()));
        values.put("window", Long.toString(window.toNanos()));
        values.put("groups", Integer.toString(groups.size()));
        for (int i = 0; i < groups.size(); i++) {
            values.put("group" + i, encode(groups.get(i)).line());
        }
        return new Answer(values);
    }

    private static Answer encode(Group group) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("name", group.name);
        values.put("path", group.path);
        values.put("clients", Integer.toString(group.clients));
        values.put("requests", Integer.toString(group.requests));
        values.put("interval", Long.toString(group.interval.toNanos()));
        values.put("bytesPerSecond", Integer.toString(group.bytesPerSecond));
        values.put("leastBytes", Long.toString(group.expected.leastBytes));
        values.put("mostBytes", Long.toString(group.expected.mostBytes));
        values.put("end", group.expected.end);
        values.put("rowMarker", group.expected.rowMarker);
        values.put("rows", Long.toString(group.expected.rows));
        return new Answer(values);
    }

    public static Load decode(Answer from) {
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < from.whole("groups"); i++) {
            groups.add(decodeGroup(Answer.parse(from.text("group" + i))));
        }
        return new Load(
                (int) from.whole("port"),
                Duration.ofNanos(from.whole("ramp")),
                Duration.ofNanos(from.whole("window")),
                groups);
    }

    private static Group decodeGroup(Answer from) {
        return new Group(
                from.text("name"),
                from.text("path"),
                (int) from.whole("clients"),
                (int) from.whole("requests"),
                Duration.ofNanos(from.whole("interval")),
                (int) from.whole("bytesPerSecond"),
                new Expected(
                        from.whole("leastBytes"),
                        from.whole("mostBytes"),
                        from.text("end"),
                        from.text("rowMarker"),
                        from.whole("rows")));
    }
}
