package dev.penstock.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory that an option names, which is made where it is missing. */
final class WritableDirectory {
    private WritableDirectory() {}

    /**
     * Returns the directory.
     *
     * @throws StartupException if it can't be made or written
     */
    static Path of(String option, Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new StartupException(
                    "%s %s can't be made (%s): create it, or name another directory"
                            .formatted(option, directory, e.getClass().getSimpleName()),
                    e);
        }
        if (!Files.isWritable(directory)) {
            throw new StartupException(
                    "%s %s can't be written: check its permissions, or name another directory"
                            .formatted(option, directory));
        }
        return directory;
    }
}
