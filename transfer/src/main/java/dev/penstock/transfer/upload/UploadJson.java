package dev.penstock.transfer.upload;

import dev.penstock.http.text.Json;
import dev.penstock.transfer.Upload;
import dev.penstock.transfer.store.UploadState;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Uploads as JSON. */
final class UploadJson {
    static final String MEDIA_TYPE = "application/json";

    private UploadJson() {}

    /** What an application sees of a state. */
    static Upload upload(UploadState state) {
        return new Upload(
                state.id(),
                state.created().owner(),
                state.created().fileName(),
                state.created().mediaType(),
                state.length(),
                state.offset(),
                state.isComplete(),
                state.createdAt(),
                state.expires(),
                state.created().facts());
    }

    /** The members of an upload's object; times are as in {@code 2026-01-31T12:00:00Z}. */
    static Map<String, @Nullable Object> members(UploadState state, String location) {
        Upload upload = upload(state);
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("id", upload.id());
        members.put("location", location);
        members.put("name", upload.fileName().orElse(null));
        members.put("type", upload.mediaType().orElse(null));
        members.put("length", upload.length().isPresent() ? upload.length().getAsLong() : null);
        members.put("offset", upload.offset());
        members.put("complete", upload.isComplete());
        members.put("created", upload.created());
        members.put("expires", upload.expires());
        return members;
    }

    static String object(UploadState state, String location) {
        return Json.object(members(state, location)) + "\n";
    }
}
