package dev.penstock.documents;

/**
 * The bounds of one conversion. What exceeds one is refused with a {@link DocumentException} of kind {@code LIMIT} that
 * names it.
 *
 * @param depth elements that are open at once
 * @param attributes attributes and namespace declarations of one element
 * @param nameLength characters of a qualified name
 * @param distinctNames different names in one document
 * @param textLength characters of one text, attribute value, comment or processing instruction
 * @param totalBytes bytes that are read
 * @param temporaryBytes bytes of the temporary file
 * @param memoryBytes bytes of unfinished values that are held in memory; beyond a half of them, they go to the
 *     temporary file
 */
public record DocumentLimits(
        int depth,
        int attributes,
        int nameLength,
        int distinctNames,
        int textLength,
        long totalBytes,
        long temporaryBytes,
        int memoryBytes) {
    private static final DocumentLimits DEFAULTS =
            new DocumentLimits(
                    5_000, 1_000, 1_000, 20_000, 16_000_000, 8L << 30, 16L << 30, 16_000_000);

    public DocumentLimits {
        require("depth", depth, 1, 10_000);
        require("attributes", attributes, 1, 1_000_000);
        require("nameLength", nameLength, 1, 1_000_000);
        require("distinctNames", distinctNames, 1, 1_000_000);
        require("textLength", textLength, 1, 500_000_000);
        require("totalBytes", totalBytes, 1, Long.MAX_VALUE);
        require("temporaryBytes", temporaryBytes, 0, Long.MAX_VALUE);
        require("memoryBytes", memoryBytes, 1_000, 1_000_000_000);
    }

    private static void require(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "Can't take %s %d as a limit; it must be %d to %d"
                            .formatted(name, value, least, most));
        }
    }

    /**
     * Returns 5,000 levels, 1,000 attributes, names of 1,000 characters and 20,000 of them, texts of 16,000,000
     * characters, 8 GiB read, 16 GiB in the temporary file, and 16,000,000 bytes in memory.
     */
    public static DocumentLimits defaults() {
        return DEFAULTS;
    }

    public DocumentLimits withDepth(int value) {
        return new DocumentLimits(
                value,
                attributes,
                nameLength,
                distinctNames,
                textLength,
                totalBytes,
                temporaryBytes,
                memoryBytes);
    }

    public DocumentLimits withAttributes(int value) {
        return new DocumentLimits(
                depth,
                value,
                nameLength,
                distinctNames,
                textLength,
                totalBytes,
                temporaryBytes,
                memoryBytes);
    }

    public DocumentLimits withNameLength(int value) {
        return new DocumentLimits(
                depth,
                attributes,
                value,
                distinctNames,
                textLength,
                totalBytes,
                temporaryBytes,
                memoryBytes);
    }

    public DocumentLimits withDistinctNames(int value) {
        return new DocumentLimits(
                depth,
                attributes,
                nameLength,
                value,
                textLength,
                totalBytes,
                temporaryBytes,
                memoryBytes);
    }

    public DocumentLimits withTextLength(int value) {
        return new DocumentLimits(
                depth,
                attributes,
                nameLength,
                distinctNames,
                value,
                totalBytes,
                temporaryBytes,
                memoryBytes);
    }

    public DocumentLimits withTotalBytes(long value) {
        return new DocumentLimits(
                depth,
                attributes,
                nameLength,
                distinctNames,
                textLength,
                value,
                temporaryBytes,
                memoryBytes);
    }

    public DocumentLimits withTemporaryBytes(long value) {
        return new DocumentLimits(
                depth,
                attributes,
                nameLength,
                distinctNames,
                textLength,
                totalBytes,
                value,
                memoryBytes);
    }

    public DocumentLimits withMemoryBytes(int value) {
        return new DocumentLimits(
                depth,
                attributes,
                nameLength,
                distinctNames,
                textLength,
                totalBytes,
                temporaryBytes,
                value);
    }
}
