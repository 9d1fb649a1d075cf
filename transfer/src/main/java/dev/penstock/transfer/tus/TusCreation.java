package dev.penstock.transfer.tus;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.UploadMetadata;
import dev.penstock.transfer.store.Append;
import dev.penstock.transfer.store.NewUpload;
import dev.penstock.transfer.store.UploadState;
import dev.penstock.transfer.store.UploadStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The making of an upload by POST: the extensions creation, creation-with-upload and concatenation of tus. */
final class TusCreation {
    private static final String PARTIAL = "partial";
    private static final String FINAL = "final;";

    private final UploadStore store;
    private final TusSettings settings;

    TusCreation(UploadStore store, TusSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    void create(Exchange exchange) throws IOException {
        String concat = TusHeaders.single(exchange, TusHeaders.CONCAT).orElse("");
        UploadState made;
        if (concat.startsWith(FINAL)) {
            made = concatenate(exchange, concat);
        } else if (concat.isEmpty() || concat.equals(PARTIAL)) {
            made = begin(exchange, concat);
        } else {
            throw TusHeaders.invalid(
                    "Upload-Concat must be partial, or final; and the URLs of partial uploads");
        }
        exchange.status(201).header("Location", settings.location().apply(exchange, made.id()));
        TusProtocol.expires(exchange, made);
    }

    /** The announced length of the request's body; nothing where it is not known. */
    static OptionalLong bodyLength(Exchange exchange) {
        Optional<String> length = exchange.header("Content-Length");
        return length.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(length.get().strip()));
    }

    static TransferException tooLarge(long maxBytes) {
        return new TransferException(
                Kind.TOO_LARGE,
                "An upload may have %d bytes here, and this one would have more"
                        .formatted(maxBytes));
    }

    private UploadState begin(Exchange exchange, String concat) throws IOException {
        OptionalLong length = length(exchange);
        NewUpload upload = newUpload(exchange, length, concat);
        boolean hasBody = hasBody(exchange);
        TusChecksum checksum = TusChecksum.of(exchange);
        OptionalLong bodyLength = hasBody ? bodyLength(exchange) : OptionalLong.of(0);
        if (length.isPresent() && bodyLength.orElse(0) > length.getAsLong()) {
            throw new TransferException(
                    Kind.TOO_LARGE,
                    "The body has %d bytes, and Upload-Length is %d"
                            .formatted(bodyLength.getAsLong(), length.getAsLong()));
        }
        UploadState made = store.create(upload);
        if (!hasBody) {
            return made;
        }
        Append append =
                new Append(
                        checksum.watch(exchange.requestBody()),
                        bodyLength,
                        false,
                        checksum.expected(),
                        _ -> {});
        UploadState after = appendFirst(made, append);
        exchange.header(TusHeaders.OFFSET, Long.toString(after.offset()));
        return after;
    }

    /** Appends the first bytes; where that fails, nobody was told of the upload, so nobody could go on with it. */
    private UploadState appendFirst(UploadState made, Append append) throws IOException {
        try {
            return store.append(made.id(), made.created().owner(), 0, append);
        } catch (IOException | RuntimeException e) {
            try {
                store.delete(made.id(), made.created().owner());
            } catch (RuntimeException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    /**
     * Returns whether the request has bytes of the upload. Others are refused: their media type says that they are
     * none.
     */
    private static boolean hasBody(Exchange exchange) throws IOException {
        if (TusHeaders.isOffsetStream(exchange)) {
            return true;
        }
        OptionalLong length = bodyLength(exchange);
        boolean empty =
                length.isPresent()
                        ? length.getAsLong() == 0
                        : exchange.requestBody().read(ByteBuffer.allocate(1)) < 0;
        if (!empty) {
            throw new HttpException(
                    415,
                    "The media type of a body with the upload's first bytes must be "
                            + TusHeaders.MEDIA_TYPE);
        }
        return false;
    }

    private OptionalLong length(Exchange exchange) {
        OptionalLong length = TusHeaders.number(exchange, TusHeaders.LENGTH);
        Optional<String> deferred = TusHeaders.single(exchange, TusHeaders.DEFER_LENGTH);
        if (deferred.isPresent() && !deferred.get().equals("1")) {
            throw TusHeaders.invalid("Upload-Defer-Length must be 1, or not be there");
        }
        if (length.isPresent() == deferred.isPresent()) {
            throw TusHeaders.invalid(
                    "An upload needs Upload-Length, or Upload-Defer-Length: 1, and not both");
        }
        if (length.orElse(0) > settings.maxBytes()) {
            throw tooLarge(settings.maxBytes());
        }
        return length;
    }

    private NewUpload newUpload(Exchange exchange, OptionalLong length, String concat) {
        String raw = String.join(",", exchange.headers(UploadMetadata.HEADER));
        UploadMetadata metadata = UploadMetadata.parse(raw);
        Map<String, String> facts = new HashMap<>();
        if (!raw.isBlank()) {
            facts.put(UploadMetadata.HEADER, raw);
        }
        if (!concat.isEmpty()) {
            facts.put(TusHeaders.CONCAT, concat);
        }
        return new NewUpload(
                settings.owner().apply(exchange),
                length,
                metadata.fileName(),
                metadata.mediaType(),
                facts,
                concat.equals(PARTIAL));
    }

    private UploadState concatenate(Exchange exchange, String concat) throws IOException {
        if (exchange.header(TusHeaders.LENGTH).isPresent()
                || exchange.header(TusHeaders.DEFER_LENGTH).isPresent()) {
            throw TusHeaders.invalid(
                    "A final upload has the length of its partial uploads; send no Upload-Length");
        }
        List<String> partials = identifiers(concat);
        if (hasBody(exchange) && exchange.requestBody().read(ByteBuffer.allocate(1)) >= 0) {
            throw new HttpException(403, "A final upload has the bytes of others, and no body");
        }
        // Identifiers are shorter than the URLs by which they came.
        String kept = FINAL + String.join(" ", partials);
        NewUpload upload = newUpload(exchange, OptionalLong.empty(), kept);
        try {
            return store.concatenate(upload, partials);
        } catch (TransferException e) {
            if (e.kind() != Kind.NOT_FOUND && e.kind() != Kind.GONE) {
                throw e;
            }
            throw new TransferException(
                    Kind.INVALID, "Upload-Concat names an upload that is not there", e);
        }
    }

    /** Says that an upload is partial, or of which ones it was put together. */
    static void describe(Exchange exchange, TusSettings settings, Map<String, String> facts) {
        String concat = facts.getOrDefault(TusHeaders.CONCAT, "");
        if (concat.startsWith(FINAL)) {
            List<String> urls =
                    identifiers(concat).stream()
                            .map(id -> settings.location().apply(exchange, id))
                            .toList();
            exchange.header(TusHeaders.CONCAT, FINAL + String.join(" ", urls));
        } else if (!concat.isEmpty()) {
            exchange.header(TusHeaders.CONCAT, concat);
        }
    }

    private static List<String> identifiers(String concat) {
        return Arrays.stream(concat.substring(FINAL.length()).strip().split(" +"))
                .map(TusCreation::identifier)
                .toList();
    }

    /** The last segment of the path of a URL, absolute or relative. */
    private static String identifier(String url) {
        String path = url.substring(0, end(url));
        String last = path.substring(path.lastIndexOf('/') + 1);
        if (last.isEmpty()) {
            throw TusHeaders.invalid("Upload-Concat has a URL that names no upload");
        }
        return last;
    }

    private static int end(String url) {
        int query = url.indexOf('?');
        int fragment = url.indexOf('#');
        int end = query < 0 ? url.length() : query;
        return fragment < 0 ? end : Math.min(end, fragment);
    }
}
