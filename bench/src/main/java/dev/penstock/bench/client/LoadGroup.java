package dev.penstock.bench.client;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The counts of what the connections of one group see. For one thread. */
final class LoadGroup {
    private static final int DIGITS = 3;

    private final Load.Group group;
    private final long opens;
    private final long closes;
    private final Histogram latency = new Histogram(DIGITS);
    private final Histogram firstByte = new Histogram(DIGITS);
    private final Histogram firstRow = new Histogram(DIGITS);
    private final Histogram refusal = new Histogram(DIGITS);
    private final Map<String, Long> failures = new TreeMap<>();
    private long completed;
    private long pending;
    private long bytesInWindow;
    private long completedAtAll;
    private long completedBytes;

    LoadGroup(Load.Group group, long opens, long closes) {
        this.group = group;
        this.opens = opens;
        this.closes = closes;
    }

    Load.Group group() {
        return group;
    }

    boolean inWindow(long now) {
        return now >= opens && now < closes;
    }

    void bytes(long count) {
        bytesInWindow += count;
    }

    void firstByte(long intended, long now) {
        record(firstByte, intended, now);
    }

    void firstRow(long intended, long now) {
        record(firstRow, intended, now);
    }

    private void record(Histogram into, long intended, long now) {
        if (inWindow(now)) {
            into.recordValue(Math.max(0, now - intended));
        }
    }

    void completed(long intended, long now, long bodyBytes) {
        completedAtAll++;
        completedBytes += bodyBytes;
        completed += inWindow(now) ? 1 : 0;
        record(latency, intended, now);
    }

    /** Counts a failure, and takes its bytes off again. */
    void failed(String kind, long bytesInWindow) {
        failures.merge(kind, 1L, Long::sum);
        this.bytesInWindow -= bytesInWindow;
    }

    /** Counts a refusal that says when to ask again as a failure, with its time. */
    void refused(String kind, long intended, long now, long bytesInWindow) {
        record(refusal, intended, now);
        failed(kind, bytesInWindow);
    }

    void pending(long intended, long now) {
        pending++;
        latency.recordValue(Math.max(0, now - intended));
    }

    LoadFigures figures(long ended) {
        double minutes = Math.max(1, ended - opens) / 60e9;
        double meanBytes =
                completedAtAll > 0
                        ? (double) completedBytes / completedAtAll
                        : group.script().step(0, 0).expected().typicalBytes();
        return new LoadFigures(
                completed,
                failures,
                pending,
                bytesInWindow / minutes / 60,
                (meanBytes > 0 ? bytesInWindow / meanBytes : completed) / minutes,
                meanBytes,
                LoadFigures.Latency.of(latency),
                LoadFigures.Latency.of(firstByte),
                LoadFigures.Latency.of(firstRow),
                LoadFigures.Latency.of(refusal));
    }
}
