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
import org.jspecify.annotations.Nullable;

/** A {@link GatewayServer} as the parent sees it: started when it is needed, and anew after a failure. */
public final class ServerUnderTest implements AutoCloseable {
    private final Trial trial;
    private final String name;
    private final String heap;
    private final Child.Starter<GatewayServer> starter;
    private @Nullable Child<GatewayServer> child;

    /** A server without pages of its own. */
    public ServerUnderTest(
            Trial trial, String name, TestDatabase database, String heap, int running) {
        this(trial, name, database, heap, running, (_, _) -> {});
    }

    /**
     * A server that is started when it is first used.
     *
     * @param name for its log, with the database's kind
     * @param running bulk requests at once
     */
    public ServerUnderTest(
            Trial trial,
            String name,
            TestDatabase database,
            String heap,
            int running,
            GatewayServer.Pages pages) {
        this.trial = trial;
        this.name = name + "-" + database.kind();
        this.heap = heap;
        DatabaseAddress address = DatabaseAddress.of(database);
        starter = () -> new GatewayServer(address, running, pages);
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
    public LoadFigures load(LoadDriver driver, Duration window, Load.Group group)
            throws IOException {
        return driver.runOne(new Load(port(), window, group));
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
        if (child != null) {
            child.close();
            child = null;
        }
    }

    @Override
    public void close() {
        restart();
    }
}
