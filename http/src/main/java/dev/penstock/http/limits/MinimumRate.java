package dev.penstock.http.limits;

import java.util.concurrent.TimeUnit;

/**
 * Measures whether a client keeps up. Kept as credit: waiting costs it at the minimum rate, bytes that move give it
 * back. It starts at, and never exceeds, what two windows cost, because what moves on the network shows in steps: a
 * receiver tells of room in its buffer only when it is half empty, so that 2 KiB/s look like 64 KiB every half minute.
 * So a client that stops is thrown out after two windows, one that is too slow some time later, and one at twice the
 * rate never.
 */
public final class MinimumRate {
    private final double bytesPerNano;
    private final double most;
    private double credit;
    private long lastBytes;
    private long lastNanos;
    private boolean waiting;

    /** For so many bytes a second; none are asked for where it is 0. */
    public MinimumRate(int bytesPerSecond, long windowNanos) {
        bytesPerNano = bytesPerSecond / (double) TimeUnit.SECONDS.toNanos(1);
        most = 2 * bytesPerNano * windowNanos;
        credit = most;
    }

    /** Another request, and so another count of bytes. */
    void restart() {
        credit = most;
        waiting = false;
    }

    /**
     * Called now and then.
     *
     * @param waits whether the client is what we wait for
     * @param bytes moved so far
     * @return false if the client is too slow
     */
    public boolean check(boolean waits, long bytes, long now) {
        if (bytesPerNano == 0) {
            return true;
        }
        if (!waits) {
            credit = most;
        } else if (waiting) {
            credit = Math.min(most, credit + (bytes - lastBytes));
            credit -= bytesPerNano * (now - lastNanos);
        }
        waiting = waits;
        lastBytes = bytes;
        lastNanos = now;
        return credit >= 0;
    }

    /** Returns whether a sixth of the credit is gone, which takes a client that stops a third of a window. */
    public boolean lags() {
        return bytesPerNano > 0 && credit < most - most / 6;
    }
}
