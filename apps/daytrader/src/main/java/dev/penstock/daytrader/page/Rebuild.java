package dev.penstock.daytrader.page;

import dev.penstock.daytrader.session.Sessions;
import dev.penstock.daytrader.store.Population;
import dev.penstock.daytrader.store.PopulationProgress;
import dev.penstock.daytrader.store.TradeStore;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The making of the sample data anew while the application runs: one at a time, and all sessions end. Thread-safe. */
final class Rebuild {
    private static final System.Logger LOG = System.getLogger("dev.penstock.daytrader");

    private final TradeStore store;
    private final Population population;
    private final Sessions sessions;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile Step step = new Step("", 0);

    /** A moment of the filling. */
    private record Step(String doing, int percent) {}

    Rebuild(TradeStore store, Population population, Sessions sessions) {
        this.store = store;
        this.population = population;
        this.sessions = sessions;
    }

    boolean isRunning() {
        return running.get();
    }

    /** Such as {@code users, 40 %}; empty before the first. */
    String progress() {
        Step present = step;
        return present.doing.isEmpty() ? "" : present.doing + ", " + present.percent + " %";
    }

    int percent() {
        return step.percent;
    }

    /** Starts it on a thread of its own; false if one runs already. */
    boolean start() {
        if (!running.compareAndSet(false, true)) {
            return false;
        }
        step = new Step("tables", 0);
        sessions.endAll();
        Thread.ofVirtual().name("daytrader-rebuild").start(this::run);
        return true;
    }

    private void run() {
        try {
            populate((doing, percent) -> step = new Step(doing, percent));
        } catch (SQLException | RuntimeException e) {
            step = new Step("failed (see the log)", step.percent);
            LOG.log(System.Logger.Level.ERROR, "The sample data could not be made", e);
        } finally {
            running.set(false);
        }
    }

    void populate(PopulationProgress progress) throws SQLException {
        store.populate(population, progress);
    }
}
