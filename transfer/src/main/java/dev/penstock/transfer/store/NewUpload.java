package dev.penstock.transfer.store;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An upload that is to be made.
 *
 * @param owner to whom it belongs; empty where requests are not authenticated
 * @param length of the whole, in bytes; nothing where it will be said later
 * @param fileName under which it is kept when it is complete; its identifier where it has none
 * @param facts what its protocol keeps with it, at most 8 KiB together
 * @param isPartial whether it is a part of another, and is never a file of its own
 */
public record NewUpload(
        String owner,
        OptionalLong length,
        Optional<String> fileName,
        Optional<String> mediaType,
        Map<String, String> facts,
        boolean isPartial) {
    public NewUpload {
        facts = Map.copyOf(facts);
    }
}
