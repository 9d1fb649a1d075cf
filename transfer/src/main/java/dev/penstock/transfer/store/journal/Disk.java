package dev.penstock.transfer.store.journal;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The file system, and the machine that it is of, as the store uses them. Tests have them fail. */
public interface Disk {
    /** The disk that there is. */
    Disk SYSTEM = FileChannel::open;

    /** Opens a file. */
    FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException;

    /** Tells how many bytes may be written where a file is. */
    default long usableBytes(Path directory) throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }

    /** Names the time since the machine was started; nothing where the system does not tell. */
    default Optional<UUID> boot() {
        return Boot.current();
    }

    /** Opens a file that is there, and no symbolic link, to be written. */
    default FileChannel openToWrite(Path file) throws IOException {
        return open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    /** Opens a file that is there, and no symbolic link, to be read. */
    default FileChannel openToRead(Path file) throws IOException {
        return open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /** Makes a file that is not there yet. */
    default FileChannel create(Path file) throws IOException {
        return open(file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
    }

    /** Forces the names in a directory to the disk. Windows has no such call, and does it by itself. */
    default void forceNames(Path directory) throws IOException {
        if (File.separatorChar == '/') {
            try (FileChannel channel = open(directory, Set.of(StandardOpenOption.READ))) {
                channel.force(true);
            }
        }
    }
}
