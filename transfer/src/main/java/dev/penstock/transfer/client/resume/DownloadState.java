package dev.penstock.transfer.client.resume;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The state of the download of a file: which file of the server it is, and which of its bytes are there.
 *
 * <p>It is a journal of these lines: {@code file KEY BOOT LENGTH ETAG} begins it, {@code range FROM TO} says that
 * these bytes were written, and {@code forced} that all ranges above it are on the disk. Thread-safe.
 */
public final class DownloadState implements AutoCloseable {
    private static final long COMPACT_BYTES = 256 * 1024;
    private static final long FORCE_BYTES = 256L << 20;

    private final PartFile part;
    private final String key;
    private final Journal journal;
    private final String boot = BootId.current();
    private final RangeSet finished = new RangeSet();
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<RemoteFile> remote = Optional.empty();
    private long unforced;

    /**
     * The file on the server.
     *
     * @param length in bytes
     * @param tag its strong entity tag
     */
    public record RemoteFile(long length, String tag) {}

    private DownloadState(PartFile part, String key, Journal journal) {
        this.part = part;
        this.key = key;
        this.journal = journal;
    }

    /**
     * Opens what an earlier download of the same resource has left.
     *
     * @param key that identifies the resource; the state of another is dropped
     */
    public static DownloadState open(PartFile part, String key) throws IOException {
        List<String> lines = Journal.read(part.statePath());
        DownloadState state = new DownloadState(part, key, Journal.open(part.statePath()));
        try {
            state.load(lines);
        } catch (IOException | RuntimeException e) {
            state.close();
            throw e;
        }
        return state;
    }

    private void load(List<String> lines) throws IOException {
        String[] head = lines.isEmpty() ? new String[0] : lines.getFirst().split(" ", 5);
        if (head.length < 5 || !head[0].equals("file") || !head[1].equals(key)) {
            forget();
            return;
        }
        remote = Optional.of(new RemoteFile(Long.parseLong(head[3]), head[4]));
        boolean isSameBoot = head[2].equals(boot);
        List<ByteSpan> pending = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            if (line.equals("forced")) {
                pending.forEach(span -> finished.add(span.from(), span.to()));
                pending.clear();
            } else if (line.startsWith("range ")) {
                String[] words = line.split(" ", -1);
                pending.add(new ByteSpan(Long.parseLong(words[1]), Long.parseLong(words[2])));
            }
        }
        if (isSameBoot) {
            pending.forEach(span -> finished.add(span.from(), span.to()));
        }
        long end = finished.ranges().stream().mapToLong(ByteSpan::to).max().orElse(0);
        if (end > part.size()) {
            // Somebody has removed the part file, or it has got its name already.
            forget();
            return;
        }
        compact();
    }

    /** The file on the server that the bytes are of; nothing when there are none. */
    public Optional<RemoteFile> remote() {
        lock.lock();
        try {
            return remote;
        } finally {
            lock.unlock();
        }
    }

    /** Begins with a file of the server, from nothing. */
    public void begin(RemoteFile file) throws IOException {
        lock.lock();
        try {
            finished.clear();
            remote = Optional.of(file);
            compact();
            part.truncate(0);
        } finally {
            lock.unlock();
        }
    }

    /** Drops all, as for a file that can't be resumed. */
    public void forget() throws IOException {
        lock.lock();
        try {
            finished.clear();
            remote = Optional.empty();
            journal.rewrite(List.of());
            part.truncate(0);
        } finally {
            lock.unlock();
        }
    }

    /** Notes that bytes have been written; nothing is kept of a file that can't be resumed. */
    public void finished(ByteSpan span) throws IOException {
        lock.lock();
        try {
            if (remote.isEmpty() || span.length() == 0) {
                return;
            }
            finished.add(span.from(), span.to());
            unforced += span.length();
            if (unforced >= FORCE_BYTES || journal.size() > COMPACT_BYTES) {
                compact();
            } else {
                journal.add("range " + span.from() + " " + span.to());
            }
        } finally {
            lock.unlock();
        }
    }

    /** What is missing of the file, in order. */
    public List<ByteSpan> gaps() {
        lock.lock();
        try {
            return remote.isEmpty()
                    ? List.of(new ByteSpan(0, Long.MAX_VALUE))
                    : finished.gaps(remote.get().length());
        } finally {
            lock.unlock();
        }
    }

    /** The number of bytes that are there. */
    public long total() {
        lock.lock();
        try {
            return finished.total();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }

    /** Forces the bytes, and then writes the journal anew, with few lines. */
    private void compact() throws IOException {
        part.force();
        unforced = 0;
        List<String> lines = new ArrayList<>();
        remote.ifPresent(file -> {
            lines.add("file " + key + " " + boot + " " + file.length() + " " + file.tag());
            finished.ranges().forEach(span -> lines.add("range " + span.from() + " " + span.to()));
            lines.add("forced");
        });
        journal.rewrite(lines);
    }
}
