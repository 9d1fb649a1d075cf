package dev.penstock.bench.server;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link GatewayServer} as the parent sees it, with the client that puts load on it: started when it is needed, and
 * again after a failure.
 */
public final class ServerUnderTest implements AutoCloseable {
    private final Trial trial;
    private final LoadDriver driver;
    private final TestDatabase database;
    private final String name;
    private final String heap;
    private final Child.Starter<GatewayServer> starter;
    private @Nullable Child<GatewayServer> child;

    private ServerUnderTest(Trial trial, LoadDriver driver, TestDatabase database, Plan plan) {
        this.trial = trial;
        this.driver = driver;
        this.database = database;
        name = plan.name + "-" + database.kind();
        heap = plan.heap;
        DatabaseAddress address = DatabaseAddress.of(database);
        int running = plan.running;
        GatewayServer.Pages pages = plan.pages;
        starter = () -> new GatewayServer(address, running, pages);
    }

    /**
     * Settings that the servers of an experiment share, whatever their database.
     *
     * @param name for the log, with the database's kind
     * @param heap such as {@code 64m}
     * @param running bulk requests at once
     * @param pages beside the gateway's
     */
    public record Plan(String name, String heap, int running, GatewayServer.Pages pages) {
        /** Servers without pages of their own. */
        public Plan(String name, String heap, int running) {
            this(name, heap, running, (_, _) -> {});
        }

        /** Makes one, which starts when it is first used. */
        public ServerUnderTest on(TestDatabase database, LoadDriver driver, Trial trial) {
            return new ServerUnderTest(trial, driver, database, this);
        }

        /** Measures databases one after the other, each with a server, and all with one load client. */
        public void forEach(
                List<TestDatabase.Kind> kinds,
                Databases databases,
                Trial trial,
                Measurement measurement)
                throws Exception {
            try (LoadDriver driver = trial.loadDriver()) {
                for (TestDatabase.Kind kind : kinds) {
                    trial.doing("making " + Trial.label(kind));
                    try (TestDatabase database = databases.make(kind);
                            ServerUnderTest server = on(database, driver, trial)) {
                        measurement.measure(server);
                    }
                }
            }
        }
    }

    /** The making of a database with an experiment's tables. */
    public interface Databases {
        /** Makes it, or takes one that was kept. */
        TestDatabase make(TestDatabase.Kind kind) throws Exception;
    }

    /** The measurement of one server. */
    public interface Measurement {
        /** Measures it. */
        void measure(ServerUnderTest server) throws Exception;
    }

    /** Returns its database. */
    public TestDatabase database() {
        return database;
    }

    /** Returns the database's name for people. */
    public String label() {
        return Trial.label(database.kind());
    }

    private Child<GatewayServer> child() throws IOException {
        Child<GatewayServer> running = child;
        if (running == null || !running.isAlive()) {
            running = Child.start("the server " + name, heap, trial.log(name), starter);
            child = running;
        }
        return running;
    }

    /** Returns its port. */
    public int port() throws IOException {
        return child().call(GatewayServer::port);
    }

    /** Puts a load on it. Returns what its group saw. */
    public LoadFigures load(Duration window, Load.Group group) throws IOException {
        return load(Duration.ZERO, window, group);
    }

    /** Puts a load on it, of which nothing counts before a ramp. Returns what its group saw. */
    public LoadFigures load(Duration ramp, Duration window, Load.Group group) throws IOException {
        return driver.runOne(new Load(port(), ramp, window, List.of(group)));
    }

    /** Puts a load of several groups on it. Returns what each saw. */
    public List<LoadFigures> load(Duration ramp, Duration window, List<Load.Group> groups)
            throws IOException {
        return List.copyOf(driver.run(new Load(port(), ramp, window, groups)).values());
    }

    /** Waits until nothing runs. */
    public void settle() throws IOException {
        if (!child().call(GatewayServer::settle)) {
            throw new Child.Failed(name + " still has requests; see " + trial.log(name));
        }
    }

    /** Begins to watch the heap. Returns the bytes that the idle server holds. */
    public long watch(Duration collectEvery) throws IOException {
        long idle = child().idleHeapBytes();
        child().watchHeap(collectEvery);
        return idle;
    }

    /** Ends watching. */
    public HeapWatch.Seen heap() throws IOException {
        return child().heap();
    }

    /** Returns the process's largest resident memory so far, in bytes. */
    public long peakResidentBytes() throws IOException {
        return child().peakResidentBytes();
    }

    /** Ends the server; the next use starts another. */
    public void restart() {
        close();
    }

    @Override
    public void close() {
        if (child != null) {
            child.close();
            child = null;
        }
    }
}
