package dev.penstock.transfer.store;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * The state of an upload at a moment.
 *
 * @param id unguessable; a segment of a path as it is
 * @param offset the number of bytes that are there and stay there
 * @param length of the whole; nothing as long as it is not known
 * @param isComplete whether all of it is there and was accepted
 * @param createdAt when it was begun
 * @param expires when it is removed unless something comes before
 * @param created what it was created with
 */
public record UploadState(
        String id,
        long offset,
        OptionalLong length,
        boolean isComplete,
        Instant createdAt,
        Instant expires,
        NewUpload created) {}
