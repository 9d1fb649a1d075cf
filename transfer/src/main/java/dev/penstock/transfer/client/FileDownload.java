package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.http.Answer;
import dev.penstock.transfer.client.http.Backoff;
import dev.penstock.transfer.client.http.DigestHeader;
import dev.penstock.transfer.client.http.HttpCalls.Incoming;
import dev.penstock.transfer.client.resume.ByteSpan;
import dev.penstock.transfer.client.resume.DownloadState;
import dev.penstock.transfer.client.resume.DownloadState.RemoteFile;
import dev.penstock.transfer.client.resume.PartFile;
import dev.penstock.transfer.client.resume.RowsState;
import dev.penstock.transfer.client.resume.RunningDigest;
import dev.penstock.transfer.client.resume.Segments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One download into a file: ranges are fetched, written at their positions and noted, until nothing is missing; then
 * the file gets its name.
 *
 * <p>The first response tells which file it is. Where the server has ranges of it, and a strong entity tag, further
 * connections take what is missing piece by piece.
 */
final class FileDownload {
    private static final long NOTED_BYTES = 1 << 20;

    private final Transfer transfer;
    private final RangeRequests requests;
    private final PartFile part;
    private final DownloadState state;
    private final Segments segments;
    private final RunningDigest digest = new RunningDigest("SHA-256");
    private final AtomicLong moved = new AtomicLong();
    private final AtomicLong end = new AtomicLong();
    private volatile Optional<DigestHeader> stated = Optional.empty();

    private FileDownload(Transfer transfer, PartFile part, DownloadState state) {
        this.transfer = transfer;
        this.part = part;
        this.state = state;
        requests = new RangeRequests(transfer);
        segments = new Segments(transfer.options().connections());
    }

    /** Receives into a target. */
    static Receipt run(Transfer transfer, Path target) throws IOException, InterruptedException {
        try (PartFile part = PartFile.open(target)) {
            try {
                String key = transfer.key("get");
                if (transfer.options().keepsState() && RowsState.isThere(part, key)) {
                    return RowsDownload.toFile(transfer, part, key, Optional.empty());
                }
                try (DownloadState state = DownloadState.open(part, key)) {
                    return new FileDownload(transfer, part, state).run(key);
                }
            } catch (TransferException e) {
                boolean isUseless = e.kind() == Kind.DIGEST_MISMATCH || e.kind() == Kind.CHANGED;
                if (!transfer.options().keepsState() || isUseless) {
                    part.discard();
                }
                throw e;
            }
        }
    }

    private Receipt run(String key) throws IOException, InterruptedException {
        if (!transfer.options().keepsState()) {
            state.forget();
        }
        long resumedAt = state.total();
        for (int restarts = 0; ; restarts++) {
            try {
                Optional<Incoming> export = fetchAll();
                if (export.isPresent()) {
                    state.forget();
                    return RowsDownload.toFile(transfer, part, key, export);
                }
                return publish(resumedAt);
            } catch (ChangedException e) {
                if (restarts >= Math.max(transfer.options().retries(), 1)) {
                    throw new TransferException(
                            Kind.CHANGED,
                            "%s: %s, again and again; get it when nothing writes to it"
                                    .formatted(transfer.uri(), e.getMessage()),
                            e);
                }
                startAgain(String.valueOf(e.getMessage()));
                resumedAt = 0;
            }
        }
    }

    private void startAgain(String why) throws IOException {
        transfer.repeated(moved.get());
        if (state.remote().isEmpty()) {
            segments.useOne();
        }
        state.forget();
        digest.reset();
        moved.set(0);
        stated = Optional.empty();
        transfer.emit(new TransferEvent.Restarted(why));
    }

    /**
     * Fetches all that is missing.
     *
     * @return the response, if it is an export of rows, which goes another way
     */
    private Optional<Incoming> fetchAll()
            throws IOException, InterruptedException, ChangedException {
        moved.set(state.total());
        OptionalLong total = length();
        transfer.emit(new TransferEvent.Started(transfer.uri(), total));
        if (moved.get() > 0) {
            transfer.emit(new TransferEvent.Resumed(moved.get()));
        }
        segments.fill(missing());
        @Nullable ByteSpan first = segments.next();
        if (first == null) {
            return Optional.empty();
        }
        FurtherConnections helpers = new FurtherConnections(transfer, this::drain, segments);
        try (helpers) {
            Optional<Incoming> export = fetch(first, helpers);
            if (export.isPresent()) {
                return export;
            }
            drain();
            helpers.await();
        } catch (InterruptedException e) {
            helpers.rethrow();
            throw e;
        }
        return Optional.empty();
    }

    /** Lists what is missing. Of a file that is whole, and has no name yet, the last byte tells of a newer version. */
    private List<ByteSpan> missing() {
        List<ByteSpan> gaps = state.gaps();
        long length = length().orElse(0);
        if (!gaps.isEmpty() || length == 0) {
            return gaps;
        }
        moved.decrementAndGet();
        return List.of(new ByteSpan(length - 1, length));
    }

    private void drain() throws IOException, InterruptedException, ChangedException {
        for (@Nullable ByteSpan span; (span = segments.next()) != null; ) {
            Optional<Incoming> export = fetch(span, null);
            if (export.isPresent()) {
                export.get().close();
                throw new ChangedException("the resource on the server is an export of rows now");
            }
        }
    }

    private OptionalLong length() {
        return state.remote()
                .map(file -> OptionalLong.of(file.length()))
                .orElse(OptionalLong.empty());
    }

    /** Fetches one range, as often as it breaks off. */
    private Optional<Incoming> fetch(ByteSpan asked, @Nullable FurtherConnections helpers)
            throws IOException, InterruptedException, ChangedException {
        Backoff backoff = transfer.backoff();
        Piece piece = new Piece(asked.from());
        ByteSpan wanted = asked;
        while (true) {
            Optional<RemoteFile> known = state.remote();
            ByteSpan span = new ByteSpan(piece.at, wanted.to());
            try {
                Optional<Incoming> opened = requests.open(span, known, backoff);
                if (opened.isEmpty()) {
                    continue;
                }
                if (RowsDownload.isExport(opened.get().head()) && transfer.options().keepsState()) {
                    return opened;
                }
                try (Incoming incoming = opened.get()) {
                    long to = begin(incoming.head(), span, known, helpers);
                    if (to < 0) {
                        throw new ChangedException("the server has no ranges of it");
                    }
                    // A response without a range has all of it.
                    wanted = new ByteSpan(wanted.from(), Math.max(wanted.to(), to));
                    requests.read(incoming, piece.at, to, piece);
                    end.set(piece.at);
                    return Optional.empty();
                }
            } catch (IOException e) {
                backOff(piece, backoff, e);
            } finally {
                piece.note();
            }
        }
    }

    private void backOff(Piece piece, Backoff backoff, IOException failure)
            throws InterruptedException, ChangedException {
        if (piece.hasMoved) {
            piece.hasMoved = false;
            backoff.reset();
        }
        boolean canGoOn = state.remote().isPresent();
        boolean isAtStart = piece.at == 0;
        if (!canGoOn && !isAtStart) {
            backoff.reset();
        }
        transfer.pause(backoff, failure);
        if (!canGoOn && !isAtStart) {
            throw new ChangedException(
                    "the server has no strong entity tag or no length for it, so it can't be resumed");
        }
        if (!isAtStart) {
            transfer.emit(new TransferEvent.Resumed(piece.at));
        }
    }

    /**
     * Takes over what a response says of the file.
     *
     * @return the position behind the last byte of the response; -1 if the request must be made again without a range
     */
    private long begin(
            Answer head,
            ByteSpan span,
            Optional<RemoteFile> known,
            @Nullable FurtherConnections helpers)
            throws ChangedException {
        Optional<RemoteFile> found = RangeRequests.remote(head);
        if (known.isEmpty()) {
            if (head.status() == 206 && found.isEmpty()) {
                segments.useOne();
                return -1;
            }
            stated = DigestHeader.of(head, "repr-digest");
            if (found.isPresent()) {
                remember(found.get());
            }
            transfer.emit(
                    new TransferEvent.Started(
                            transfer.uri(),
                            found.isPresent() ? length() : head.number("content-length")));
        } else if (head.status() == 200 && !found.equals(known)) {
            throw new ChangedException("the file on the server has changed");
        }
        if (stated.isEmpty()) {
            stated = DigestHeader.of(head, "repr-digest");
        }
        if (head.status() == 200) {
            segments.fill(List.of());
            return found.map(RemoteFile::length)
                    .orElse(head.number("content-length").orElse(Long.MAX_VALUE));
        }
        long length = found.orElse(known.orElse(new RemoteFile(Long.MAX_VALUE, ""))).length();
        long to = Math.min(span.to(), length);
        if (known.isEmpty()) {
            segments.fill(List.of(new ByteSpan(to, length)));
        }
        if (helpers != null) {
            helpers.start();
        }
        return to;
    }

    /** Writes down which file it is; a failure is one of this machine, not of the connection. */
    private void remember(RemoteFile file) {
        try {
            state.begin(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Receipt publish(long resumedAt) throws IOException, InterruptedException {
        if (state.remote().isPresent() && !state.gaps().isEmpty()) {
            throw new TransferException(
                    Kind.FAILED,
                    "%s has sent less than its length says; get it again to go on where it is"
                            .formatted(transfer.uri()));
        }
        long length = length().orElse(end.get());
        Optional<DigestHeader> header = stated;
        boolean isNeeded = transfer.options().hasChecksum() || header.isPresent();
        Optional<byte[]> sha256 =
                isNeeded ? Optional.of(digest.finish(this::read, length)) : Optional.empty();
        if (header.isPresent()) {
            byte[] computed =
                    header.get().platformName().equals("SHA-256")
                            ? sha256.orElseThrow()
                            : new RunningDigest(header.get().platformName())
                                    .finish(this::read, length);
            if (!header.get().isEqual(computed)) {
                throw new TransferException(
                        Kind.DIGEST_MISMATCH,
                        "%s does not have the Repr-Digest that its server states; what came is dropped, get it again"
                                .formatted(transfer.uri()));
            }
            transfer.emit(new TransferEvent.Verified(header.get().algorithm()));
        }
        part.truncate(length);
        part.publish();
        return transfer.receipt(
                transfer.uri(), Optional.empty(), length, sha256, header.isPresent(), resumedAt);
    }

    private @Nullable ByteBuffer read(long position, int limit) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(limit);
        return part.read(bytes, position) < 0 ? null : bytes.flip();
    }

    /** The writing of one range. */
    private final class Piece implements RangeRequests.Sink {
        private long at;
        private long noted;
        private boolean hasMoved;

        Piece(long from) {
            at = from;
            noted = from;
        }

        @Override
        public void take(ByteBuffer bytes, long position) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            int count = bytes.remaining();
            digest.update(position, bytes);
            try {
                part.write(bytes, position);
                at = position + count;
                hasMoved = true;
                if (at - noted >= NOTED_BYTES) {
                    note();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            transfer.moved(moved, count, length());
        }

        void note() throws IOException {
            state.finished(new ByteSpan(noted, at));
            noted = at;
        }
    }
}
