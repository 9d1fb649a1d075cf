package dev.penstock.bench.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * The requests that clients make to a server on this machine.
 *
 * @param port the server's
 * @param ramp how long the load runs before anything counts
 * @param window how long it then counts; what is still under way at its end is given up
 * @param groups the clients; at least one group
 */
public record Load(int port, Duration ramp, Duration window, List<Group> groups)
        implements Serializable {
    /**
     * Clients that do the same. Each has one connection, which is kept alive, and asks again as soon as it has its
     * answer, or at fixed times.
     *
     * @param name for the figures
     * @param script what is asked
     * @param clients how many
     * @param requests how many each makes; 0 for as many as the window holds. Where all groups have a number, the run
     *     ends with the last answer, and the window is only how long it may take.
     * @param interval the time from one intended start to the next; zero to ask at once. Latency counts from the
     *     intended start (the first of those that ask at once: from when the client begins it), so that an answer
     *     that was late for one request makes the next ones late too, as it would in life.
     * @param bytesPerSecond how fast each reads; 0 for as fast as it can
     * @param streams how many clients share a connection, each as a stream of HTTP/2; 0 for HTTP/1.1
     * @param rampUp the time over which the clients begin, one after the other; zero for all at once
     */
    public record Group(
            String name,
            Script script,
            int clients,
            int requests,
            Duration interval,
            int bytesPerSecond,
            int streams,
            Duration rampUp)
            implements Serializable {
        /** Checks it. */
        public Group {
            if (clients < 1 || requests < 0 || bytesPerSecond < 0 || streams < 0) {
                throw new IllegalArgumentException(
                        "the clients "
                                + name
                                + " can't be "
                                + clients
                                + ", make "
                                + requests
                                + " requests, read "
                                + bytesPerSecond
                                + " bytes/s or share "
                                + streams
                                + " streams: give numbers from 0 on, and a client");
            }
        }

        /** Clients that ask for as much as they can until the window ends. */
        public Group(String path, int clients, Expected expected) {
            this((_, _) -> new Step(path, expected), clients);
        }

        /** The same, with a script. */
        public Group(Script script, int clients) {
            this("all", script, clients, 0, Duration.ZERO, 0, 0, Duration.ZERO);
        }

        /** Names them, where there are several groups. */
        public Group named(String name) {
            return new Group(
                    name, script, clients, requests, interval, bytesPerSecond, streams, rampUp);
        }

        /** Has each make so many requests. */
        public Group requests(int requests) {
            return new Group(
                    name, script, clients, requests, interval, bytesPerSecond, streams, rampUp);
        }

        /** Has each ask at fixed times. */
        public Group every(Duration interval) {
            return new Group(
                    name, script, clients, requests, interval, bytesPerSecond, streams, rampUp);
        }

        /** Has each read slowly. */
        public Group bytesPerSecond(int bytesPerSecond) {
            return new Group(
                    name, script, clients, requests, interval, bytesPerSecond, streams, rampUp);
        }

        /** Has them begin one after the other, over a time. */
        public Group rampUp(Duration rampUp) {
            return new Group(
                    name, script, clients, requests, interval, bytesPerSecond, streams, rampUp);
        }

        /** Has so many share a connection of HTTP/2. */
        public Group streams(int streams) {
            return new Group(
                    name, script, clients, requests, interval, bytesPerSecond, streams, rampUp);
        }
    }

    /**
     * A request by GET.
     *
     * @param path what is asked, with its query
     * @param expected what a complete answer is
     */
    public record Step(String path, Expected expected) implements Serializable {}

    /**
     * The requests of clients, each one after the other. A client keeps the cookie that it was given last. One that is
     * refused with 503 and {@code Retry-After} waits so long, and asks the same again.
     */
    public interface Script extends Serializable {
        /** Returns the request of a client; both are counted from 0. */
        Step step(int client, int request);
    }

    /**
     * A complete answer: status 200, HTTP's own framing to its end, and this.
     *
     * @param leastBytes of the body
     * @param mostBytes of the body
     * @param end what the body ends with; may be empty
     * @param rowMarker what a row of the body holds once and nothing before the first row does; may be empty
     * @param rows how many rows; 0 not to count them, which costs the client time
     */
    public record Expected(long leastBytes, long mostBytes, String end, String rowMarker, long rows)
            implements Serializable {
        /** Any body that HTTP's framing says is whole. */
        public static final Expected ANYTHING = new Expected(0, Long.MAX_VALUE, "", "", 0);

        /** A body of any length with so many rows. */
        public static Expected rows(String rowMarker, long rows, String end) {
            return new Expected(0, Long.MAX_VALUE, end, rowMarker, rows);
        }

        /** A short text. */
        public static Expected text(String text) {
            return new Expected(text.length(), text.length(), text, "", 0);
        }

        byte[] endBytes() {
            return end.getBytes(ISO_8859_1);
        }

        byte[] markerBytes() {
            return rowMarker.getBytes(ISO_8859_1);
        }

        /** Returns the middle of the bounds, or 0 where there are none. */
        long typicalBytes() {
            return mostBytes == Long.MAX_VALUE ? 0 : (leastBytes + mostBytes) / 2;
        }
    }

    /** Checks it. */
    public Load {
        groups = List.copyOf(groups);
        if (groups.isEmpty()) {
            throw new IllegalArgumentException("a load needs clients: give it a group of them");
        }
    }

    /** A load of one group, without a ramp. */
    public Load(int port, Duration window, Group group) {
        this(port, Duration.ZERO, window, List.of(group));
    }

    /** Returns whether the run ends with the last answer. */
    boolean endsByItself() {
        return groups.stream().allMatch(group -> group.requests() > 0);
    }
}
