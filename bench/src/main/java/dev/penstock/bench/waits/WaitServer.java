package dev.penstock.bench.waits;

import dev.penstock.bench.report.Outcome;
import io.helidon.webserver.WebServer;
import io.netty.bootstrap.ServerBootstrap;
import io.vertx.core.Vertx;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.glassfish.grizzly.http.server.HttpServer;

/**
 * The servers that {@link SuspendExperiment} measures. Those of {@link #WAITING} answer {@code /hi?wait=100} after so
 * many milliseconds, those of {@link #PLAIN_ANSWERS} answer {@code /plain} at once. Each takes as many connections as
 * come, logs nothing, and is otherwise as its makers set it.
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

    /** Those whose waiting is measured. */
    static final List<WaitServer> WAITING =
            List.of(SUSPENDED, VIRTUAL, JETTY_BLOCKING, JETTY_ASYNC, GRIZZLY, HELIDON);

    /** Those that are asked for small answers. */
    static final List<WaitServer> PLAIN_ANSWERS =
            List.of(SUSPENDED, NETTY, VERTX, VIRTUAL, JETTY_BLOCKING, HELIDON);

    /** Connections that wait to be accepted. */
    static final int BACKLOG = 4096;

    /** More than any experiment opens. */
    static final int CONNECTIONS = 19_000;

    static final String PLAIN = "Hello, World!";

    private final String label;

    WaitServer(String label) {
        this.label = label;
    }

    /** Returns what is said after a wait. */
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

    /** Notes the versions of those that are not Penstock. */
    static void addPeers(Outcome outcome) {
        outcome.peer("Netty", ServerBootstrap.class);
        outcome.peer("Jetty", Server.class);
        outcome.peer("Grizzly", HttpServer.class);
        outcome.peer("Helidon", WebServer.class);
        outcome.peer("Vert.x", Vertx.class);
    }

    @Override
    public String toString() {
        return label;
    }
}
