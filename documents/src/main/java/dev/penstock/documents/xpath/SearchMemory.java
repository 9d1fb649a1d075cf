package dev.penstock.documents.xpath;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that one document takes while it is searched here. All searches of a process share a quarter of its heap;
 * what a document needs is estimated, rather too high than too low. It is to be closed when the search has left the
 * document. Not thread-safe, but for {@link #close}.
 */
public final class SearchMemory implements AutoCloseable {
    private static final long STEP = 64 << 10;
    private static final Shared HEAP = new Shared(Runtime.getRuntime().maxMemory() / 4);

    private final Shared shared;
    private final AtomicLong reserved = new AtomicLong();
    private long needed;
    private long temporary;

    /** A number of bytes that several searches share. */
    static final class Shared {
        private final long limit;
        private final AtomicLong used = new AtomicLong();

        Shared(long limit) {
            this.limit = limit;
        }

        long used() {
            return used.get();
        }
    }

    SearchMemory(Shared shared) {
        this.shared = shared;
    }

    /** Opens one for a document, which takes nothing yet. */
    public static SearchMemory open() {
        return new SearchMemory(HEAP);
    }

    /**
     * Takes bytes for what is kept until the search leaves the document.
     *
     * @throws DocumentException {@code LIMIT} if the document needs more than all searches may have, {@code BUSY} if
     *     other searches have what it needs
     */
    void take(long bytes) {
        needed += bytes;
        reserve(needed + temporary);
    }

    /** Takes bytes for a value of an expression, of which the largest counts. */
    void takeTemporary(long bytes) {
        if (bytes > temporary) {
            temporary = bytes;
            reserve(needed + temporary);
        }
    }

    private void reserve(long bytes) {
        long more = bytes - reserved.get();
        if (more <= 0) {
            return;
        }
        more = (more + STEP - 1) / STEP * STEP;
        if (reserved.get() + more > shared.limit) {
            throw new DocumentException(
                    Kind.LIMIT,
                    ("To search a document takes more memory than a quarter of the heap, which is %,d bytes; store its"
                                    + " records as documents of their own, or start with a larger heap")
                            .formatted(shared.limit));
        }
        if (shared.used.addAndGet(more) > shared.limit) {
            shared.used.addAndGet(-more);
            throw new DocumentException(
                    Kind.BUSY,
                    "Other searches take the memory that a document needs to be searched; try again later, or start"
                            + " with a larger heap");
        }
        reserved.addAndGet(more);
    }

    /** Gives back what it has taken. Closing it again does nothing. */
    @Override
    public void close() {
        shared.used.addAndGet(-reserved.getAndSet(0));
    }
}
