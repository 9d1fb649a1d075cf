package dev.penstock.http.limits;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The file descriptors of this process: how many connections may take, and a reserve for when none is left.
 *
 * <p>Connections are what takes descriptors without end. So they get those that are free when the server starts, save a
 * part for everything else: classes that are loaded later, the log, a database. Where others have taken all
 * nevertheless, the reserve is given up, so that what must go on can, and nothing is accepted until it could be taken
 * again. For one thread.
 *
 * <p>Numbers are those of Linux, from {@code /proc}. Elsewhere, and without a limit, everything is taken for free.
 */
final class FileDescriptors {
    private static final int LEAST_SPARED = 16;
    private static final int RESERVE = LEAST_SPARED / 2;
    private static final int MOST_SPARED = 256;

    /** As many are left when the reserve is taken: the other half, and one for a connection. */
    private static final int LEFT = LEAST_SPARED - RESERVE + 1;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path OPEN = Path.of("/proc/self/fd");
    private static final String LIMIT = "Max open files";

    private final List<SocketChannel> reserve = new ArrayList<>(RESERVE);
    private final long limit = limit();

    /** How many this process may open; {@link Long#MAX_VALUE} where that is not known, or there is no limit. */
    private static long limit() {
        try (Stream<String> limits = Files.lines(LIMITS)) {
            String line = limits.filter(one -> one.startsWith(LIMIT)).findFirst().orElse("");
            String most = line.substring(Math.min(line.length(), LIMIT.length())).strip();
            return Long.parseLong(most.split(" ", 2)[0]);
        } catch (IOException | RuntimeException _) {
            return Long.MAX_VALUE;
        }
    }

    private static long open() throws IOException {
        try (Stream<Path> open = Files.list(OPEN)) {
            return open.count();
        }
    }

    /** How many connections there may be, as far as this process can tell; {@link Integer#MAX_VALUE} where it can't. */
    static int forConnections() {
        try {
            long limit = limit();
            return limit == Long.MAX_VALUE ? Integer.MAX_VALUE : forConnections(limit, open());
        } catch (IOException _) {
            return Integer.MAX_VALUE;
        }
    }

    static int forConnections(long limit, long open) {
        long free = Math.max(0, limit - open);
        long spared = Math.clamp(free / 4, LEAST_SPARED, MOST_SPARED);
        return Math.clamp(free - spared, 1, Integer.MAX_VALUE);
    }

    /**
     * Takes the reserve, or what is missing of it, if there is more than that. Returns whether it is whole. The last
     * descriptors are not even tried: a class that is loaded for the first time at that moment would be missing for
     * good.
     */
    boolean take() {
        try {
            if (limit != Long.MAX_VALUE && limit - open() < RESERVE - reserve.size() + LEFT) {
                return false;
            }
            while (reserve.size() < RESERVE) {
                reserve.add(SocketChannel.open());
            }
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** Gives up the reserve. */
    void release() {
        for (SocketChannel one : reserve) {
            try {
                one.close();
            } catch (IOException _) {
                // It was never connected: there is nothing to lose.
            }
        }
        reserve.clear();
    }
}
