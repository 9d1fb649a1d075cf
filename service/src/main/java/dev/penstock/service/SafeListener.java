package dev.penstock.service;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** A listener whose failures are logged and go no further. */
record SafeListener(String pool, PoolListener listener) implements PoolListener {
    private static final System.Logger LOG = System.getLogger("dev.penstock.service");

    @Override
    public void called(
            String method, long queuedNanos, long ranNanos, @Nullable Throwable failure) {
        safely(() -> listener.called(method, queuedNanos, ranNanos, failure));
    }

    @Override
    public void rejected(String method) {
        safely(() -> listener.rejected(method));
    }

    @Override
    public void timedOut(String method, long queuedNanos, long ranNanos) {
        safely(() -> listener.timedOut(method, queuedNanos, ranNanos));
    }

    @Override
    public void instanceStarted(int index) {
        safely(() -> listener.instanceStarted(index));
    }

    @Override
    public void instanceFailed(int index, Throwable failure) {
        safely(() -> listener.instanceFailed(index, failure));
    }

    @Override
    public void instanceRestarted(int index, Throwable failure) {
        safely(() -> listener.instanceRestarted(index, failure));
    }

    @Override
    public void instanceStopped(int index) {
        safely(() -> listener.instanceStopped(index));
    }

    @Override
    public void resized(int size, int min, int max) {
        safely(() -> listener.resized(size, min, max));
    }

    @Override
    public @Nullable Object beginCall(String method) {
        try {
            return listener.beginCall(method);
        } catch (Throwable e) {
            log(e);
            return null;
        }
    }

    @Override
    public void endCall(@Nullable Object span, @Nullable Throwable failure) {
        safely(() -> listener.endCall(span, failure));
    }

    private void safely(Runnable told) {
        try {
            told.run();
        } catch (Throwable e) {
            log(e);
        }
    }

    private void log(Throwable failure) {
        LOG.log(Level.WARNING, "Pool " + pool + ": the listener failed; the call goes on", failure);
    }
}
