package dev.penstock.snapshot.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.Set;
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
    /** What is smaller comes from the JVM. */
    static final long LEAST = 1 << 20;

    /** The processors on which the constants below are as they are here. */
    private static final Set<String> PROCESSORS = Set.of("amd64", "aarch64");

    // mmap(2) and madvise(2) of Linux.
    private static final int READ_AND_WRITE = 1 | 2;
    private static final int PRIVATE_AND_ANONYMOUS = 0x02 | 0x20;
    private static final int HUGE_PAGES = 14;
    private static final long FAILED = -1;

    /** What all snapshots of this JVM have in pages; it is bounded as other memory outside the heap is. */
    private static final Account JVM = new Account(limit(), Pages::refusal);

    private static final @Nullable Calls CALLS = calls();

    private Pages() {}

    /** The calls of the operating system. */
    private record Calls(MethodHandle map, MethodHandle unmap, MethodHandle advise) {}

    @SuppressWarnings("restricted") // only where native access is enabled
    private static @Nullable Calls calls() {
        if (!Pages.class.getModule().isNativeAccessEnabled()
                || !System.getProperty("os.name").equals("Linux")
                || !PROCESSORS.contains(System.getProperty("os.arch"))) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = linker.defaultLookup();
        return new Calls(
                linker.downcallHandle(
                        symbols.findOrThrow("mmap"),
                        FunctionDescriptor.of(
                                ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                                JAVA_LONG)),
                linker.downcallHandle(
                        symbols.findOrThrow("munmap"),
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG)),
                linker.downcallHandle(
                        symbols.findOrThrow("madvise"),
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT)));
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

    /** Returns whether large memory comes in pages. */
    static boolean areUsed() {
        return CALLS != null;
    }

    private static String refusal(long used, long bytes, long limit) {
        return ("the JVM has no %,d bytes outside the heap left for the snapshot: it may have %,d, and %,d are in use;"
                        + " raise -XX:MaxDirectMemorySize, or load fewer tables")
                .formatted(bytes, limit, used);
    }

    /**
     * Allocates zeroed memory.
     *
     * @param use what it is for
     * @throws dev.penstock.query.QueryException of kind {@code MEMORY_LIMIT} if it would pass the JVM's limit
     * @throws OutOfMemoryError if the JVM or the system has no more
     */
    static MemorySegment allocate(Arena arena, long bytes, long alignment, MemoryUse use) {
        Calls calls = CALLS;
        if (calls == null || bytes < LEAST) {
            return arena.allocate(bytes, alignment);
        }
        JVM.reserve(bytes, use);
        return mapped(calls, arena, bytes);
    }

    @SuppressWarnings("restricted") // only where native access is enabled
    private static MemorySegment mapped(Calls calls, Arena arena, long bytes) {
        MemorySegment pages;
        try {
            pages = map(calls, bytes);
        } catch (Throwable e) {
            JVM.giveBack(bytes);
            throw unchecked(e);
        }
        try {
            return pages.reinterpret(bytes, arena, unused -> unmap(calls, unused, bytes));
        } catch (RuntimeException | Error e) {
            unmap(calls, pages, bytes);
            throw e;
        }
    }

    private static MemorySegment map(Calls calls, long bytes) throws Throwable {
        MemorySegment pages =
                (MemorySegment)
                        calls.map.invokeExact(
                                MemorySegment.NULL,
                                bytes,
                                READ_AND_WRITE,
                                PRIVATE_AND_ANONYMOUS,
                                -1,
                                0L);
        if (pages.address() == FAILED) {
            throw new OutOfMemoryError("the system has no " + bytes + " bytes left");
        }
        // Where the system has none of these, it takes small ones.
        int _ = (int) calls.advise.invokeExact(pages, bytes, HUGE_PAGES);
        return pages;
    }

    private static void unmap(Calls calls, MemorySegment pages, long bytes) {
        try {
            int _ = (int) calls.unmap.invokeExact(pages, bytes);
        } catch (Throwable e) {
            throw unchecked(e);
        }
        JVM.giveBack(bytes);
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
