package dev.penstock.transfer.client.resume;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A set of positions in a file, as ranges that neither overlap nor touch. It is for one thread at a time. */
final class RangeSet {
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    /** Adds the positions from one to before another. */
    void add(long from, long to) {
        if (from >= to) {
            return;
        }
        long start = from;
        long end = to;
        Map.Entry<Long, Long> before = ends.floorEntry(start);
        if (before != null && before.getValue() >= start) {
            start = before.getKey();
            end = Math.max(end, before.getValue());
        }
        Map.Entry<Long, Long> next;
        while ((next = ends.ceilingEntry(start)) != null && next.getKey() <= end) {
            end = Math.max(end, next.getValue());
            ends.remove(next.getKey());
        }
        ends.put(start, end);
    }

    /** The number of positions in it. */
    long total() {
        long total = 0;
        for (Map.Entry<Long, Long> range : ends.entrySet()) {
            total += range.getValue() - range.getKey();
        }
        return total;
    }

    /** The ranges, in order. */
    List<ByteSpan> ranges() {
        List<ByteSpan> ranges = new ArrayList<>();
        ends.forEach((from, to) -> ranges.add(new ByteSpan(from, to)));
        return ranges;
    }

    /** What is missing of the positions before a length, in order. */
    List<ByteSpan> gaps(long length) {
        List<ByteSpan> gaps = new ArrayList<>();
        long at = 0;
        for (Map.Entry<Long, Long> range : ends.entrySet()) {
            if (range.getKey() > at) {
                gaps.add(new ByteSpan(at, Math.min(range.getKey(), length)));
            }
            at = range.getValue();
        }
        if (at < length) {
            gaps.add(new ByteSpan(at, length));
        }
        return gaps;
    }

    void clear() {
        ends.clear();
    }
}
