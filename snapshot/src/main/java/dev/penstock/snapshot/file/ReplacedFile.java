package dev.penstock.snapshot.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * A file that is replaced as a whole: at any moment, also after a crash, there is what was there before or what is
 * there now. The owner alone may read it.
 */
final class ReplacedFile {
    private static final System.Logger LOG = System.getLogger("dev.penstock.snapshot");

    private static final String UNFINISHED = ".penstock-part";

    /** A file that is being written is never so old: it grows. One that is was left by a process that was killed. */
    private static final Duration LEFT_BEHIND = Duration.ofHours(1);

    private ReplacedFile() {}

    /** A writer of a file's content. */
    interface Content {
        void write(FileChannel channel) throws IOException;
    }

    /** Writes it. A symbolic link goes on to point to it. */
    static void write(Path file, Content content) throws IOException {
        Path place = file.toAbsolutePath();
        if (Files.isSymbolicLink(place)) {
            // Which may point to nothing yet.
            place = place.resolveSibling(Files.readSymbolicLink(place));
        }
        Path directory = place.getParent();
        Path name = place.getFileName();
        if (directory == null || name == null) {
            throw new IOException(file + " is no name of a file");
        }
        String prefix = name + ".";
        deleteLeftBehind(directory, prefix);
        Path unfinished = Files.createTempFile(directory, prefix, UNFINISHED);
        try {
            try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
                content.write(channel);
                channel.force(true);
            }
            Files.move(unfinished, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException | Error e) {
            try {
                Files.deleteIfExists(unfinished);
            } catch (IOException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
        force(directory);
    }

    /** Has the name of the file on the disk too; a system that can't do that for a directory does it by itself. */
    private static void force(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, directory + " can't be forced to the disk", e);
        }
    }

    /** Deletes what killed processes have left; what can't be deleted stays, and is only logged. */
    private static void deleteLeftBehind(Path directory, String prefix) {
        Pattern unfinished =
                Pattern.compile(Pattern.quote(prefix) + "\\d+" + Pattern.quote(UNFINISHED));
        FileTime old = FileTime.from(Instant.now().minus(LEFT_BEHIND));
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path each : all) {
                if (unfinished.matcher(each.getFileName().toString()).matches()
                        && Files.getLastModifiedTime(each).compareTo(old) < 0) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.log(System.Logger.Level.DEBUG, "what was left in " + directory + " stays", e);
        }
    }
}
