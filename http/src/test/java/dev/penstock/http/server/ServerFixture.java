package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.exchange.ServerContext;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** Starts servers for a test, and checks at its end that each has let go of all that it held. */
public abstract class ServerFixture {
    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    /** How many event loops servers have: the suite runs with several numbers. */
    public static final int LOOPS = Integer.getInteger("penstock.eventLoops", 2);

    private final List<Server> servers = new ArrayList<>();

    /** The inside of a server. */
    public static ServerContext context(Server server) {
        return server.context();
    }

    /** Limits the bytes of request bodies that nobody reads. */
    public static ServerBuilder maxUnread(ServerBuilder server, long bytes) {
        return server.maxUnread(bytes);
    }

    public Server start(UnaryOperator<ServerBuilder> routes) {
        Server server =
                routes.apply(
                                Server.builder()
                                        .port(0)
                                        .eventLoops(LOOPS)
                                        .accessLog(false)
                                        .stopWithin(Duration.ofSeconds(5)))
                        .start();
        servers.add(server);
        return server;
    }

    @AfterEach
    public void nothingIsLeftBehind() throws Exception {
        assertThat(ResourceLeakDetector.getLevel())
                .as("leaks are looked for")
                .isEqualTo(ResourceLeakDetector.Level.PARANOID);
        for (Server server : servers) {
            await("handlers", () -> server.running() == 0);
            await("permits", () -> server.admission().runningNow() == 0);
            server.close();
            // It waits three seconds for its event loops, and they may need more on a busy machine.
            await("connections", () -> server.connections() == 0);
            await("unread bytes of bodies", () -> context(server).unreadBodies().bytes() == 0);
            await("encoders", () -> context(server).coders().usedBytes() == 0);
            await("buffers", () -> context(server).loops().buffersInUse() == 0);
        }
    }

    public static void await(String what, Callable<Boolean> condition) throws Exception {
        await(what, Duration.ofSeconds(40), condition);
    }

    public static void await(String what, Duration limit, Callable<Boolean> condition)
            throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("in time: " + what).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
