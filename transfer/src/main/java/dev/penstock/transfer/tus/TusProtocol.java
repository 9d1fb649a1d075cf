package dev.penstock.transfer.tus;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.text.Json;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.UploadMetadata;
import dev.penstock.transfer.digest.UploadChecksum;
import dev.penstock.transfer.store.Append;
import dev.penstock.transfer.store.UploadState;
import dev.penstock.transfer.store.UploadStore;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** The server's side of tus 1.0.0 on a store of uploads. Thread-safe. */
public final class TusProtocol {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.transfer");

    /** The fixed form of a date in HTTP (RFC 9110, section 5.6.7). */
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private final UploadStore store;
    private final TusSettings settings;
    private final TusCreation creation;

    /** The protocol on a store. */
    public TusProtocol(UploadStore store, TusSettings settings) {
        this.store = store;
        this.settings = settings;
        creation = new TusCreation(store, settings);
    }

    /** Returns whether a request speaks it, whatever the version. */
    public static boolean isSpoken(Exchange exchange) {
        return exchange.header(TusHeaders.RESUMABLE).isPresent()
                || TusHeaders.isOffsetStream(exchange);
    }

    /** Adds what the server can do to the response to OPTIONS. */
    public void describe(Exchange exchange) {
        exchange.header(TusHeaders.RESUMABLE, TusHeaders.VERSION)
                .header("Tus-Version", TusHeaders.VERSION)
                .header("Tus-Extension", TusHeaders.EXTENSIONS)
                .header("Tus-Checksum-Algorithm", UploadChecksum.ALGORITHMS);
        if (settings.maxBytes() < Long.MAX_VALUE) {
            exchange.header("Tus-Max-Size", Long.toString(settings.maxBytes()));
        }
    }

    /**
     * Answers a POST to where uploads are made. A request that is refused is answered with a line of text.
     *
     * @throws IOException if the client has gone
     */
    public void create(Exchange exchange) throws IOException {
        answer(exchange, () -> creation.create(exchange));
    }

    /** Answers a HEAD for an upload, as {@link #create} does. */
    public void head(Exchange exchange, String id) throws IOException {
        exchange.header("Cache-Control", "no-store");
        answer(exchange, () -> describe(exchange, store.state(id, owner(exchange))));
    }

    /** Answers a PATCH of an upload, as {@link #create} does. */
    public void patch(Exchange exchange, String id) throws IOException {
        answer(exchange, () -> append(exchange, id));
    }

    /** Answers a DELETE of an upload, as {@link #create} does. */
    public void delete(Exchange exchange, String id) throws IOException {
        answer(
                exchange,
                () -> {
                    store.delete(id, owner(exchange));
                    exchange.status(204);
                });
    }

    private String owner(Exchange exchange) {
        return settings.owner().apply(exchange);
    }

    /** An answer that may be a refusal. */
    @FunctionalInterface
    private interface Answer {
        void run() throws IOException;
    }

    private static void answer(Exchange exchange, Answer answer) throws IOException {
        exchange.header(TusHeaders.RESUMABLE, TusHeaders.VERSION);
        String version = exchange.header(TusHeaders.RESUMABLE).orElse("");
        if (!version.strip().equals(TusHeaders.VERSION)) {
            exchange.header("Tus-Version", TusHeaders.VERSION);
            refuse(exchange, 412, "This server speaks tus " + TusHeaders.VERSION);
            return;
        }
        try {
            answer.run();
        } catch (TransferException e) {
            if (e.kind() == Kind.FAILED && e.getCause() != null) {
                LOGGER.log(System.Logger.Level.ERROR, "An upload by tus has failed", e);
            }
            refuse(exchange, status(e.kind()), String.valueOf(e.getMessage()));
        } catch (HttpException e) {
            e.headers().forEach(exchange::header);
            refuse(exchange, e.status(), String.valueOf(e.getMessage()));
        }
    }

    /** Answers with a line of text, or with a problem document where the client says that it takes them. */
    private static void refuse(Exchange exchange, int status, String message) {
        boolean takesProblems =
                exchange.headers("Accept").stream()
                        .anyMatch(types -> types.contains("application/problem+json"));
        if (takesProblems) {
            Map<String, Object> problem = new LinkedHashMap<>();
            problem.put("type", "about:blank");
            problem.put("status", status);
            problem.put("detail", message);
            exchange.respond(status, "application/problem+json", Json.object(problem));
        } else {
            exchange.respond(status, "text/plain; charset=utf-8", message + "\n");
        }
    }

    /** The status of a refusal, as the protocol has it, or else as HTTP has it. */
    static int status(Kind kind) {
        return switch (kind) {
            case NOT_FOUND -> 404;
            case GONE -> 410;
            case WRONG_OFFSET, SUPERSEDED, CHANGED, CANCELLED -> 409;
            case COMPLETE, NOT_WRITABLE, REJECTED -> 403;
            case TOO_LARGE, QUOTA_EXCEEDED -> 413;
            case LENGTH_MISMATCH, INVALID -> 400;
            case NO_SPACE -> 507;
            case DIGEST_MISMATCH -> 460;
            case BUSY -> 503;
            case FAILED -> 500;
        };
    }

    private void describe(Exchange exchange, UploadState state) {
        exchange.status(200).header(TusHeaders.OFFSET, Long.toString(state.offset()));
        if (state.length().isPresent()) {
            exchange.header(TusHeaders.LENGTH, Long.toString(state.length().getAsLong()));
        } else {
            exchange.header(TusHeaders.DEFER_LENGTH, "1");
        }
        Map<String, String> facts = state.created().facts();
        String metadata = facts.get(UploadMetadata.HEADER);
        if (metadata != null) {
            exchange.header(UploadMetadata.HEADER, metadata);
        }
        TusCreation.describe(exchange, settings, facts);
        expires(exchange, state);
    }

    /** Says until when the client may go on, as long as there is something to go on with. */
    static void expires(Exchange exchange, UploadState state) {
        Instant expires = state.expires();
        if (!state.isComplete() && expires.isBefore(Instant.MAX)) {
            exchange.header(TusHeaders.EXPIRES, DATE.format(expires));
        }
    }

    private void append(Exchange exchange, String id) throws IOException {
        if (!TusHeaders.isOffsetStream(exchange)) {
            throw new HttpException(415, "The body's media type must be " + TusHeaders.MEDIA_TYPE)
                    .header("Accept-Patch", TusHeaders.MEDIA_TYPE);
        }
        long offset =
                TusHeaders.number(exchange, TusHeaders.OFFSET)
                        .orElseThrow(() ->
                                TusHeaders.invalid(
                                        "A PATCH needs Upload-Offset, where its bytes begin"));
        OptionalLong length = TusHeaders.number(exchange, TusHeaders.LENGTH);
        String owner = owner(exchange);
        UploadState before = store.state(id, owner);
        if (before.created().facts().getOrDefault(TusHeaders.CONCAT, "").startsWith("final")) {
            throw new HttpException(
                    403, "This upload was put together of others, and takes nothing more");
        }
        if (before.isComplete() && before.offset() != offset) {
            throw TransferException.wrongOffset(before.offset(), offset);
        }
        TusChecksum checksum = TusChecksum.of(exchange);
        OptionalLong bodyLength = TusCreation.bodyLength(exchange);
        if (length.isPresent()) {
            checkLength(before, offset, bodyLength, length.getAsLong());
            store.setLength(id, owner, length.getAsLong());
        }
        Append append =
                new Append(
                        checksum.watch(exchange.requestBody()),
                        bodyLength,
                        false,
                        checksum.expected(),
                        _ -> {});
        UploadState after = store.append(id, owner, offset, append);
        exchange.status(204).header(TusHeaders.OFFSET, Long.toString(after.offset()));
        expires(exchange, after);
    }

    /** Checks a length that comes with a PATCH against what the request is else, before anything is changed. */
    private static void checkLength(
            UploadState state, long offset, OptionalLong bodyLength, long length) {
        if (offset != state.offset()) {
            throw TransferException.wrongOffset(state.offset(), offset);
        }
        if (length >= offset && bodyLength.orElse(0) > length - offset) {
            throw new TransferException(
                    Kind.TOO_LARGE,
                    "The upload has a length of %d bytes; those of this request would be more"
                            .formatted(length));
        }
    }
}
