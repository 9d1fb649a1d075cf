package dev.penstock.http.files;

import dev.penstock.http.HttpException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A range of bytes of a file (RFC 9110, section 14.1.2).
 *
 * @param first the first byte, from 0
 * @param length at least 1
 */
record ByteRange(long first, long length) {
    /** Beyond it, whoever asks wants the file in crumbs. */
    private static final int MOST = 16;

    /**
     * Reads a {@code Range} header.
     *
     * @return the ranges; nothing where the header is to be ignored: of another unit, malformed, more than 16, or of
     *     more bytes together than the file has
     * @throws HttpException (416) if none of them has a byte of the file
     */
    static Optional<List<ByteRange>> parse(String header, long size) {
        String text = header.strip().toLowerCase(Locale.ROOT);
        if (!text.startsWith("bytes=")) {
            return Optional.empty();
        }
        List<ByteRange> ranges = new ArrayList<>();
        String[] specs = text.substring("bytes=".length()).split(",", MOST + 2);
        long bytes = 0;
        for (String spec : specs) {
            String trimmed = spec.strip();
            int dash = trimmed.indexOf('-');
            if (!trimmed.matches("[0-9]{1,18}-[0-9]{0,18}|-[0-9]{1,18}")) {
                return Optional.empty();
            }
            long last = dash + 1 == trimmed.length() ? Long.MAX_VALUE : number(trimmed, dash + 1);
            long first =
                    dash == 0 ? Math.max(0, size - last) : number(trimmed.substring(0, dash), 0);
            long end = dash == 0 ? size : Math.min(size, last == Long.MAX_VALUE ? size : last + 1);
            if (dash > 0 && last < first) {
                return Optional.empty();
            }
            if (first < end) {
                ranges.add(new ByteRange(first, end - first));
                bytes += end - first;
            }
        }
        if (specs.length > MOST || (bytes > size && ranges.size() > 1)) {
            return Optional.empty();
        }
        if (ranges.isEmpty()) {
            throw new HttpException(
                            416, "The file has " + size + " bytes, none of them in the range")
                    .header("Content-Range", "bytes */" + size);
        }
        return Optional.of(ranges);
    }

    private static long number(String text, int from) {
        return Long.parseLong(text.substring(from));
    }

    /** Returns the value of {@code Content-Range}. */
    String header(long size) {
        return "bytes %d-%d/%d".formatted(first, first + length - 1, size);
    }
}
