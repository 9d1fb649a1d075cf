package dev.penstock.bench.client;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.Orders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Carries out {@link Load}s in one thread, by a selector, so that a thousand clients cost little beside the server that they
 * measure. Runs in a JVM of its own ({@link #main}).
 */
final class LoadClient implements AutoCloseable {
    private final Load load;
    private final Selector selector;
    private final InetSocketAddress server;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(256 * 1024);
    private final List<LoadGroup> groups = new ArrayList<>();
    private final List<LoadConnection> connections = new ArrayList<>();

    /** Connections that have something to do at a time: to ask, or, being slow, to read. */
    private final PriorityQueue<LoadConnection> due =
            new PriorityQueue<>(Comparator.comparingLong(LoadConnection::dueNanos));

    private int unfinished;

    private LoadClient(Load load) throws IOException {
        this.load = load;
        selector = Selector.open();
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), load.port());
    }

    /** Takes the orders {@code load} and answers each with the figures of its groups. */
    public static void main(String[] arguments) throws IOException {
        new Orders()
                .on(
                        "load",
                        order -> {
                            // Or one in the middle would count as the server's time.
                            System.gc();
                            Map<String, String> answer = new LinkedHashMap<>();
                            run(Load.decode(order))
                                    .forEach((name, figures) ->
                                            answer.put(name, figures.encode().line()));
                            return new Answer(answer);
                        })
                .serve(new Answer(Map.of()));
    }

    /** Carries out a load in the calling thread. Returns the figures of each group by its name. */
    public static Map<String, LoadFigures> run(Load load) throws IOException {
        try (LoadClient client = new LoadClient(load)) {
            return client.run();
        }
    }

    private Map<String, LoadFigures> run() throws IOException {
        long start = System.nanoTime();
        long opens = start + load.ramp().toNanos();
        long closes = opens + load.window().toNanos();
        for (Load.Group group : load.groups()) {
            LoadGroup counted = new LoadGroup(group, opens, closes, load.port());
            groups.add(counted);
            addConnections(counted, start);
        }
        boolean endsByItself = load.endsByItself();
        long now = System.nanoTime();
        while (now < closes) {
            act(now);
            if (endsByItself && unfinished == 0) {
                break;
            }
            selector.select(this::ready, waitMilliseconds(System.nanoTime(), closes));
            now = System.nanoTime();
        }
        Map<String, LoadFigures> figures = new LinkedHashMap<>();
        long ended = endsByItself ? Math.min(now, closes) : closes;
        for (LoadConnection connection : connections) {
            connection.giveUp(ended);
        }
        for (LoadGroup group : groups) {
            figures.put(group.group().name(), group.figures(ended));
        }
        return figures;
    }

    private void addConnections(LoadGroup group, long start) {
        int clients = group.group().clients();
        long interval = group.group().interval().toNanos();
        for (int i = 0; i < clients; i++) {
            // Spread over the interval, so that they do not ask in step.
            long first = start + (interval == 0 ? 0 : interval * i / clients);
            LoadConnection connection = new LoadConnection(this, group, first);
            connections.add(connection);
            due.add(connection);
            unfinished++;
        }
    }

    /**
     * Has all act whose time has come. While they open connections, those that are ready are attended to in between: a client waits for its
     * server, and not for the thousand others to have connected.
     */
    private void act(long now) throws IOException {
        for (LoadConnection next = due.peek();
                next != null && next.dueNanos() <= now;
                next = due.peek()) {
            boolean connects = !next.isConnected();
            due.remove().act(now);
            if (connects) {
                selector.selectNow(this::ready);
            }
        }
    }

    private long waitMilliseconds(long now, long closes) {
        LoadConnection next = due.peek();
        long until = next == null ? closes : Math.min(closes, next.dueNanos());
        return Math.max(1, (until - now) / 1_000_000);
    }

    private void ready(SelectionKey key) {
        ((LoadConnection) key.attachment()).ready();
    }

    public Selector selector() {
        return selector;
    }

    public InetSocketAddress server() {
        return server;
    }

    /** A buffer for the use of whoever is called by this thread. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Has the connection act at its due time. */
    public void schedule(LoadConnection connection) {
        due.add(connection);
    }

    /** Says that a connection has made all its requests. */
    public void finished() {
        unfinished--;
    }

    @Override
    public void close() throws IOException {
        for (LoadConnection connection : connections) {
            connection.close();
        }
        selector.close();
    }
}
