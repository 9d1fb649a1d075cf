package dev.penstock.transfer.draft;

import static dev.penstock.transfer.draft.DraftRequest.LENGTH;
import static dev.penstock.transfer.draft.DraftRequest.LIMIT;
import static dev.penstock.transfer.draft.DraftRequest.OFFSET;
import static dev.penstock.transfer.draft.DraftRequest.VERSION;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.MediaType;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.digest.DigestAlgorithm;
import dev.penstock.transfer.digest.DigestField;
import dev.penstock.transfer.digest.ExpectedDigest;
import dev.penstock.transfer.field.FileName;
import dev.penstock.transfer.store.Append;
import dev.penstock.transfer.store.NewUpload;
import dev.penstock.transfer.store.UploadState;
import dev.penstock.transfer.store.UploadStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The answers to requests of the draft, on a store of uploads. Each method answers the request, or throws an {@link
 * HttpException} that does, or an {@link IOException} where the client has gone. Thread-safe.
 */
public final class DraftProtocol {
    /** The media type of what is appended, which {@code Accept-Patch} names. */
    public static final String PARTIAL_UPLOAD = "application/partial-upload";

    private final UploadStore store;
    private final DraftSettings settings;

    /** The protocol on a store, which is closed by whoever has opened it. */
    public DraftProtocol(UploadStore store, DraftSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    /**
     * Returns whether a request speaks the draft: it names a version of it, or says whether the upload is complete. A
     * request of tus does not, nor does a form, which is of more use taken apart than kept as it came.
     */
    public static boolean isSpokenBy(Exchange exchange) {
        boolean says =
                exchange.header(VERSION).isPresent()
                        || exchange.header(DraftVersion.V3.completeHeader()).isPresent()
                        || exchange.header(DraftVersion.NEWEST.completeHeader()).isPresent();
        return says
                && exchange.header("Tus-Resumable").isEmpty()
                && exchange.header("Content-Type")
                        .filter(type -> type.regionMatches(true, 0, "multipart/", 0, 10))
                        .isEmpty();
    }

    /** Sets the headers by which the answer to OPTIONS says that uploads can be created here, and how large. */
    public void announce(Exchange exchange) {
        exchange.header("Accept-Patch", PARTIAL_UPLOAD)
                .header(LIMIT, DraftVersion.NEWEST.limits(settings.maxBytes(), Optional.empty()));
    }

    /**
     * Creates an upload (POST, PUT), with the request's content as its first bytes.
     *
     * @param fileName where the path says it; else {@code Content-Disposition} may
     */
    public void create(Exchange exchange, String owner, Optional<String> fileName)
            throws IOException {
        DraftRequest request = DraftRequest.of(exchange);
        DraftVersion version = request.version();
        if (request.offset().orElse(0) != 0) {
            throw new HttpException(
                    400, "A new upload begins at byte 0: send it without Upload-Offset, or with 0");
        }
        boolean isLast =
                request.isComplete()
                        .orElseThrow(() ->
                                DraftProblems.missing(
                                        version.completeHeader(), version.complete(true)));
        OptionalLong length = request.length(0);
        UploadState made = null;
        boolean isDone = false;
        try {
            Optional<ExpectedDigest> digest = contentDigest(exchange);
            made =
                    store.create(
                            new NewUpload(
                                    owner,
                                    length,
                                    fileName.or(() ->
                                            exchange.header("Content-Disposition")
                                                    .flatMap(FileName::of)),
                                    exchange.contentType().map(MediaType::name),
                                    RepresentationDigest.facts(exchange),
                                    false));
            String location = settings.location().apply(exchange, made.id());
            UploadState created = made;
            AnnouncingBody body =
                    new AnnouncingBody(
                            exchange.requestBody(),
                            () -> tellLocation(exchange, request, location, created));
            UploadState state = append(exchange, request, body, made, 0, isLast, digest);
            body.announce();
            exchange.status(201).header("Location", location);
            describe(exchange, request, state);
            isDone = true;
            tellDigest(exchange, state);
        } catch (TransferException | HttpException failure) {
            throw described(failure, request, made, 0);
        } finally {
            if (made != null && !isDone && !isTold(request)) {
                forget(made);
            }
        }
    }

    /** Deletes an upload whose creation has failed before anybody was told where it is, so that it holds no space. */
    private void forget(UploadState made) {
        try {
            if (!store.state(made.id(), made.created().owner()).isComplete()) {
                store.delete(made.id(), made.created().owner());
            }
        } catch (TransferException _) {
            // It has gone already, or it expires.
        }
    }

    /** Returns whether the client is told by 104 where its upload is, before its bytes are read. */
    private boolean isTold(DraftRequest request) {
        return settings.interim() && request.isNegotiated();
    }

    /** Appends to an upload (PATCH). */
    public void append(Exchange exchange, String owner, String id) throws IOException {
        DraftRequest request = DraftRequest.of(exchange);
        DraftVersion version = request.version();
        checkMediaType(exchange, version);
        long offset = request.offset().orElseThrow(() -> DraftProblems.missing(OFFSET, "1048576"));
        Optional<Boolean> said =
                request.isComplete()
                        .or(() ->
                                version.completesUnlessSaid()
                                        ? Optional.of(true)
                                        : Optional.empty());
        boolean isLast =
                said.orElseThrow(() ->
                        DraftProblems.missing(version.completeHeader(), version.complete(true)));
        UploadState before = null;
        try {
            Optional<ExpectedDigest> digest = contentDigest(exchange);
            before = store.endAppend(id, owner);
            check(request, before, offset, isLast);
            learnLength(request, before, offset);
            UploadState state =
                    append(
                            exchange,
                            request,
                            exchange.requestBody(),
                            before,
                            offset,
                            isLast,
                            digest);
            exchange.status(state.isComplete() ? 201 : version.appendedStatus());
            if (state.isComplete()) {
                exchange.header("Location", settings.location().apply(exchange, id));
            }
            describe(exchange, request, state);
            tellDigest(exchange, state);
        } catch (TransferException | HttpException failure) {
            throw described(failure, request, before, offset);
        }
    }

    /**
     * Tells how far an upload is (HEAD). A client of a known version goes on from there, so the request that still
     * appends is ended; whoever else asks only looks.
     */
    public void state(Exchange exchange, String owner, String id) {
        DraftRequest request = DraftRequest.of(exchange);
        checkQuestion(exchange, request);
        try {
            UploadState state =
                    request.isNegotiated() ? store.endAppend(id, owner) : store.state(id, owner);
            exchange.status(204).header("Cache-Control", "no-store");
            state.length().ifPresent(length -> exchange.header(LENGTH, Long.toString(length)));
            describe(exchange, request, state);
        } catch (TransferException failure) {
            throw DraftProblems.of(failure, request.version(), 0, null);
        }
    }

    /** Ends an upload (DELETE), and what appends to it. */
    public void cancel(Exchange exchange, String owner, String id) {
        DraftRequest request = DraftRequest.of(exchange);
        checkQuestion(exchange, request);
        try {
            store.delete(id, owner);
        } catch (TransferException failure) {
            throw DraftProblems.of(failure, request.version(), 0, null);
        }
        tellVersion(exchange, request);
        exchange.status(204);
    }

    // What is checked before anything changes.

    private static void checkMediaType(Exchange exchange, DraftVersion version) {
        boolean fits =
                exchange.contentType()
                        .map(MediaType::name)
                        .filter(PARTIAL_UPLOAD::equals)
                        .isPresent();
        if (version.needsPartialUpload() && !fits) {
            throw new HttpException(
                            415,
                            "What is appended has the media type application/partial-upload;"
                                    + " send that as Content-Type")
                    .header("Accept-Patch", PARTIAL_UPLOAD);
        }
    }

    private static void checkQuestion(Exchange exchange, DraftRequest request) {
        DraftVersion version = request.version();
        if (version.refusesStateInQuestions()
                && (exchange.header(OFFSET).isPresent()
                        || exchange.header(version.completeHeader()).isPresent())) {
            throw new HttpException(
                    400,
                    "%s has no %s and no %s; leave them out"
                            .formatted(exchange.method(), OFFSET, version.completeHeader()));
        }
    }

    private static void check(
            DraftRequest request, UploadState before, long offset, boolean isLast) {
        // The store completes what has its last byte, also where more requests were to come: the
        // last of them, without bytes, is answered as if it had done so.
        boolean onlyCompletes =
                isLast && request.contentLength().orElse(0) == 0 && before.offset() == offset;
        if (before.isComplete() && !onlyCompletes) {
            throw DraftProblems.completed(before.offset());
        }
        if (before.offset() != offset) {
            throw DraftProblems.mismatchingOffset(before.offset(), offset);
        }
        long end = offset + request.contentLength().orElse(0);
        if (before.length().isPresent() && end > before.length().getAsLong()) {
            throw DraftProblems.inconsistentLength(
                    "The content ends at byte %d, and the upload has a length of %d; send no more"
                            .formatted(end, before.length().getAsLong()));
        }
    }

    private void learnLength(DraftRequest request, UploadState before, long offset) {
        OptionalLong length = request.length(offset);
        if (length.isEmpty()) {
            return;
        }
        if (before.length().isEmpty()) {
            var _ = store.setLength(before.id(), before.created().owner(), length.getAsLong());
        } else if (!before.length().equals(length)) {
            throw DraftProblems.inconsistentLength(
                    "This request says a length of %d, and an earlier one has said %d; keep to that"
                            .formatted(length.getAsLong(), before.length().getAsLong()));
        }
    }

    private static Optional<ExpectedDigest> contentDigest(Exchange exchange) {
        return DigestField.strongest(DigestField.CONTENT, exchange.headers(DigestField.CONTENT));
    }

    // The bytes.

    private UploadState append(
            Exchange exchange,
            DraftRequest request,
            ReadableByteChannel body,
            UploadState before,
            long offset,
            boolean isLast,
            Optional<ExpectedDigest> digest)
            throws IOException {
        LongConsumer progress =
                settings.interim() && request.isNegotiated() && request.version().hasProgress()
                        ? new DraftProgress(exchange, request.version(), settings.nanoTime())
                        : _ -> {};
        Append append = new Append(body, request.contentLength(), isLast, digest, progress);
        return store.append(before.id(), before.created().owner(), offset, append);
    }

    // What clients are told.

    private void tellLocation(
            Exchange exchange, DraftRequest request, String location, UploadState made) {
        if (!isTold(request)) {
            return;
        }
        String version = Integer.toString(request.version().number());
        if (request.version().hasLimits()) {
            exchange.inform(
                    104, VERSION, version, "Location", location, LIMIT, limits(request, made));
        } else {
            exchange.inform(104, VERSION, version, "Location", location);
        }
    }

    private static void tellVersion(Exchange exchange, DraftRequest request) {
        if (request.isNegotiated()) {
            exchange.header(VERSION, Integer.toString(request.version().number()));
        }
    }

    private void describe(Exchange exchange, DraftRequest request, UploadState state) {
        DraftVersion version = request.version();
        tellVersion(exchange, request);
        exchange.header(OFFSET, Long.toString(state.offset()))
                .header(version.completeHeader(), version.complete(state.isComplete()));
        if (version.hasLimits()) {
            exchange.header(LIMIT, limits(request, state));
        }
    }

    /** Tells the digest of an upload that this request has completed, where its client wants that. */
    private void tellDigest(Exchange exchange, UploadState state) throws IOException {
        Optional<DigestAlgorithm> wanted = RepresentationDigest.wanted(state.created().facts());
        if (wanted.isPresent() && state.isComplete()) {
            try (FileChannel bytes = store.open(state.id(), state.created().owner())) {
                byte[] value = RepresentationDigest.of(wanted.get(), bytes);
                exchange.header(
                        DigestField.REPRESENTATION, DigestField.format(wanted.get(), value));
            } catch (TransferException _) {
                // The application has taken the file over already; the upload is complete.
            }
        }
    }

    private String limits(DraftRequest request, UploadState state) {
        Duration left = Duration.between(settings.clock().instant(), state.expires());
        return request.version()
                .limits(settings.maxBytes(), Optional.of(left.isNegative() ? Duration.ZERO : left));
    }

    /** The failure of a request that brings bytes as an answer, with the state in which it has left the upload. */
    private HttpException described(
            RuntimeException failure,
            DraftRequest request,
            @Nullable UploadState before,
            long offset) {
        DraftVersion version = request.version();
        Optional<UploadState> now = before == null ? Optional.empty() : now(before);
        HttpException answer =
                failure instanceof TransferException transfer
                        ? DraftProblems.of(transfer, version, offset, before)
                        : (HttpException) failure;
        // Where all bytes have come and what they are was refused, the upload was removed.
        boolean isRefused =
                before != null && now.isEmpty() && DraftProblems.isAboutContent(failure);
        answer.header(
                version.completeHeader(),
                version.complete(now.map(UploadState::isComplete).orElse(isRefused)));
        now.ifPresent(state -> answer.header(OFFSET, Long.toString(state.offset())));
        if (answer.status() == 413 && version.hasLimits()) {
            answer.header(LIMIT, version.limits(settings.maxBytes(), Optional.empty()));
        }
        return answer;
    }

    /** The state after a failure; nothing where the upload is not there any more. */
    private Optional<UploadState> now(UploadState before) {
        try {
            return Optional.of(store.state(before.id(), before.created().owner()));
        } catch (TransferException _) {
            return Optional.empty();
        }
    }
}
