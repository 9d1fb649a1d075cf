package dev.penstock.snapshot.memory;

import dev.penstock.query.QueryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the heap, counted against a limit before it is taken. What is allocated here goes when nobody can
 * reach its segment any more, and is counted until then; {@link Scratch} is for what is needed only for a while, and
 * {@link Longs#free} gives back the numbers of a version that nobody uses any more.
 * Thread-safe.
 */
public final class Memory implements SegmentAllocator {
    static final Cleaner CLEANER =
            Cleaner.create(Thread.ofPlatform().name("penstock-memory").daemon().factory());

    /** So much is copied at once. */
    private static final long COPIED_BYTES = 1 << 17;

    private final Account account;
    private final MemoryUse use;

    /** What was taken through this alone and not given back by a {@link Scratch}, and the most that was. */
    private final AtomicLong own = new AtomicLong();

    private final AtomicLong most = new AtomicLong();

    /**
     * @param limit bytes that may be in use at once; {@link Long#MAX_VALUE} leaves that to the JVM
     */
    public Memory(long limit) {
        this(
                new Account(limit, Memory::refusal, run -> CLEANER.register(new Object(), run)),
                MemoryUse.QUERY);
    }

    private Memory(Account account, MemoryUse use) {
        this.account = account;
        this.use = use;
    }

    private static String refusal(long used, long bytes, long limit) {
        return ("the snapshot has %,d bytes and needs %,d more; its limit is %,d. Raise the limit, load fewer tables or"
                        + " keep fewer versions")
                .formatted(used, bytes, limit);
    }

    /** The same memory, less what {@link #keep} leaves for the next version. */
    public Memory forIndexes() {
        return new Memory(account, MemoryUse.INDEX);
    }

    /** Has that many bytes left free by indexes, unless that is above the limit, as that of mapped tables may be. */
    public void keep(long bytes) {
        account.keep(bytes);
    }

    long limit() {
        return account.limit();
    }

    /** Returns bytes that are taken and not yet given back. */
    public long used() {
        return account.used();
    }

    /** Returns whether so many bytes more may be taken, if need be after the JVM has collected garbage. */
    public boolean hasRoom(long bytes) {
        return account.makeRoom(bytes, use);
    }

    /** Returns the same memory for a version that is loaded; {@link #most} tells what that took. */
    public Memory forVersion() {
        return new Memory(account, MemoryUse.VERSION);
    }

    /**
     * Returns the most bytes that were taken through this at once, where only what a {@link Scratch} had was given
     * back.
     */
    public long most() {
        return most.get();
    }

    /**
     * Allocates zeroed memory.
     *
     * @throws QueryException of kind {@code MEMORY_LIMIT} if it would pass the limit, or the JVM has no more
     */
    @Override
    public MemorySegment allocate(long bytes, long alignment) {
        MemorySegment segment = take(Arena.ofAuto(), bytes, alignment);
        if (bytes > 0) {
            Account from = account;
            CLEANER.register(segment, () -> from.giveBack(bytes));
        }
        return segment;
    }

    /** Returns whether so many bytes can be given back before nobody can reach them any more. */
    boolean isEnded(long bytes) {
        return Pages.areUsed() && bytes >= Pages.LEAST_NUMBERS;
    }

    /**
     * Allocates memory {@linkplain #isEnded that can be ended}: it is given back when its arena is closed, or when
     * nobody can reach that and the segment any more.
     *
     * @param arena a shared one, for this alone
     * @param isZeroed whether it is to be zeroed; else anything may be in it
     * @throws QueryException as above
     */
    MemorySegment allocate(Arena arena, long bytes, boolean isZeroed) {
        Account from = account;
        return take(
                bytes,
                () -> Pages.allocate(arena, bytes, use, isZeroed, () -> from.giveBack(bytes)));
    }

    /** Returns memory for a while. */
    public Scratch scratch() {
        return new Scratch();
    }

    private MemorySegment take(Arena arena, long bytes, long alignment) {
        return take(bytes, () -> Pages.allocate(arena, bytes, alignment, use));
    }

    private MemorySegment take(long bytes, Supplier<MemorySegment> from) {
        account.reserve(bytes, use);
        try {
            MemorySegment segment = from.get();
            most.accumulateAndGet(own.addAndGet(bytes), Math::max);
            return segment;
        } catch (OutOfMemoryError e) {
            account.giveBack(bytes);
            throw new QueryException(
                    QueryException.Kind.MEMORY_LIMIT,
                    ("the JVM has no %,d bytes outside the heap left for the snapshot, which has %,d; raise"
                                    + " -XX:MaxDirectMemorySize, or load fewer tables")
                            .formatted(bytes, used()),
                    e);
        } catch (RuntimeException | Error e) {
            account.giveBack(bytes);
            throw e;
        }
    }

    /**
     * Copies memory, in pieces: the JVM can't stop a thread that copies, so that all others would wait for it at the
     * next collection of the heap.
     */
    static void copy(MemorySegment from, long start, MemorySegment to, long at, long bytes) {
        for (long done = 0; done < bytes; done += COPIED_BYTES) {
            long piece = Math.min(bytes - done, COPIED_BYTES);
            MemorySegment.copy(from, start + done, to, at + done, piece);
        }
    }

    /**
     * Memory that is given back all at once, by {@link #close}. What came from it must not be used after that.
     * Thread-safe.
     */
    public final class Scratch implements SegmentAllocator, AutoCloseable {
        private final AtomicLong taken = new AtomicLong();

        /** Made when something is allocated, since closing it has all threads of the JVM look whether they read it. */
        private @Nullable Arena arena;

        private boolean isClosed;

        private Scratch() {}

        private synchronized Arena arena() {
            if (isClosed) {
                throw new IllegalStateException("memory for a while is asked for after its end");
            }
            Arena known = arena == null ? Arena.ofShared() : arena;
            arena = known;
            return known;
        }

        @Override
        public MemorySegment allocate(long bytes, long alignment) {
            MemorySegment segment = take(arena(), bytes, alignment);
            taken.addAndGet(bytes);
            return segment;
        }

        /** Closing twice does no harm. */
        @Override
        public synchronized void close() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            if (arena != null) {
                arena.close();
                account.giveBack(taken.get());
                own.addAndGet(-taken.get());
            }
        }
    }
}
