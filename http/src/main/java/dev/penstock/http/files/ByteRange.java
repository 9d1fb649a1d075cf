package dev.penstock.http.files;

import dev.penstock.http.HttpException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A range of bytes of a file (RFC 9110, section 14.1.2).
 *
 * @param first the first byte, from 0
 * @param length at least 1
 */
record ByteRange(long first, long length) {
    /** A header with more ranges is ignored, as Apache does: its answer would be more heads than bytes. */
    static final int MOST = 200;

    private static final String UNIT = "bytes=";

    /** A range that is not yet cut to the file's length; the last byte is before the first where it has none. */
    private record Span(long first, long last) {
        /** Returns null if it is malformed. */
        static @Nullable Span parse(String spec, long size) {
            int dash = spec.indexOf('-');
            String before = dash < 0 ? "" : spec.substring(0, dash);
            String after = spec.substring(dash + 1);
            boolean isNumbers = isNumber(before) && isNumber(after);
            if (dash < 0 || !isNumbers || (before.isEmpty() && after.isEmpty())) {
                return null;
            }
            if (before.isEmpty()) {
                return new Span(Math.max(0, size - number(after)), size - 1);
            }
            long first = number(before);
            long last = after.isEmpty() ? Long.MAX_VALUE : number(after);
            return last < first ? null : new Span(first, Math.min(last, size - 1));
        }

        private static boolean isNumber(String text) {
            return text.chars().allMatch(c -> c >= '0' && c <= '9');
        }

        /** A number beyond those of 64 bits is as good as the largest of them. */
        private static long number(String digits) {
            try {
                return Long.parseLong(digits);
            } catch (NumberFormatException _) {
                return Long.MAX_VALUE;
            }
        }
    }

    /**
     * Reads a {@code Range} header. Ranges that overlap or touch become one, in the place of the first of them.
     *
     * @param size of the file, in bytes
     * @return the ranges; nothing where the header is to be ignored: of another unit, malformed, of more than {@value
     *     #MOST} ranges, or about an empty file, of which there are no parts
     * @throws HttpException (416) if none of them has a byte of the file
     */
    static Optional<List<ByteRange>> parse(String header, long size) {
        String text = header.strip();
        if (size == 0 || !text.regionMatches(true, 0, UNIT, 0, UNIT.length())) {
            return Optional.empty();
        }
        String[] specs = text.substring(UNIT.length()).split(",", MOST + 1);
        List<ByteRange> ranges = new ArrayList<>();
        int given = 0;
        for (String spec : specs) {
            // A list may have empty elements (RFC 9110, section 5.6.1.2).
            if (spec.isBlank()) {
                continue;
            }
            Span span = Span.parse(spec.strip(), size);
            if (span == null) {
                return Optional.empty();
            }
            given++;
            if (span.first <= span.last) {
                ranges.add(new ByteRange(span.first, span.last - span.first + 1));
            }
        }
        if (given == 0 || given > MOST) {
            return Optional.empty();
        }
        if (ranges.isEmpty()) {
            throw new HttpException(
                            416, "The file has " + size + " bytes, none of them in the range")
                    .header("Content-Range", "bytes */" + size);
        }
        return Optional.of(ranges.size() == 1 ? ranges : coalesced(ranges));
    }

    /** Returns ranges without overlaps, in the order in which the first byte of each was asked for. */
    private static List<ByteRange> coalesced(List<ByteRange> asked) {
        List<ByteRange> ascending = new ArrayList<>(asked);
        ascending.sort(Comparator.comparingLong(ByteRange::first));
        List<ByteRange> merged = new ArrayList<>();
        ByteRange current = ascending.getFirst();
        for (ByteRange next : ascending.subList(1, ascending.size())) {
            if (next.first <= current.end()) {
                long end = Math.max(current.end(), next.end());
                current = new ByteRange(current.first, end - current.first);
            } else {
                merged.add(current);
                current = next;
            }
        }
        merged.add(current);
        merged.sort(Comparator.comparingInt(range -> range.indexIn(asked)));
        return merged;
    }

    /** Returns the place of the first range that this one contains. */
    private int indexIn(List<ByteRange> asked) {
        for (int i = 0; i < asked.size(); i++) {
            ByteRange part = asked.get(i);
            if (first <= part.first && part.end() <= end()) {
                return i;
            }
        }
        return asked.size();
    }

    /** The position behind the last byte. */
    private long end() {
        return first + length;
    }

    /** Returns the value of {@code Content-Range}. */
    String header(long size) {
        return "bytes %d-%d/%d".formatted(first, end() - 1, size);
    }
}
