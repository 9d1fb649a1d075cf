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
 */
final class FileDescriptors {
    private static final int RESERVE = 16;
    private static final int MOST_SPARED = 256;
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path OPEN = Path.of("/proc/self/fd");
    private static final String LIMIT = "Max open files";

    private final List<SocketChannel> reserve = new ArrayList<>(RESERVE);

    /** How many connections there may be, as far as this process can tell; {@link Integer#MAX_VALUE} where it can't. */
    static int forConnections() {
        try (Stream<String> limits = Files.lines(LIMITS);
                Stream<Path> open = Files.list(OPEN)) {
            String limit = limits.filter(line -> line.startsWith(LIMIT)).findFirst().orElse("");
            String most = limit.substring(Math.min(limit.length(), LIMIT.length())).strip();
            return forConnections(Long.parseLong(most.split(" ", 2)[0]), open.count());
        } catch (IOException | RuntimeException _) {
            // Another operating system, or no limit.
            return Integer.MAX_VALUE;
        }
    }

    static int forConnections(long limit, long open) {
        long free = Math.max(0, limit - open);
        long spared = Math.clamp(free / 4, RESERVE, MOST_SPARED);
        return Math.clamp(free - spared, 1, Integer.MAX_VALUE);
    }

    /** Takes the reserve, or what is missing of it. Returns whether it is whole. */
    boolean take() {
        try {
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
