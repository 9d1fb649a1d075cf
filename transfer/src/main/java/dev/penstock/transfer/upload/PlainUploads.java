package dev.penstock.transfer.upload;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.MediaType;
import dev.penstock.transfer.digest.DigestField;
import dev.penstock.transfer.digest.ExpectedDigest;
import dev.penstock.transfer.field.FileName;
import dev.penstock.transfer.store.Append;
import dev.penstock.transfer.store.NewUpload;
import dev.penstock.transfer.store.UploadState;
import dev.penstock.transfer.store.UploadStore;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Uploads that are the body of one request, by clients that speak no protocol of uploads, such as {@code curl -T}. One
 * that breaks off leaves nothing, since its client would not know how to go on. Thread-safe.
 */
final class PlainUploads {
    private final UploadStore store;
    private final UploadSettings settings;

    PlainUploads(UploadStore store, UploadSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    /** Takes a body whose name {@code Content-Disposition} has, or the parameter {@code name} of the query. */
    void post(Exchange exchange) throws IOException {
        Optional<String> disposed = exchange.header("Content-Disposition").flatMap(FileName::of);
        take(
                exchange,
                disposed.or(() -> exchange.parameter("name").filter(name -> !name.isEmpty())));
    }

    /** Takes a body whose name is the last segment of the path. */
    void put(Exchange exchange, String name) throws IOException {
        if (exchange.header("Content-Range").isPresent()) {
            throw new HttpException(
                    400,
                    "A PUT brings a whole file, without Content-Range; resume by tus 1.0.0 or the IETF draft");
        }
        take(exchange, Optional.of(name));
    }

    private void take(Exchange exchange, Optional<String> name) throws IOException {
        OptionalLong length = bodyLength(exchange);
        Optional<ExpectedDigest> digest = digest(exchange);
        NewUpload upload =
                new NewUpload(
                        settings.owner().apply(exchange),
                        length,
                        name,
                        exchange.contentType()
                                .flatMap(_ -> exchange.header("Content-Type"))
                                .filter(type -> !isUnsaid(type)),
                        Map.of(),
                        false);
        UploadState whole = store(store, upload, exchange.requestBody(), digest);
        String location = settings.location(exchange, whole.id());
        exchange.header("Location", location)
                .respond(201, UploadJson.MEDIA_TYPE, UploadJson.object(whole, location));
    }

    /** What clients say where nobody has told them a type. */
    private static boolean isUnsaid(String type) {
        String name = MediaType.parse(type).name();
        return name.equals("application/octet-stream")
                || name.equals("application/x-www-form-urlencoded");
    }

    /** The digest that the body must have: of the content or of the whole, which are the same here. */
    private static Optional<ExpectedDigest> digest(Exchange exchange) {
        Optional<ExpectedDigest> content =
                DigestField.strongest(DigestField.CONTENT, exchange.headers(DigestField.CONTENT));
        return content.isPresent()
                ? content
                : DigestField.strongest(
                        DigestField.REPRESENTATION, exchange.headers(DigestField.REPRESENTATION));
    }

    private static OptionalLong bodyLength(Exchange exchange) {
        Optional<String> length = exchange.header("Content-Length");
        return length.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(length.get().strip()));
    }

    /** Makes an upload of bytes, wholly or not at all. */
    static UploadState store(
            UploadStore store,
            NewUpload upload,
            ReadableByteChannel body,
            Optional<ExpectedDigest> digest)
            throws IOException {
        UploadState made = store.create(upload);
        Append append = new Append(body, upload.length(), true, digest, _ -> {});
        try {
            return store.append(made.id(), upload.owner(), 0, append);
        } catch (IOException | RuntimeException e) {
            try {
                store.delete(made.id(), upload.owner());
            } catch (RuntimeException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }
}
