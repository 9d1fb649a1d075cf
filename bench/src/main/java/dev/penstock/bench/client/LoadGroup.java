package dev.penstock.bench.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Counts what the connections of one group see. Not thread-safe. */
final class LoadGroup {
    private static final int DIGITS = 3;

    /** Of how many parts of the answers the latency is told. */
    static final int PARTS = 100;

    private final Load.Group group;
    private final byte[] request;
    private final long opens;
    private final long closes;
    private final Histogram latency = new Histogram(DIGITS);
    private final Histogram firstByte = new Histogram(DIGITS);
    private final Histogram firstRow = new Histogram(DIGITS);
    private final Map<String, Long> failures = new TreeMap<>();
    private long completed;
    private long pending;
    private long bytesInWindow;
    private long completedAtAll;
    private long completedBytes;

    LoadGroup(Load.Group group, long opens, long closes, int port) {
        this.group = group;
        this.opens = opens;
        this.closes = closes;
        request = ResponseReader.request(group.path(), port);
    }

    public Load.Group group() {
        return group;
    }

    /** Whether its clients ask again as soon as they have their answer, all from the start. */
    public boolean asksInTurn() {
        return group.interval().isZero();
    }

    public byte[] request() {
        return request;
    }

    public boolean inWindow(long now) {
        return now >= opens && now < closes;
    }

    public void bytes(long count) {
        bytesInWindow += count;
    }

    public void firstByte(long intended, long now) {
        if (inWindow(now)) {
            firstByte.recordValue(Math.max(0, now - intended));
        }
    }

    public void firstRow(long intended, long now) {
        if (inWindow(now)) {
            firstRow.recordValue(Math.max(0, now - intended));
        }
    }

    public void completed(long intended, long now, long bodyBytes) {
        completedAtAll++;
        completedBytes += bodyBytes;
        if (inWindow(now)) {
            completed++;
            latency.recordValue(Math.max(0, now - intended));
        }
    }

    /** Counts a failure, and takes its bytes off again. */
    public void failed(String kind, long bytesInWindow) {
        failures.merge(kind, 1L, Long::sum);
        this.bytesInWindow -= bytesInWindow;
    }

    public void pending(long intended, long now) {
        pending++;
        latency.recordValue(Math.max(0, now - intended));
    }

    public LoadFigures figures(long ended) {
        double seconds = Math.max(1, ended - opens) / 1e9;
        double meanBytes =
                completedAtAll > 0
                        ? (double) completedBytes / completedAtAll
                        : group.expected().typicalBytes();
        return new LoadFigures(
                completed,
                failures,
                pending,
                bytesInWindow / seconds,
                meanBytes > 0 ? bytesInWindow / meanBytes / seconds * 60 : completed / seconds * 60,
                latency.getTotalCount() == 0 ? 0 : latency.getMean() / 1e6,
                milliseconds(latency, 50),
                milliseconds(latency, 99),
                milliseconds(latency, 100),
                milliseconds(firstByte, 50),
                milliseconds(firstByte, 99),
                milliseconds(firstRow, 50),
                milliseconds(firstRow, 99),
                meanBytes,
                quantiles(latency));
    }

    private static List<Double> quantiles(Histogram histogram) {
        List<Double> quantiles = new ArrayList<>();
        for (int i = 0; i <= PARTS && histogram.getTotalCount() > 0; i++) {
            quantiles.add(milliseconds(histogram, 100.0 * i / PARTS));
        }
        return quantiles;
    }

    private static double milliseconds(Histogram histogram, double percentile) {
        return histogram.getTotalCount() == 0
                ? 0
                : histogram.getValueAtPercentile(percentile) / 1e6;
    }
}
