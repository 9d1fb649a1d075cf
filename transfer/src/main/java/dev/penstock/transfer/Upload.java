package dev.penstock.transfer;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An upload at a moment, as an application sees it. Immutable.
 *
 * @param id unguessable, 22 characters; the last segment of its path
 * @param owner to whom it belongs; empty where requests are not authenticated
 * @param fileName what the client calls it, without any folder; nothing where it has not said
 * @param mediaType as the client says; not checked
 * @param length of the whole, in bytes; nothing as long as the client has not said it
 * @param offset the number of bytes that are there
 * @param isComplete whether all of it is there and was accepted
 * @param created when it was begun
 * @param expires when it is removed unless something comes before
 * @param facts what its protocol keeps with it, such as {@code Upload-Metadata} as it was sent
 */
public record Upload(
        String id,
        String owner,
        Optional<String> fileName,
        Optional<String> mediaType,
        OptionalLong length,
        long offset,
        boolean isComplete,
        Instant created,
        Instant expires,
        Map<String, String> facts) {
    /** An upload. */
    public Upload {
        facts = Map.copyOf(facts);
    }

    /**
     * The metadata that a client of tus has sent with it, decoded as UTF-8, in its order; empty for others. It is text
     * from outside: whatever it says, nobody has checked it.
     */
    public Map<String, String> metadata() {
        return UploadMetadata.parse(facts.getOrDefault(UploadMetadata.HEADER, "")).texts();
    }
}
