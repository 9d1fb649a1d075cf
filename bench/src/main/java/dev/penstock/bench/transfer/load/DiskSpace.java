package dev.penstock.bench.transfer.load;

import dev.penstock.bench.report.Figures;
import java.io.IOException;
import java.nio.file.Path;

/** The space of a disk that a measurement needs. */
public final class DiskSpace {
    private DiskSpace() {}

    /**
     * Checks that there is as much.
     *
     * @throws IOException if there is less; it says what to do
     */
    public static void require(Path directory, long bytes) throws IOException {
        long usable = directory.toFile().getUsableSpace();
        if (usable < bytes) {
            throw new IOException(
                    "%s has %s of space, and this needs %s: name another directory by --out"
                            .formatted(
                                    directory,
                                    Figures.megabytes(usable),
                                    Figures.megabytes(bytes)));
        }
    }
}
