package dev.penstock.transfer.client.resume;

import dev.penstock.transfer.store.journal.Boot;
import java.util.UUID;

/** The word by which a state's journal names the time since the machine was started. */
final class BootId {
    private BootId() {}

    /** The word; {@code unknown} where the system does not tell, and then no start is noticed. */
    static String current() {
        return Boot.current().map(UUID::toString).orElse("unknown");
    }
}
