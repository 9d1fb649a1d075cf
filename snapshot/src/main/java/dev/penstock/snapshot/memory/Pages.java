package dev.penstock.snapshot.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.util.Objects.requireNonNull;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Large memory in pages of the operating system, which are zeroed one by one when they are first written. Thread-safe.
 *
 * <p>The JVM zeroes what it allocates as a whole, and can't stop a thread meanwhile: while 20 MB were zeroed, all other
 * threads waited for the next collection of the heap, up to 50 ms on a busy machine. Pages are taken on Linux, where
 * native access is enabled for this module; otherwise all memory comes from the JVM. Why and how much: <a
 * href="../../../../../../../../docs/decisions/memory-in-pages.md">docs/decisions/memory-in-pages.md</a>.
 */
final class Pages {
    /** The fewest bytes that come in pages; smaller memory comes from the JVM. */
    static final long LEAST = 1 << 20;

    /** The fewest bytes of a version's numbers that come in pages; tests set fewer, so that small tables have pages. */
    static final long LEAST_NUMBERS = Long.getLong("dev.penstock.snapshot.leastNumbers", LEAST);

    /** The processors on which the constants below are as they are here. */
    private static final Set<String> PROCESSORS = Set.of("amd64", "aarch64");

    // mmap(2) and madvise(2) of Linux.
    private static final int READ_AND_WRITE = 1 | 2;
    private static final int PRIVATE_AND_ANONYMOUS = 0x02 | 0x20;
    private static final int HUGE_PAGES = 14;
    private static final long HUGE_PAGE = 2 << 20;
    private static final long FAILED = -1;

    /** The time, in seconds, for which pages of ended numbers are kept for others. */
    private static final int KEPT_SECONDS = 10;

    /** The least alignment of a mapping. */
    private static final long ALIGNMENT = 4096;

    /** Made when large memory is first asked for; null where it comes from the JVM. */
    private static final class Holder {
        static final @Nullable Pages PAGES = ofThisJvm();
    }

    private final MethodHandle map;
    private final MethodHandle unmap;
    private final MethodHandle advise;

    /** The account of the pages of all snapshots of this JVM, which are bounded as other memory outside the heap is. */
    private final Account account = new Account(limit(), Pages::refusal, new Unused());

    /** The pages of ended numbers, for the next ones of their size; they stay in the account. */
    private final SparePages<Mapping> spares =
            new SparePages<>(
                    account.limit() / 4,
                    CompletableFuture.delayedExecutor(KEPT_SECONDS, TimeUnit.SECONDS));

    @SuppressWarnings("restricted") // only where native access is enabled
    private Pages(Linker linker) {
        SymbolLookup symbols = linker.defaultLookup();
        map =
                linker.downcallHandle(
                        symbols.findOrThrow("mmap"),
                        FunctionDescriptor.of(
                                ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                                JAVA_LONG));
        unmap =
                linker.downcallHandle(
                        symbols.findOrThrow("munmap"),
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
        advise =
                linker.downcallHandle(
                        symbols.findOrThrow("madvise"),
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    }

    private static @Nullable Pages ofThisJvm() {
        if (!Pages.class.getModule().isNativeAccessEnabled()
                || !System.getProperty("os.name").equals("Linux")
                || !PROCESSORS.contains(System.getProperty("os.arch"))) {
            return null;
        }
        try {
            return new Pages(Linker.nativeLinker());
        } catch (RuntimeException | LinkageError e) {
            // A JVM that does not say its limit, or has no linker.
            return null;
        }
    }

    /** Returns {@code -XX:MaxDirectMemorySize}, which is as much as the heap unless it is set. */
    private static long limit() {
        long set =
                Long.parseLong(
                        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                                .getVMOption("MaxDirectMemorySize")
                                .getValue());
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }

    private static String refusal(long used, long bytes, long limit) {
        return ("the JVM has no %,d bytes outside the heap left for the snapshot: it may have %,d, and %,d are in use;"
                        + " raise -XX:MaxDirectMemorySize, or load fewer tables")
                .formatted(bytes, limit, used);
    }

    /** The pages that nobody uses: those that nobody can reach, and the spare ones. */
    private final class Unused implements Account.Garbage {
        /**
         * Has the two cleaners that unmap what nobody can reach, the JVM's own and that of numbers, come to what the
         * next collection finds, and then runs this.
         */
        @Override
        @SuppressWarnings("restricted") // only where native access is enabled
        public void whenCollected(Runnable run) {
            AtomicInteger left = new AtomicInteger(2);
            Runnable one =
                    () -> {
                        if (left.decrementAndGet() == 0) {
                            run.run();
                        }
                    };
            MemorySegment _ = MemorySegment.NULL.reinterpret(0, Arena.ofAuto(), _ -> one.run());
            Memory.CLEANER.register(new Object(), one);
        }

        @Override
        public void giveBackKept() {
            spares.clear();
        }
    }

    /** Returns whether large memory comes in pages. */
    static boolean areUsed() {
        return Holder.PAGES != null;
    }

    /**
     * Allocates zeroed memory.
     *
     * @param use what it is for
     * @throws dev.penstock.query.QueryException of kind {@code MEMORY_LIMIT} if it would pass the JVM's limit
     * @throws OutOfMemoryError if the JVM or the system has no more
     */
    static MemorySegment allocate(Arena arena, long bytes, long alignment, MemoryUse use) {
        Pages pages = bytes < LEAST || alignment > ALIGNMENT ? null : Holder.PAGES;
        return pages == null ? arena.allocate(bytes, alignment) : pages.take(arena, bytes, use);
    }

    /**
     * Allocates pages, where these {@linkplain #areUsed are used}. They are given back when the arena is closed, or
     * when nobody can reach it and the memory any more: to others of the same size for a while, and then to the system.
     *
     * @param arena a shared one, for this alone
     * @param isZeroed whether they are to be zeroed; else they may be what others had
     * @param ended done when they were given back
     * @throws dev.penstock.query.QueryException as above
     */
    static MemorySegment allocate(
            Arena arena, long bytes, MemoryUse use, boolean isZeroed, Runnable ended) {
        Pages pages = requireNonNull(Holder.PAGES);
        // Of a table that grows by some rows, the next numbers need the same pages.
        long rounded = isZeroed ? bytes : rounded(bytes);
        Mapping spare = isZeroed ? null : pages.spares.take(rounded);
        Mapping mapping = spare == null ? pages.mapping(rounded, use) : pages.again(spare);
        MemorySegment segment = pages.segment(arena, mapping, bytes);
        mapping.isForOthers = !isZeroed;
        mapping.ended = ended;
        // The scope knows the mapping, and the mapping not the scope.
        Memory.CLEANER.register(segment.scope(), mapping::end);
        return segment;
    }

    private MemorySegment take(Arena arena, long bytes, MemoryUse use) {
        return segment(arena, mapping(bytes, use), bytes);
    }

    /** Returns the bytes of whole pages: of huge ones, where there is more than one. */
    private static long rounded(long bytes) {
        long page = bytes > HUGE_PAGE ? HUGE_PAGE : ALIGNMENT;
        return (bytes + page - 1) / page * page;
    }

    /** The pages of a mapping that has ended, in the account as they were. */
    private Mapping again(Mapping spare) {
        return new Mapping(spare.pages, spare.bytes);
    }

    private Mapping mapping(long bytes, MemoryUse use) {
        account.reserve(bytes, use);
        try {
            return new Mapping(map(bytes), bytes);
        } catch (Throwable e) {
            account.giveBack(bytes);
            throw unchecked(e);
        }
    }

    @SuppressWarnings("restricted") // only where native access is enabled
    private MemorySegment segment(Arena arena, Mapping mapping, long bytes) {
        try {
            // Where the system has none of these, it takes small ones.
            int _ = (int) advise.invokeExact(mapping.pages, mapping.bytes, HUGE_PAGES);
            return mapping.pages.reinterpret(bytes, arena, _ -> mapping.end());
        } catch (Throwable e) {
            mapping.end();
            throw unchecked(e);
        }
    }

    private MemorySegment map(long bytes) throws Throwable {
        MemorySegment pages =
                (MemorySegment)
                        map.invokeExact(
                                MemorySegment.NULL,
                                bytes,
                                READ_AND_WRITE,
                                PRIVATE_AND_ANONYMOUS,
                                -1,
                                0L);
        if (pages.address() == FAILED) {
            throw new OutOfMemoryError("the system has no " + bytes + " bytes left");
        }
        return pages;
    }

    /** Pages that are given back once, whoever ends them. */
    private final class Mapping implements SparePages.Spare {
        private final MemorySegment pages;
        private final long bytes;
        private final AtomicBoolean isEnded = new AtomicBoolean();

        /** Whether others may have them next. */
        private volatile boolean isForOthers;

        /** Done when they were given back. */
        private volatile Runnable ended = () -> {};

        Mapping(MemorySegment pages, long bytes) {
            this.pages = pages;
            this.bytes = bytes;
        }

        void end() {
            if (!isEnded.compareAndSet(false, true)) {
                return;
            }
            try {
                if (isForOthers) {
                    spares.add(this);
                } else {
                    unmap();
                }
            } finally {
                ended.run();
            }
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public void unmap() {
            try {
                int failed = (int) unmap.invokeExact(pages, bytes);
                if (failed == 0) {
                    account.giveBack(bytes);
                }
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }
    }

    /** The calls throw what the JVM throws alone. */
    private static RuntimeException unchecked(Throwable e) {
        return switch (e) {
            case Error error -> throw error;
            case RuntimeException exception -> exception;
            case Throwable other -> new IllegalStateException(other);
        };
    }
}
