package dev.penstock.demo;

/**
 * How late answers are, between two looks. Counted in classes, each an eighth wider than the one before, so that it is some
 * hundreds of bytes however many there are. Thread-safe.
 */
final class Lateness {
    private static final int CLASSES = 160;
    private static final double WIDTH = 1.125;
    private static final double LEAST_MILLIS = 0.001;
    private static final double NANOS_A_MILLI = 1e6;

    private int[] counts = new int[CLASSES];
    private int count;
    private long most;

    /**
     * What was counted.
     *
     * @param medianMillis half of the answers were less late, within an eighth
     * @param p99Millis one in a hundred was later, within an eighth
     */
    record Figures(int count, double medianMillis, double p99Millis, double mostMillis) {}

    synchronized void add(long nanos) {
        double millis = Math.max(0, nanos) / NANOS_A_MILLI;
        int slot = (int) Math.ceil(Math.log(millis / LEAST_MILLIS) / Math.log(WIDTH));
        counts[Math.clamp(slot, 0, CLASSES - 1)]++;
        count++;
        most = Math.max(most, nanos);
    }

    /** What was counted since the last time. */
    synchronized Figures take() {
        Figures figures = new Figures(count, quantile(0.5), quantile(0.99), most / NANOS_A_MILLI);
        counts = new int[CLASSES];
        count = 0;
        most = 0;
        return figures;
    }

    private double quantile(double part) {
        long rank = (long) Math.ceil(part * count);
        long seen = 0;
        for (int i = 0; i < CLASSES && count > 0; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Math.min(LEAST_MILLIS * Math.pow(WIDTH, i), most / NANOS_A_MILLI);
            }
        }
        return 0;
    }
}
