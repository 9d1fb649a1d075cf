package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.http.Answer;
import dev.penstock.transfer.client.http.Backoff;
import dev.penstock.transfer.client.http.ContentRange;
import dev.penstock.transfer.client.http.DigestHeader;
import dev.penstock.transfer.client.http.HttpCalls.Incoming;
import dev.penstock.transfer.client.resume.ByteSpan;
import dev.penstock.transfer.client.resume.DownloadState.RemoteFile;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The requests for a file or a range of it, and the reading of their responses. Thread-safe, since it has no state. */
final class RangeRequests {
    private final Transfer transfer;

    /** A taker of the bytes of a response. */
    interface Sink {
        /** Takes all of a buffer, whose first byte has this position in the file. */
        void take(ByteBuffer bytes, long position) throws InterruptedException;
    }

    RangeRequests(Transfer transfer) {
        this.transfer = transfer;
    }

    /**
     * Asks for bytes of a file once.
     *
     * @param span what is wanted; all where it begins at 0 and has no end
     * @param known the file of which bytes are there already; its range is only wanted as long as it has not changed
     * @return a response with status 200 or 206; nothing when it was not one, and the wait before the next try is over
     * @throws ChangedException when the file is another now
     */
    Optional<Incoming> open(ByteSpan span, Optional<RemoteFile> known, Backoff backoff)
            throws IOException, InterruptedException, ChangedException {
        boolean isRange = span.from() > 0 || span.to() != Long.MAX_VALUE;
        Incoming incoming =
                transfer.calls()
                        .get(
                                transfer.uri(),
                                transfer.uri(),
                                request -> headers(request, span, isRange, known));
        boolean isKept = false;
        try {
            if (judge(incoming, span, known, backoff)) {
                isKept = true;
                return Optional.of(incoming);
            }
            return Optional.empty();
        } finally {
            if (!isKept) {
                incoming.close();
            }
        }
    }

    private static HttpRequest.Builder headers(
            HttpRequest.Builder request,
            ByteSpan span,
            boolean isRange,
            Optional<RemoteFile> known) {
        request.setHeader("Accept-Encoding", "identity");
        if (isRange) {
            String last = span.to() == Long.MAX_VALUE ? "" : Long.toString(span.to() - 1);
            request.setHeader("Range", "bytes=" + span.from() + "-" + last);
            known.ifPresent(file -> request.setHeader("If-Range", file.tag()));
        }
        return request;
    }

    private boolean judge(
            Incoming incoming, ByteSpan span, Optional<RemoteFile> known, Backoff backoff)
            throws InterruptedException, ChangedException {
        Answer head = incoming.head();
        return switch (head.status()) {
            case 200 -> {
                if (span.from() > 0) {
                    throw new ChangedException("the file on the server has changed");
                }
                checkEncoding(head);
                yield true;
            }
            case 206 -> {
                checkRange(head, span, known);
                checkEncoding(head);
                yield true;
            }
            case 416 -> throw new ChangedException("the file on the server is shorter now");
            default -> {
                Answer read = incoming.read();
                if (!read.isPassing()) {
                    throw transfer.refusal(read, "Getting");
                }
                transfer.pause(backoff, read);
                yield false;
            }
        };
    }

    private void checkEncoding(Answer head) {
        String encoding = head.header("content-encoding").orElse("identity");
        if (!encoding.equalsIgnoreCase("identity")) {
            throw new TransferException(
                    Kind.INVALID,
                    "%s was sent with Content-Encoding %s, which was not asked for; have the server send it as it is"
                            .formatted(transfer.uri(), encoding));
        }
    }

    private void checkRange(Answer head, ByteSpan span, Optional<RemoteFile> known)
            throws ChangedException {
        ContentRange range =
                ContentRange.of(head)
                        .filter(r -> r.first() == span.from() && r.last() < span.to())
                        .orElseThrow(() ->
                                new TransferException(
                                        Kind.INVALID,
                                        ("%s was asked for bytes from %d, and sent Content-Range %s; get it with"
                                                        + " one connection, and without state")
                                                .formatted(
                                                        transfer.uri(),
                                                        span.from(),
                                                        head.header("content-range")
                                                                .orElse("(none)"))));
        if (known.isEmpty()) {
            return;
        }
        boolean isOther =
                range.total().isPresent() && range.total().getAsLong() != known.get().length();
        boolean isTagOther =
                head.header("etag").isPresent()
                        && !head.header("etag").get().equals(known.get().tag());
        if (isOther || isTagOther) {
            throw new ChangedException("the file on the server has changed");
        }
    }

    /** The file that a response is of; nothing where a range of it could not be asked for later. */
    static Optional<RemoteFile> remote(Answer head) {
        Optional<String> tag = head.strongTag();
        OptionalLong length =
                head.status() == 206
                        ? ContentRange.of(head)
                                .map(ContentRange::total)
                                .orElse(OptionalLong.empty())
                        : head.number("content-length");
        boolean hasRanges = !head.header("accept-ranges").orElse("bytes").equalsIgnoreCase("none");
        return tag.isEmpty() || length.isEmpty() || !hasRanges
                ? Optional.empty()
                : Optional.of(new RemoteFile(length.getAsLong(), tag.get()));
    }

    /**
     * Reads a response to its end.
     *
     * @param from the position of its first byte in the file
     * @param to the position behind the last byte that is wanted
     * @throws IOException when it breaks off
     */
    void read(Incoming incoming, long from, long to, Sink sink)
            throws IOException, InterruptedException {
        Optional<DigestHeader> stated = DigestHeader.of(incoming.head(), "content-digest");
        @Nullable MessageDigest digest = stated.map(DigestHeader::begin).orElse(null);
        long at = from;
        for (@Nullable List<ByteBuffer> taken; (taken = incoming.body().take()) != null; ) {
            for (ByteBuffer bytes : taken) {
                int count = bytes.remaining();
                if (count > to - at) {
                    throw new TransferException(
                            Kind.INVALID,
                            "%s has sent more than the %d bytes that it announced; look into what serves it"
                                    .formatted(transfer.uri(), to - from));
                }
                if (digest != null) {
                    digest.update(bytes.duplicate());
                }
                sink.take(bytes, at);
                at += count;
            }
        }
        if (to != Long.MAX_VALUE && at < to) {
            throw new IOException("the response ended after byte " + at + " of " + to);
        }
        if (digest != null && !stated.orElseThrow().isEqual(digest.digest())) {
            throw new TransferException(
                    Kind.DIGEST_MISMATCH,
                    "%s has sent bytes that do not have its Content-Digest; get it again"
                            .formatted(transfer.uri()));
        }
    }
}
