package dev.penstock.server.transfer;

import dev.penstock.http.Exchange;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.Upload;
import dev.penstock.transfer.UploadHooks;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counts of uploads since the start, for the metrics; and the bound on the files in their directory. Thread-safe.
 */
public final class UploadCounts implements UploadHooks {
    private static final Set<String> WRITING = Set.of("POST", "PUT", "PATCH");

    private final LongAdder begun = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private final LongAdder finishedBytes = new LongAdder();
    private final LongAdder failed = new LongAdder();

    private final Path directory;
    private final long directoryBytes;

    UploadCounts(Path directory, long directoryBytes) {
        this.directory = directory;
        this.directoryBytes = directoryBytes;
    }

    @Override
    public void accept(Upload upload) throws IOException {
        if (directoryBytes < Long.MAX_VALUE) {
            requireRoom(upload.length().orElse(0));
        }
        begun.increment();
    }

    private void requireRoom(long length) throws IOException {
        long kept = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                kept += Files.isRegularFile(file) ? file.toFile().length() : 0;
            }
        }
        if (length > directoryBytes - kept) {
            throw new TransferException(
                    TransferException.Kind.REJECTED,
                    "The files here have %d bytes, and together with this one they may have %d: delete some in the"
                                    .formatted(kept, directoryBytes)
                            + " server's directory");
        }
    }

    @Override
    public void finished(Upload upload, Path file) {
        finished.increment();
        finishedBytes.add(upload.offset());
    }

    /** Counts the response to a request. */
    void answered(Exchange exchange, int status) {
        boolean isFailure = status == 0 || status >= 400;
        if (isFailure && WRITING.contains(exchange.method())) {
            failed.increment();
        }
    }

    public long begun() {
        return begun.sum();
    }

    public long finished() {
        return finished.sum();
    }

    public long finishedBytes() {
        return finishedBytes.sum();
    }

    /** Returns the number of requests to begin, go on with or finish an upload that were refused or failed. */
    public long failed() {
        return failed.sum();
    }
}
