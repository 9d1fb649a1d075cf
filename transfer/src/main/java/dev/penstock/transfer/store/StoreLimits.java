package dev.penstock.transfer.store;

/**
 * The limits on what a store keeps. Bytes are reserved when an upload is created, if its length is known, else as it
 * grows, and given back when it is complete, deleted or expired: a quota bounds what is unfinished, and the parts of
 * uploads that were not put together yet. Files that are complete are the application's.
 *
 * @param uploadBytes of one upload
 * @param ownerBytes of all uploads of an owner
 * @param totalBytes of all uploads
 * @param ownerUploads the number of unfinished uploads of an owner; 1,000
 * @param totalUploads the number of uploads, with those complete ones whose state is kept; 10,000. Where it is reached,
 *     the oldest complete one is forgotten for a new one
 * @param freeBytes of the disk that uploads leave free; 64 MiB
 */
public record StoreLimits(
        long uploadBytes,
        long ownerBytes,
        long totalBytes,
        int ownerUploads,
        int totalUploads,
        long freeBytes) {
    private static final int OWNER_UPLOADS = 1_000;
    private static final int TOTAL_UPLOADS = 10_000;
    private static final long FREE_BYTES = 64L << 20;

    /** Checks them. */
    public StoreLimits {
        requirePositive("uploadBytes", uploadBytes);
        requirePositive("ownerBytes", ownerBytes);
        requirePositive("totalBytes", totalBytes);
        requirePositive("ownerUploads", ownerUploads);
        requirePositive("totalUploads", totalUploads);
        if (freeBytes < 0) {
            throw new IllegalArgumentException(
                    "freeBytes is %d; it must not be negative".formatted(freeBytes));
        }
    }

    /** As many bytes as the disk has, and the numbers above. */
    public static StoreLimits defaults() {
        return new StoreLimits(
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                OWNER_UPLOADS,
                TOTAL_UPLOADS,
                FREE_BYTES);
    }

    /**
     * Bounds the bytes: of one upload, of an owner's and of all; {@code Long.MAX_VALUE} for as many as there is room.
     */
    public StoreLimits withBytes(long upload, long owner, long total) {
        return new StoreLimits(upload, owner, total, ownerUploads, totalUploads, freeBytes);
    }

    /** Bounds the number of uploads: of an owner's unfinished ones, and of all. */
    public StoreLimits withUploads(int owner, int total) {
        return new StoreLimits(uploadBytes, ownerBytes, totalBytes, owner, total, freeBytes);
    }

    /** Leaves so many bytes of the disk free. */
    public StoreLimits withFreeBytes(long value) {
        return new StoreLimits(
                uploadBytes, ownerBytes, totalBytes, ownerUploads, totalUploads, value);
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(
                    "%s is %d; it must be positive".formatted(name, value));
        }
    }
}
