package dev.penstock.transfer.store.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The name of the time since the machine was started. As long as it is the same, all that was ever written to files is
 * there, whatever became of the process that wrote it.
 */
public final class Boot {
    private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

    private Boot() {}

    /** Asks the system for it; nothing where the system has none. */
    public static Optional<UUID> current() {
        try {
            return Optional.of(UUID.fromString(Files.readString(LINUX).strip()));
        } catch (IOException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
