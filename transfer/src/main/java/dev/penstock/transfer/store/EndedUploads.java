package dev.penstock.transfer.store;

import java.util.LinkedHashMap;
import java.util.Map;

/** The last uploads that were deleted or have expired, so that their owners hear that and not "not found". */
final class EndedUploads {
    private static final int MOST = 1_024;

    private final Map<String, String> owners =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
                    return size() > MOST;
                }
            };

    synchronized void add(String id, String owner) {
        owners.put(id, owner);
    }

    synchronized boolean has(String id, String owner) {
        return owner.equals(owners.get(id));
    }
}
