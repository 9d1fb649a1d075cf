package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.http.Answer;
import dev.penstock.transfer.client.http.Backoff;
import dev.penstock.transfer.client.http.DigestHeader;
import dev.penstock.transfer.client.http.HttpCalls.Incoming;
import dev.penstock.transfer.client.resume.ByteSpan;
import dev.penstock.transfer.client.resume.DownloadState.RemoteFile;
import dev.penstock.transfer.client.resume.RunningDigest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One download into a handler, which gets each byte once, in order. */
final class ChannelDownload {
    private final Transfer transfer;
    private final ChunkHandler handler;
    private final RangeRequests requests;
    private final RunningDigest sha256 = new RunningDigest("SHA-256");
    private final Backoff backoff;
    private Optional<RemoteFile> remote = Optional.empty();
    private Optional<DigestHeader> stated = Optional.empty();
    private @Nullable RunningDigest other;
    private OptionalLong total = OptionalLong.empty();
    private long at;
    private long failedAt;

    ChannelDownload(Transfer transfer, ChunkHandler handler) {
        this.transfer = transfer;
        this.handler = handler;
        requests = new RangeRequests(transfer);
        backoff = transfer.backoff();
    }

    Receipt run() throws IOException, InterruptedException {
        while (true) {
            try {
                Optional<Incoming> opened =
                        requests.open(new ByteSpan(at, Long.MAX_VALUE), remote, backoff);
                if (opened.isEmpty()) {
                    continue;
                }
                if (RowsDownload.isExport(opened.get().head()) && transfer.options().keepsState()) {
                    return RowsDownload.toHandler(transfer, handler, opened.get());
                }
                try (Incoming incoming = opened.get()) {
                    begin(incoming.head());
                    long to = remote.map(RemoteFile::length).orElse(total.orElse(Long.MAX_VALUE));
                    requests.read(incoming, at, to, this::take);
                }
                return finished();
            } catch (IOException e) {
                goOn(e);
            } catch (ChangedException e) {
                throw new TransferException(
                        Kind.CHANGED,
                        "%s: %s after %d bytes were handed on; get it again, or into a file"
                                .formatted(transfer.uri(), e.getMessage(), at),
                        e);
            }
        }
    }

    private void begin(Answer head) {
        if (at == 0) {
            remote = RangeRequests.remote(head);
            total = head.number("content-length");
            stated = DigestHeader.of(head, "repr-digest");
            other =
                    stated.map(DigestHeader::platformName)
                            .filter(name -> !name.equals("SHA-256"))
                            .map(RunningDigest::new)
                            .orElse(null);
            transfer.emit(new TransferEvent.Started(transfer.uri(), total));
        } else {
            transfer.emit(new TransferEvent.Resumed(at));
        }
    }

    private void take(ByteBuffer bytes, long position) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        int count = bytes.remaining();
        if (transfer.options().hasChecksum() || stated.isPresent()) {
            sha256.update(position, bytes);
        }
        if (other != null) {
            other.update(position, bytes);
        }
        hand(handler, bytes);
        at = position + count;
        transfer.moved(at, total);
    }

    /** Gives a chunk to a handler; what that throws ends the transfer. */
    static void hand(ChunkHandler handler, ByteBuffer bytes) throws InterruptedException {
        try {
            handler.accept(bytes.asReadOnlyBuffer());
        } catch (ClosedByInterruptException e) {
            throw new InterruptedException();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void goOn(IOException failure) throws InterruptedException {
        if (at > 0 && remote.isEmpty()) {
            throw new TransferException(
                    Kind.FAILED,
                    ("%s broke off after %d bytes: %s. It can't go on, since its server gives it no strong entity"
                                    + " tag or no length; get it into a file, where it can begin anew")
                            .formatted(transfer.uri(), at, Transfer.describe(failure)),
                    failure);
        }
        if (at > failedAt) {
            failedAt = at;
            backoff.reset();
        }
        transfer.pause(backoff, failure);
    }

    private Receipt finished() throws IOException, InterruptedException {
        boolean isComputed = transfer.options().hasChecksum() || stated.isPresent();
        Optional<byte[]> computed =
                isComputed
                        ? Optional.of(sha256.finish((position, limit) -> null, at))
                        : Optional.empty();
        if (stated.isPresent()) {
            byte[] compared =
                    other == null
                            ? computed.orElseThrow()
                            : other.finish((position, limit) -> null, at);
            if (!stated.get().isEqual(compared)) {
                throw new TransferException(
                        Kind.DIGEST_MISMATCH,
                        "%s does not have the Repr-Digest that its server states; drop what came, and get it again"
                                .formatted(transfer.uri()));
            }
            transfer.emit(new TransferEvent.Verified(stated.get().algorithm()));
        }
        return transfer.receipt(
                transfer.uri(), Optional.empty(), at, computed, stated.isPresent(), 0);
    }
}
