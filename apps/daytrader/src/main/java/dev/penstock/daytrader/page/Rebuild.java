package dev.penstock.daytrader.page;

import dev.penstock.daytrader.session.Sessions;
import dev.penstock.daytrader.store.Population;
import dev.penstock.daytrader.store.PopulationProgress;
import dev.penstock.daytrader.store.TradeStore;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;

/** The making of the sample data anew while the application runs: one at a time, and all sessions end. Thread-safe. */
final class Rebuild {
    private static final System.Logger LOG = System.getLogger("dev.penstock.daytrader");

    private final TradeStore store;
    private final Population population;
    private final Sessions sessions;
    private final AtomicReference<Progress> progress =
            new AtomicReference<>(new Progress(false, "", 0));

    /**
     * A moment of a rebuild. An answer takes one, so that all its parts are of the same moment.
     *
     * @param isRunning whether the data are being made
     * @param doing what is made, such as {@code users}, or {@code failed (see the log)}; empty before the first rebuild
     * @param percent the part of all that is done, 0 to 100
     */
    record Progress(boolean isRunning, String doing, int percent) {
        /** Such as {@code users, 40 %}; empty before the first rebuild. */
        String text() {
            return doing.isEmpty() ? "" : doing + ", " + percent + " %";
        }
    }

    Rebuild(TradeStore store, Population population, Sessions sessions) {
        this.store = store;
        this.population = population;
        this.sessions = sessions;
    }

    Progress progress() {
        return progress.get();
    }

    /** Starts it on a thread of its own; false if one runs already. */
    boolean start() {
        Progress present = progress.get();
        if (present.isRunning()
                || !progress.compareAndSet(present, new Progress(true, "tables", 0))) {
            return false;
        }
        sessions.endAll();
        Thread.ofVirtual().name("daytrader-rebuild").start(this::run);
        return true;
    }

    private void run() {
        String failed = "";
        try {
            populate((doing, percent) -> progress.set(new Progress(true, doing, percent)));
        } catch (SQLException | RuntimeException e) {
            failed = "failed (see the log)";
            LOG.log(System.Logger.Level.ERROR, "The sample data could not be made", e);
        } finally {
            Progress last = progress.get();
            progress.set(new Progress(false, failed.isEmpty() ? last.doing : failed, last.percent));
        }
    }

    void populate(PopulationProgress listener) throws SQLException {
        store.populate(population, listener);
    }
}
