package dev.penstock.http.form;

/**
 * The bounds of a multipart body. What is beyond them is answered with 413. The body as a whole is also bounded by
 * {@code ServerBuilder.maxBody}, 16 MiB unless set. Immutable.
 *
 * @param parts the most parts, fields and files together
 * @param partBytes the most bytes of one part's content
 * @param totalBytes the most bytes of all parts' content together
 * @param headBytes the most bytes of one part's head, from 256 to 8,192
 * @param nameBytes the most bytes, in UTF-8, of a part's name, and of its file name
 */
public record MultipartLimits(
        int parts, long partBytes, long totalBytes, int headBytes, int nameBytes) {
    /** 1,000 parts of any size that the server takes, with heads of 4 KiB and names of 255 bytes. */
    public static final MultipartLimits DEFAULT =
            new MultipartLimits(1_000, Long.MAX_VALUE, Long.MAX_VALUE, 4 * 1024, 255);

    private static final int LEAST_HEAD = 256;
    private static final int MOST_HEAD = 8 * 1024;

    /**
     * Limits.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public MultipartLimits {
        check("parts", parts, 1, Integer.MAX_VALUE);
        check("partBytes", partBytes, 1, Long.MAX_VALUE);
        check("totalBytes", totalBytes, 1, Long.MAX_VALUE);
        check("headBytes", headBytes, LEAST_HEAD, MOST_HEAD);
        check("nameBytes", nameBytes, 1, MOST_HEAD);
    }

    /** The same with another number of parts. */
    public MultipartLimits withParts(int count) {
        return new MultipartLimits(count, partBytes, totalBytes, headBytes, nameBytes);
    }

    /** The same with another size of each part. */
    public MultipartLimits withPartBytes(long bytes) {
        return new MultipartLimits(parts, bytes, totalBytes, headBytes, nameBytes);
    }

    /** The same with another size of all parts together. */
    public MultipartLimits withTotalBytes(long bytes) {
        return new MultipartLimits(parts, partBytes, bytes, headBytes, nameBytes);
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s is %d; it must be from %d to %d".formatted(name, value, least, most));
        }
    }
}
