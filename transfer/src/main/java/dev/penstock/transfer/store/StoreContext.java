package dev.penstock.transfer.store;

import dev.penstock.transfer.Durability;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.store.journal.Disk;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The state that the parts of an open store share. */
final class StoreContext {
    /** Of the store's log. */
    static final System.Logger LOGGER = System.getLogger("dev.penstock.transfer.store");

    /** The directory of the files that are complete. */
    final Path directory;

    /** The directory of the directories of uploads. */
    final Path uploads;

    final StoreSettings settings;
    final UploadHooks hooks;
    final Disk disk;

    /** Random where the system does not tell: then nothing counts but what was forced. */
    final UUID boot;

    final Durability durability;
    final Reservations reservations;
    final WriteBack writeBack = new WriteBack();
    final BufferPool buffers = new BufferPool();
    final Map<String, UploadEntry> entries = new ConcurrentHashMap<>();
    final EndedUploads ended = new EndedUploads();
    volatile boolean closed;

    StoreContext(
            Path directory, Path uploads, StoreSettings settings, UploadHooks hooks, Disk disk) {
        this.directory = directory;
        this.uploads = uploads;
        this.settings = settings;
        this.hooks = hooks;
        this.disk = disk;
        boot = disk.boot().orElseGet(UUID::randomUUID);
        durability = disk.boot().isPresent() ? settings.durability() : Durability.ACKNOWLEDGED;
        reservations = new Reservations(settings.limits(), disk, directory);
    }

    /** Returns whether anything is ever forced. */
    boolean forces() {
        return durability != Durability.PROCESS;
    }

    long now() {
        return settings.clock().millis();
    }
}
