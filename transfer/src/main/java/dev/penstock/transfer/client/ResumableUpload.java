package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.http.Answer;
import dev.penstock.transfer.client.http.Backoff;
import dev.penstock.transfer.client.http.BodyPump;
import dev.penstock.transfer.client.http.DigestHeader;
import dev.penstock.transfer.client.resume.RunningDigest;
import dev.penstock.transfer.client.resume.UploadRecords;
import dev.penstock.transfer.client.upload.UploadDialect;
import dev.penstock.transfer.client.upload.UploadDialect.ServerState;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One upload by a protocol that can resume it.
 *
 * <p>The server alone knows its offset: after anything that is not a plain success it is asked, and the upload goes
 * on there. After a failure without progress the next request appends few bytes only, since the JDK's client reads an
 * answer over HTTP/1.1 when the whole body is sent, and a server that refuses a body would otherwise never be heard.
 *
 * <p>That client also fails a request that gets more than {@code jdk.httpclient.maxNonFinalResponses} informational
 * responses, 8 unless set. So a request to a server that may tell its progress, about once a second, ends after four
 * seconds, and another goes on.
 */
final class ResumableUpload {
    private static final int PROBE_BYTES = 16 * 1024;
    private static final int RESTARTS = 3;
    private static final long PROGRESS_NANOS = 4_000_000_000L;
    private static final boolean HAS_FEW_INFORMATIONAL =
            Integer.getInteger("jdk.httpclient.maxNonFinalResponses", 8) > 0;

    private final Transfer transfer;
    private final UploadDialect dialect;
    private final Content content;
    private final UploadDialect.Described described;
    private final Optional<UploadRecords.Entry> record;
    private final @Nullable RunningDigest digest;
    private final Backoff backoff;

    private final boolean isTimed;

    private @Nullable URI location;
    private long offset;
    private long sentTo;
    private boolean isAsked;
    private boolean isProbing;
    private boolean isComplete;
    private boolean isVerified;
    private byte @Nullable [] computed;

    /** The server has no such upload any more. */
    private static final class ForgottenException extends Exception {
        private static final long serialVersionUID = 1;
    }

    ResumableUpload(
            Transfer transfer,
            UploadDialect dialect,
            Content content,
            UploadDialect.Described described,
            Optional<UploadRecords.Entry> record) {
        this.transfer = transfer;
        this.dialect = dialect;
        this.content = content;
        this.described = described;
        this.record = record;
        digest = transfer.options().hasChecksum() ? new RunningDigest("SHA-256") : null;
        backoff = transfer.backoff();
        isTimed = HAS_FEW_INFORMATIONAL && dialect.tellsProgress();
    }

    /** Goes on with an upload that was begun earlier. */
    void resume(URI begun) {
        location = begun;
    }

    Receipt run() throws IOException, InterruptedException {
        content.keep(transfer.records().directory());
        long resumedAt = 0;
        for (int restarts = 0; !isComplete; restarts++) {
            try {
                if (location == null) {
                    create();
                } else if (restarts == 0) {
                    ask();
                    resumedAt = offset;
                }
                sendAll();
            } catch (ForgottenException e) {
                restart(restarts);
            }
        }
        removeRecord();
        long length = content.length().orElse(offset);
        Optional<byte[]> sha256 = sha256(length);
        return transfer.receipt(
                location(),
                Optional.of(UploadCall.protocol(dialect)),
                length,
                sha256,
                isVerified,
                resumedAt);
    }

    private Optional<byte[]> sha256(long length) throws IOException, InterruptedException {
        if (computed == null && digest != null) {
            computed = digest.finish(this::read, length);
        }
        return Optional.ofNullable(computed);
    }

    private URI location() {
        if (location == null) {
            throw new IllegalStateException("The upload has not been created");
        }
        return location;
    }

    private void restart(int restarts) throws IOException {
        if (restarts >= RESTARTS) {
            throw new TransferException(
                    Kind.GONE,
                    "%s has forgotten the upload %d times; look into the log of the server"
                            .formatted(transfer.uri(), restarts + 1));
        }
        location = null;
        offset = 0;
        isAsked = false;
        content.confirmed(0);
        transfer.emit(new TransferEvent.Restarted("the server has forgotten the upload"));
        removeRecord();
    }

    private void removeRecord() throws IOException {
        if (record.isPresent()) {
            record.get().remove();
        }
    }

    /** Creates the upload, empty. */
    private void create() throws IOException, InterruptedException {
        location = new UploadCreation(transfer, dialect, described, backoff).run();
        note();
        isAsked = true;
        isComplete = described.length().orElse(1) == 0 && !dialect.isFinishedApart(true);
    }

    private void note() throws IOException {
        if (record.isPresent()) {
            record.get().write(List.of(dialect.written(), location().toString()));
        }
    }

    private void sendAll() throws IOException, InterruptedException, ForgottenException {
        while (!isComplete) {
            try {
                if (!isAsked) {
                    ask();
                } else if (isAllThere()) {
                    finish();
                } else {
                    append();
                }
            } catch (IOException e) {
                isAsked = false;
                isProbing = true;
                transfer.pause(backoff, e);
            }
        }
    }

    /** Returns whether the server has all bytes; at the end of a stream, its length is known after this. */
    private boolean isAllThere() throws InterruptedException {
        if (content.length().isEmpty() && content.room(offset) > 0) {
            read(offset, transfer.options().chunkBytes());
        }
        return content.length().orElse(-1) == offset;
    }

    private void ask() throws IOException, InterruptedException, ForgottenException {
        while (true) {
            HttpRequest.Builder request = transfer.calls().request(location(), transfer.uri());
            dialect.ask(request);
            Answer answer;
            try {
                answer = transfer.calls().send(request, "HEAD");
            } catch (IOException e) {
                transfer.pause(backoff, e);
                continue;
            }
            Optional<ServerState> state = dialect.state(answer, described.length());
            if (answer.isSuccess() && state.isPresent()) {
                isAsked = true;
                reached(state.get());
                transfer.emit(new TransferEvent.Resumed(offset));
                return;
            }
            if (!judge(answer, "Asking for the offset of")) {
                if (answer.status() != 401 && answer.status() != 403) {
                    // Or else the same file would go the same way for as long as it is kept.
                    removeRecord();
                }
                throw transfer.refusal(answer, "Asking for the offset of");
            }
        }
    }

    /** Takes over what the server says that it has. */
    private void reached(ServerState state) throws IOException {
        OptionalLong length = content.length();
        if (length.isPresent() && state.offset() > length.getAsLong()) {
            removeRecord();
            throw new TransferException(
                    Kind.CHANGED,
                    "%s has %d bytes of what has %d here; delete that upload, and send it again"
                            .formatted(location(), state.offset(), length.getAsLong()));
        }
        if (state.offset() > offset) {
            backoff.reset();
            isProbing = false;
        }
        offset = state.offset();
        content.confirmed(offset);
        isComplete = state.isComplete();
    }

    private void append() throws IOException, InterruptedException, ForgottenException {
        long from = offset;
        long limit = Math.min(dialect.maxAppendBytes(), content.room(from));
        limit = isProbing ? Math.min(limit, PROBE_BYTES) : limit;
        OptionalLong length = content.length();
        long most = length.isPresent() ? Math.min(limit, length.getAsLong() - from) : limit;
        boolean mayEndEarly = length.isEmpty() || (isTimed && most > PROBE_BYTES);
        long bodyLength = mayEndEarly ? -1 : most;
        HttpRequest.Builder request = transfer.calls().request(location(), transfer.uri());
        dialect.append(request, from);
        Answer answer =
                transfer.calls()
                        .send(
                                request,
                                "PATCH",
                                new BodyPump(bodyLength, transfer.calls().stall()),
                                pump -> feed(pump, from, most));
        isAsked = false;
        Optional<ServerState> state = dialect.state(answer, described.length());
        if (answer.isSuccess() && state.isPresent() && state.get().offset() > from) {
            isAsked = true;
            reached(state.get());
            verify(answer);
        } else if (answer.isSuccess()) {
            if (state.isPresent()) {
                transfer.pause(backoff, answer);
            }
        } else {
            isProbing = true;
            if (!judge(answer, "Appending to")) {
                throw transfer.refusal(answer, "Appending to");
            }
        }
    }

    private void feed(BodyPump pump, long from, long most)
            throws IOException, InterruptedException {
        long total = content.length().orElse(-1);
        long began = System.nanoTime();
        for (long at = from; at - from < most && !isOverdue(began); ) {
            int wanted = (int) Math.min(transfer.options().chunkBytes(), most - (at - from));
            ByteBuffer bytes = read(at, wanted);
            if (bytes == null) {
                break;
            }
            if (digest != null) {
                digest.update(at, bytes);
            }
            int count = bytes.remaining();
            if (at + count == total) {
                content.checkUnchanged();
            }
            if (!pump.send(bytes)) {
                return;
            }
            transfer.repeated(Math.clamp(sentTo - at, 0, count));
            at += count;
            sentTo = Math.max(sentTo, at);
            transfer.moved(at, described.length());
        }
        pump.complete();
    }

    /** Compares the digest that the server tells of a complete upload, where it does. */
    private void verify(Answer answer) throws IOException, InterruptedException {
        Optional<DigestHeader> stated = DigestHeader.of(answer, "repr-digest");
        boolean isUsable = stated.filter(s -> s.platformName().equals("SHA-256")).isPresent();
        if (!isComplete || digest == null || !isUsable) {
            return;
        }
        if (!stated.get().isEqual(sha256(content.length().orElse(offset)).orElseThrow())) {
            removeRecord();
            throw new TransferException(
                    Kind.DIGEST_MISMATCH,
                    "%s has other bytes than were sent, by its Repr-Digest; delete it there, and send it again"
                            .formatted(location()));
        }
        isVerified = true;
        transfer.emit(new TransferEvent.Verified(stated.get().algorithm()));
    }

    private boolean isOverdue(long began) {
        return isTimed && System.nanoTime() - began > PROGRESS_NANOS;
    }

    private void finish() throws IOException, InterruptedException, ForgottenException {
        long length = content.length().orElse(offset);
        if (!dialect.isFinishedApart(described.length().isPresent())) {
            isComplete = true;
            return;
        }
        Optional<byte[]> sha256 = dialect.takesDigest() ? sha256(length) : Optional.empty();
        HttpRequest.Builder request = transfer.calls().request(location(), transfer.uri());
        dialect.finish(request, length, sha256);
        Answer answer = transfer.calls().send(request, "PATCH");
        if (answer.isSuccess()) {
            isComplete = true;
            verify(answer);
        } else if (judge(answer, "Finishing")) {
            isAsked = false;
        } else {
            throw transfer.refusal(answer, "Finishing");
        }
    }

    /**
     * Judges an answer that is no success.
     *
     * @return whether to ask for the offset, and to go on there; by then the wait is over
     */
    private boolean judge(Answer answer, String doing)
            throws InterruptedException, ForgottenException {
        if (answer.status() == 404 || answer.status() == 410) {
            boolean canRestart = content.isRepeatable() || offset == 0;
            if (!canRestart) {
                throw transfer.refusal(answer, doing);
            }
            throw new ForgottenException();
        }
        if (answer.isPassing() || answer.status() == 409 || answer.status() == 460) {
            transfer.pause(backoff, answer);
            return true;
        }
        return false;
    }

    /** Reads what is sent; a failure of the source is not one of the connection. */
    private @Nullable ByteBuffer read(long position, int limit) throws InterruptedException {
        try {
            return content.read(position, limit);
        } catch (ClosedByInterruptException | InterruptedIOException e) {
            throw new InterruptedException();
        } catch (IOException e) {
            throw new TransferException(
                    Kind.FAILED,
                    "What is sent can't be read at byte %d: %s".formatted(position, e.getMessage()),
                    e);
        }
    }
}
