package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.http.Answer;
import dev.penstock.transfer.client.http.Backoff;
import dev.penstock.transfer.client.http.HttpCalls.Incoming;
import dev.penstock.transfer.client.resume.PartFile;
import dev.penstock.transfer.client.resume.RowsState;
import dev.penstock.transfer.client.resume.RunningDigest;
import dev.penstock.transfer.client.rows.Continuation;
import dev.penstock.transfer.client.rows.RowAssembler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One download of an export of rows, which goes on behind its last whole row when it breaks off.
 *
 * <p>Only whole rows are written, so that nothing has to be taken back.
 */
final class RowsDownload {
    private static final long NOTED_BYTES = 1 << 20;
    private static final int HEAD_BYTES = 256 * 1024;

    private final Transfer transfer;
    private final String mediaType;
    private final List<String> columns;
    private final RunningDigest digest = new RunningDigest("SHA-256");
    private final Backoff backoff;
    private final Output output;
    private final RowAssembler rows;
    private long noted;
    private long written;

    /** A taker of whole rows, which is told how far they go. */
    private interface Output {
        void write(ByteBuffer bytes, long position) throws IOException, InterruptedException;

        void note(RowsState.WholeRows whole) throws IOException;

        /** Reads again what was written; nothing where that can't be. */
        @Nullable ByteBuffer read(long position, int limit) throws IOException;
    }

    private RowsDownload(Transfer transfer, RowsState.Export export, Output output) {
        this.transfer = transfer;
        this.output = output;
        mediaType = export.mediaType();
        columns = Continuation.columns(export.columns());
        backoff = transfer.backoff();
        rows =
                RowAssembler.of(mediaType, this::write)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "No rows are told apart in " + mediaType));
    }

    /** Returns whether a response is an export that can go on. */
    static boolean isExport(Answer head) {
        return head.status() == 200
                && head.header(Continuation.HEADER).filter(names -> !names.isEmpty()).isPresent()
                && RowAssembler.of(head.header("content-type").orElse(""), bytes -> {}).isPresent();
    }

    private static RowsState.Export export(Answer head) {
        return new RowsState.Export(
                RowAssembler.bare(head.header("content-type").orElse("")),
                head.header(Continuation.HEADER).orElse(""));
    }

    /** Hands the rows to a handler. */
    static Receipt toHandler(Transfer transfer, ChunkHandler handler, Incoming first)
            throws IOException, InterruptedException {
        Output output =
                new Output() {
                    @Override
                    public void write(ByteBuffer bytes, long position) throws InterruptedException {
                        ChannelDownload.hand(handler, bytes);
                    }

                    @Override
                    public void note(RowsState.WholeRows whole) {
                        // What was handed on needs no description.
                    }

                    @Override
                    public @Nullable ByteBuffer read(long position, int limit) {
                        return null;
                    }
                };
        RowsDownload download = new RowsDownload(transfer, export(first.head()), output);
        transfer.emit(new TransferEvent.Started(transfer.uri(), OptionalLong.empty()));
        return download.run(first, 0);
    }

    /**
     * Writes the rows to a file.
     *
     * @param first the response that has begun; nothing to go on with what is there
     */
    static Receipt toFile(Transfer transfer, PartFile part, String key, Optional<Incoming> first)
            throws IOException, InterruptedException {
        try (RowsState state = RowsState.open(part, key)) {
            Output output =
                    new Output() {
                        @Override
                        public void write(ByteBuffer bytes, long position) throws IOException {
                            part.write(bytes, position);
                        }

                        @Override
                        public void note(RowsState.WholeRows whole) throws IOException {
                            state.whole(whole);
                        }

                        @Override
                        public ByteBuffer read(long position, int limit) throws IOException {
                            return ByteBuffer.wrap(bytes(part, position, limit));
                        }
                    };
            if (first.isPresent()) {
                state.begin(export(first.get().head()));
            }
            RowsState.Export export =
                    state.export()
                            .orElseThrow(() ->
                                    new IllegalStateException(
                                            "There is no state of an export to go on with"));
            RowsDownload download = new RowsDownload(transfer, export, output);
            transfer.emit(new TransferEvent.Started(transfer.uri(), OptionalLong.empty()));
            long resumedAt = first.isPresent() ? 0 : download.takeOver(part, state);
            Receipt receipt = download.run(first.orElse(null), resumedAt);
            part.truncate(receipt.bytes());
            part.publish();
            return receipt;
        }
    }

    /** Takes over what an earlier process has written, and gives its length. */
    private long takeOver(PartFile part, RowsState state) throws IOException {
        Optional<RowsState.WholeRows> whole = state.whole();
        if (whole.isEmpty() || whole.get().end() > part.size()) {
            part.truncate(0);
            return 0;
        }
        RowsState.WholeRows last = whole.get();
        byte[] row = bytes(part, last.start(), (int) (last.end() - last.start()));
        byte[] head = bytes(part, 0, (int) Math.min(HEAD_BYTES, last.start()));
        part.truncate(last.end());
        rows.resume(head, row, last.start(), last.count());
        written = last.end();
        noted = written;
        transfer.emit(new TransferEvent.Resumed(written));
        return written;
    }

    private static byte[] bytes(PartFile part, long from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (part.read(bytes, from + bytes.position()) < 0) {
                throw new IOException("The rows that were noted are not there");
            }
        }
        return bytes.array();
    }

    private Receipt run(@Nullable Incoming first, long resumedAt)
            throws IOException, InterruptedException {
        @Nullable Incoming given = first;
        while (true) {
            long before = rows.rows();
            try (Incoming incoming = given == null ? open() : given) {
                given = null;
                rows.begin();
                read(incoming);
                rows.finish();
                return finished(resumedAt);
            } catch (IOException e) {
                given = null;
                note();
                if (rows.rows() > before) {
                    backoff.reset();
                }
                transfer.pause(backoff, e);
                transfer.emit(new TransferEvent.Resumed(rows.end()));
            }
        }
    }

    private void read(Incoming incoming) throws IOException, InterruptedException {
        for (@Nullable List<ByteBuffer> taken; (taken = incoming.body().take()) != null; ) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            for (ByteBuffer bytes : taken) {
                rows.take(bytes);
            }
            if (written - noted >= NOTED_BYTES) {
                note();
            }
            transfer.moved(rows.end(), OptionalLong.empty());
        }
    }

    /** Notes how far whole rows go, having written them. */
    private void note() throws IOException, InterruptedException {
        rows.flush();
        noted = written;
        if (rows.rows() > 0) {
            try {
                output.note(new RowsState.WholeRows(rows.lastStart(), rows.end(), rows.rows()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Asks for the rest. */
    private Incoming open() throws IOException, InterruptedException {
        URI uri =
                rows.rows() == 0
                        ? transfer.uri()
                        : Continuation.after(transfer.uri(), rows.values(columns), rows.rows());
        while (true) {
            Incoming incoming =
                    transfer.calls()
                            .get(
                                    uri,
                                    transfer.uri(),
                                    request -> request.setHeader("Accept-Encoding", "identity"));
            String type = RowAssembler.bare(incoming.head().header("content-type").orElse(""));
            if (incoming.head().status() == 200 && type.equals(mediaType)) {
                return incoming;
            }
            Answer answer = incoming.read();
            if (answer.status() == 200) {
                throw new TransferException(
                        Kind.CHANGED,
                        "%s was %s, and its rest is %s; get it from its beginning"
                                .formatted(transfer.uri(), mediaType, type));
            }
            if (!answer.isPassing()) {
                throw transfer.refusal(answer, "Getting the rest of the rows from");
            }
            transfer.pause(backoff, answer);
        }
    }

    /** Writes rows; a failure is one of this machine, not of the connection. */
    private void write(ByteBuffer bytes) throws InterruptedException {
        if (transfer.options().hasChecksum()) {
            digest.update(written, bytes);
        }
        int count = bytes.remaining();
        try {
            output.write(bytes, written);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        written += count;
    }

    private Receipt finished(long resumedAt) throws IOException, InterruptedException {
        Optional<byte[]> sha256 =
                transfer.options().hasChecksum()
                        ? Optional.of(digest.finish(output::read, written))
                        : Optional.empty();
        return transfer.receipt(
                transfer.uri(), Optional.empty(), written, sha256, false, resumedAt);
    }
}
