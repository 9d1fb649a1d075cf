package dev.penstock.follow.binlog;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * UUIDs, as the log has them: without the zeros at the end, and those of the versions 1 to 5 with the five groups of
 * their text in reverse order. Servers do so from MariaDB 10.11.5, 11.1.2 and 11.2 on; earlier ones reverse all.
 */
final class UuidBytes {
    private static final int LENGTH = 16;
    private static final int REVERSED_VERSION = 8;
    private static final int REVERSED_VARIANT = 6;

    private UuidBytes() {}

    static @Nullable UUID value(byte[] cell) {
        if (cell.length > LENGTH) {
            return null;
        }
        byte[] stored = Arrays.copyOf(cell, LENGTH);
        int version = stored[REVERSED_VERSION] & 0xFF;
        boolean reversed = (stored[REVERSED_VARIANT] & 0x80) != 0 && version > 0 && version < 0x60;
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        if (reversed) {
            bytes.put(stored, 12, 4)
                    .put(stored, 10, 2)
                    .put(stored, 8, 2)
                    .put(stored, 6, 2)
                    .put(stored, 0, 6);
        } else {
            bytes.put(stored);
        }
        bytes.flip();
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    /** Returns whether a server of this version, such as {@code 11.4.5-MariaDB}, writes UUIDs so. */
    static boolean writtenBy(String version) {
        String[] parts = version.split("[^0-9]+", 4);
        if (parts.length < 3) {
            return false;
        }
        try {
            int release = Integer.parseInt(parts[0]) * 1000 + Integer.parseInt(parts[1]);
            int patch = Integer.parseInt(parts[2]);
            return switch (release) {
                case 10_011 -> patch >= 5;
                case 11_000 -> patch >= 3;
                case 11_001 -> patch >= 2;
                default -> release >= 11_002;
            };
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
