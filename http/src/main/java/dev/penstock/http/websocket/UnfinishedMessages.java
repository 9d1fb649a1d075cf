package dev.penstock.http.websocket;

import dev.penstock.http.websocket.WebSocketMessages.Refused;
import java.util.HashMap;
import java.util.Map;

/**
 * The compressed messages that are given to listeners in parts and of which the last has not come, by clients. Each
 * holds an engine for as long as its client likes, so a client has at most a quarter of those that there may be.
 * Thread-safe.
 */
final class UnfinishedMessages {
    private static final int ENGINE_BYTES = 53 * 1024;
    private static final int SHARE_OF_HEAP = 16;
    private static final int LEAST = 64;
    private static final int MOST = 16 * 1024;
    private static final int SHARE_OF_CLIENT = 4;

    /** Those of the process: as many as a sixteenth of the heap would hold. */
    static final UnfinishedMessages OF_PROCESS =
            new UnfinishedMessages(
                    Math.clamp(
                            Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / ENGINE_BYTES,
                            LEAST,
                            MOST));

    private final int most;
    private final int mostOfClient;

    /** How many each client has that has any; guarded by this object. */
    private final Map<Long, Integer> ofClients = new HashMap<>();

    private int count;

    UnfinishedMessages(int most) {
        this.most = most;
        mostOfClient = most / SHARE_OF_CLIENT;
    }

    /**
     * Counts another one of a client.
     *
     * @throws Refused if it has as many as it may, or if all have
     */
    synchronized void begin(Long client) throws Refused {
        int had = ofClients.getOrDefault(client, 0);
        if (had >= mostOfClient) {
            throw new Refused(
                    1013,
                    "This client has %d compressed messages under way, the most: end one first"
                            .formatted(had));
        }
        if (count >= most) {
            throw new Refused(1013, "Too many compressed messages are under way: try later");
        }
        ofClients.put(client, had + 1);
        count++;
    }

    /** The last part of one has come, or it will not. */
    synchronized void end(Long client) {
        ofClients.computeIfPresent(client, (_, had) -> had == 1 ? null : had - 1);
        count--;
    }
}
