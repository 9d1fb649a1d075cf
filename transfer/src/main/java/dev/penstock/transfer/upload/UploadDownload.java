package dev.penstock.transfer.upload;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.MediaType;
import dev.penstock.http.files.ContentDisposition;
import dev.penstock.http.files.FileResponse;
import dev.penstock.transfer.store.NewUpload;
import dev.penstock.transfer.store.UploadState;
import dev.penstock.transfer.store.UploadStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The bytes of a complete upload as a response, with ranges and conditions. They come from strangers, so that a browser
 * is told to store them and not to show them, to believe the media type, and to let them do nothing. Thread-safe.
 */
final class UploadDownload {
    private final UploadStore store;
    private final UploadSettings settings;

    UploadDownload(UploadStore store, UploadSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    void send(Exchange exchange, String id) throws IOException {
        String owner = settings.owner().apply(exchange);
        UploadState state = store.state(id, owner);
        if (!state.isComplete()) {
            throw new HttpException(
                            409,
                            "The upload is not complete: %d bytes are there; HEAD with Tus-Resumable or"
                                            .formatted(state.offset())
                                    + " Upload-Draft-Interop-Version says how far it is")
                    .with("offset", state.offset());
        }
        NewUpload created = state.created();
        Path file = store.file(id, owner);
        exchange.header("Cache-Control", "private, no-cache")
                .header(
                        "Content-Disposition",
                        ContentDisposition.attachment(created.fileName().orElse(id)))
                .header("Content-Security-Policy", "default-src 'none'; sandbox")
                .header("X-Content-Type-Options", "nosniff");
        Optional<String> type = created.mediaType().flatMap(UploadDownload::valid);
        if (type.isPresent()) {
            FileResponse.send(exchange, file, type.get());
        } else if (created.fileName().isPresent()) {
            FileResponse.send(exchange, file);
        } else {
            FileResponse.send(exchange, file, "application/octet-stream");
        }
    }

    /** What a client has said, if it is a media type that a header can have. */
    private static Optional<String> valid(String type) {
        try {
            MediaType parsed = MediaType.parse(type);
            boolean isText = type.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
            return isText && !parsed.subtype().isEmpty() ? Optional.of(type) : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
