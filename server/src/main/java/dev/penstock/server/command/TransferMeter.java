package dev.penstock.server.command;

/** The rate of a transfer, smoothed over some seconds. Not thread-safe. */
final class TransferMeter {
    private static final double SECONDS_SMOOTHED = 4;
    private static final double LEAST_SECONDS = 0.2;

    private long lastNanos;
    private long lastBytes;
    private double rate;

    /**
     * A meter that begins now.
     *
     * @param bytes that were there before
     */
    TransferMeter(long nanos, long bytes) {
        lastNanos = nanos;
        lastBytes = bytes;
    }

    /** Notes how many bytes there are at a time, and returns the bytes a second; 0 as long as nothing can be said. */
    double at(long nanos, long bytes) {
        double seconds = (nanos - lastNanos) / 1e9;
        if (seconds < LEAST_SECONDS) {
            return rate;
        }
        double latest = Math.max(0, bytes - lastBytes) / seconds;
        double weight = rate == 0 ? 1 : 1 - Math.exp(-seconds / SECONDS_SMOOTHED);
        rate += weight * (latest - rate);
        lastNanos = nanos;
        lastBytes = bytes;
        return rate;
    }
}
