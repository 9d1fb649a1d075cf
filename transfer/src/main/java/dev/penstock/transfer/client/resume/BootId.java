package dev.penstock.transfer.client.resume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The identity of the running system since its start: what was written, but not forced, is there as long as it stays.
 */
final class BootId {
    private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /** The identity; {@code unknown} where the system does not tell, and then no start is noticed. */
    static String current() {
        try {
            return Files.readString(LINUX).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
