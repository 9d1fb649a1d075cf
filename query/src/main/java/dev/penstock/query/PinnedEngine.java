package dev.penstock.query;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A hold on the version that an engine answers from; see {@link Engine#pinned()}. Whoever asks for it closes it: an
 * engine whose versions replace one another may then give back the memory of this one. If it is not closed, that is
 * left to the garbage collector. Thread-safe.
 */
public final class PinnedEngine implements AutoCloseable {
    private final Engine engine;
    private final Runnable release;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /**
     * @param engine stays on one version until this is closed
     * @param release done once, when this is closed
     */
    public PinnedEngine(Engine engine, Runnable release) {
        this.engine = requireNonNull(engine);
        this.release = requireNonNull(release);
    }

    /** Returns the engine, which is not to be asked once this is closed; cursors that are open then can be read on. */
    public Engine engine() {
        return engine;
    }

    /** Closing twice does no harm. */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            release.run();
        }
    }
}
