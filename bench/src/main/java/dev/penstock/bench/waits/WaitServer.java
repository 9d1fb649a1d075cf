package dev.penstock.bench.waits;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.child.Orders;
import dev.penstock.bench.child.ThreadsAndTime;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Who is measured by {@link SuspendExperiment}: servers that answer {@code /hi?wait=100} after so many milliseconds, as article 2's do, and {@code
 * /plain} at once. Each takes as many connections as come, logs nothing, and is otherwise as its makers set it.
 */
enum WaitServer {
    SUSPENDED("Penstock, suspended"),
    VIRTUAL("Penstock, virtual threads"),
    NETTY("bare Netty"),
    JETTY_BLOCKING("Jetty, blocking"),
    JETTY_ASYNC("Jetty, asynchronous"),
    GRIZZLY("Grizzly, suspended"),
    HELIDON("Helidon, virtual threads"),
    VERTX("Vert.x");

    /** Connections that wait to be accepted. */
    static final int BACKLOG = 4096;

    /** More than any experiment opens. */
    static final int CONNECTIONS = 19_000;

    static final String PLAIN = "Hello, World!";

    private final String label;

    WaitServer(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** What is said after a wait. */
    static String waited(long milliseconds) {
        return "waited " + milliseconds + "ms";
    }

    /** Starts it on a free port, which it returns. */
    int start() throws Exception {
        return switch (this) {
            case SUSPENDED -> PenstockWaits.start(true);
            case VIRTUAL -> PenstockWaits.start(false);
            case NETTY -> NettyWaits.start();
            case JETTY_BLOCKING -> JettyWaits.start(false);
            case JETTY_ASYNC -> JettyWaits.start(true);
            case GRIZZLY -> GrizzlyWaits.start();
            case HELIDON -> HelidonWaits.start();
            case VERTX -> VertxWaits.start();
        };
    }

    /** Runs one, in a JVM of its own, and takes {@link HeapWatch}'s orders and {@code threads}: how many there are, and were at the most since it was asked last. */
    public static void main(String[] arguments) throws IOException {
        WaitServer server = valueOf(arguments[0]);
        int port;
        try {
            port = server.start();
        } catch (Exception e) {
            throw new IOException(server.label + " did not start", e);
        }
        Orders orders = new Orders();
        new HeapWatch().answerTo(orders);
        orders.on("threads", _ -> ThreadsAndTime.answer());
        orders.serve(new Answer(Map.of("port", Integer.toString(port))));
    }

    /** Those of the article's experiment. */
    static List<WaitServer> waiting() {
        return List.of(SUSPENDED, VIRTUAL, JETTY_BLOCKING, JETTY_ASYNC, GRIZZLY, HELIDON);
    }

    /** Those that are asked for small answers. */
    static List<WaitServer> plain() {
        return List.of(SUSPENDED, NETTY, VERTX, VIRTUAL, JETTY_BLOCKING, HELIDON);
    }
}
