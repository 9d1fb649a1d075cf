package dev.penstock.http.form;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.MediaType;
import dev.penstock.http.message.HeaderParameters;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a {@code multipart/form-data} body (RFC 7578), one after the other as they come, such as the files that
 * a browser uploads by a form. It holds 16 KiB, whatever the body's size. What stands before the first boundary (up to
 * 8 KiB) and behind the last is left out. For one thread.
 *
 * {@snippet :
 * Map<String, String> fields = new HashMap<>();
 * Multipart.of(exchange).forEach(part -> {
 *     if (part.fileName().isPresent()) {
 *         part.saveAs(folder.resolve(newName()));
 *     } else {
 *         fields.put(part.name(), part.readText(1_000));
 *     }
 * });
 * }
 */
public final class Multipart {
    private static final int LONGEST_BOUNDARY = 70;
    private static final String MEDIA_TYPE = "multipart/form-data";

    private final BoundaryReader reader;
    private final MultipartLimits limits;
    private @Nullable Part current;
    private final ContentLimit contentLimit;
    private int count;
    private boolean ended;
    private @Nullable HttpException failure;

    private Multipart(BoundaryReader reader, MultipartLimits limits) {
        this.reader = reader;
        this.limits = limits;
        contentLimit = new ContentLimit(limits);
    }

    /** The parts of the request's body, within {@link MultipartLimits#DEFAULT}. */
    public static Multipart of(Exchange exchange) {
        return of(exchange, MultipartLimits.DEFAULT);
    }

    /**
     * The parts of the request's body, within limits. Nothing is read yet.
     *
     * @throws HttpException (415) if the body's media type is another; (400) if it names no boundary, or a malformed
     *     one
     */
    public static Multipart of(Exchange exchange, MultipartLimits limits) {
        MediaType type = exchange.contentType().orElse(null);
        if (type == null || !type.name().equals(MEDIA_TYPE)) {
            throw new HttpException(415, "This takes forms of the media type " + MEDIA_TYPE)
                    .header("Accept", MEDIA_TYPE);
        }
        String boundary = type.parameters().get("boundary");
        if (boundary == null || !isBoundary(boundary)) {
            throw new HttpException(
                    400,
                    "Content-Type names no boundary of 1 to %d characters that RFC 2046 allows"
                            .formatted(LONGEST_BOUNDARY));
        }
        return read(exchange.requestBody(), boundary, limits);
    }

    /** The parts of a body. */
    static Multipart read(ReadableByteChannel body, String boundary, MultipartLimits limits) {
        return new Multipart(new BoundaryReader(body, boundary), limits);
    }

    /** Reads a header with parameters; one that is malformed is answered with 400. */
    static HeaderParameters parameters(String header) {
        try {
            return HeaderParameters.parse(header);
        } catch (HeaderParameters.Malformed e) {
            throw new HttpException(400, String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isBoundary(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST_BOUNDARY
                && !text.endsWith(" ")
                && text.chars()
                        .allMatch(c ->
                                c < 128
                                        && (Character.isLetterOrDigit(c)
                                                || "'()+_,-./:=? ".indexOf(c) >= 0));
    }

    /**
     * The next part; nothing behind the last. Blocks until its head is there. What was not read of the part before is
     * passed over.
     *
     * @throws HttpException (400) if the body is malformed or cut; (413) if it is beyond a limit. It is thrown again by
     *     further calls
     * @throws IOException if the client has gone
     */
    public Optional<Part> next() throws IOException {
        if (failure != null) {
            throw failure;
        }
        try {
            Part next = ended ? null : read();
            current = next;
            return Optional.ofNullable(next);
        } catch (HttpException e) {
            failure = e;
            throw e;
        }
    }

    /**
     * Has an action take all parts that are left, one after the other. Throws as {@link #next} does, and what the
     * action throws.
     */
    public void forEach(Action action) throws IOException {
        for (Optional<Part> part = next(); part.isPresent(); part = next()) {
            action.take(part.get());
        }
    }

    private @Nullable Part read() throws IOException {
        Part before = current;
        if (before == null) {
            reader.skipFirstDelimiter();
        } else {
            before.end();
        }
        if (!reader.skipDelimiterEnd()) {
            ended = true;
            return null;
        }
        if (++count > limits.parts()) {
            throw new HttpException(413, "The form has more than " + limits.parts() + " parts");
        }
        PartHead head = PartHead.read(reader, limits);
        reader.beginContent();
        contentLimit.beginPart();
        return new Part(head, reader, contentLimit);
    }

    /** An action on a part. */
    @FunctionalInterface
    public interface Action {
        /** Takes a part; what it does not read of it is passed over. */
        void take(Part part) throws IOException;
    }
}
