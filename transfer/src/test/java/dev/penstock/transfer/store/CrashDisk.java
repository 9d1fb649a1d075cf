package dev.penstock.transfer.store;

import dev.penstock.transfer.store.journal.Disk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A disk that stops before each of its operations, so that a test can look what a crash at this moment would leave: of
 * a process, the files as they are; of the machine, in the worst case, what was forced and nothing else.
 */
final class CrashDisk implements Disk {
    private final Path root;
    private final UUID boot;
    private final Map<Object, byte[]> contents = new HashMap<>();
    private final Map<Path, Map<String, Object>> names = new HashMap<>();
    private final Map<Object, Path> directories = new HashMap<>();
    private Step beforeEach = () -> {};

    /** An action of a test before each operation. */
    interface Step {
        void run() throws IOException;
    }

    CrashDisk(Path root, UUID boot) {
        this.root = root;
        this.boot = boot;
    }

    void beforeEach(Step step) {
        beforeEach = step;
    }

    @Override
    public Optional<UUID> boot() {
        return Optional.of(boot);
    }

    @Override
    public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
        beforeEach.run();
        return new WatchedChannel(Disk.SYSTEM.open(file, options), () -> forced(file));
    }

    private void forced(Path path) throws IOException {
        Object key = key(path);
        if (!Files.isDirectory(path)) {
            contents.put(key, Files.readAllBytes(path));
            return;
        }
        Map<String, Object> entries = new TreeMap<>();
        for (Path entry : list(path)) {
            entries.put(entry.getFileName().toString(), key(entry));
            if (Files.isDirectory(entry)) {
                directories.put(key(entry), entry);
            }
        }
        names.put(path, entries);
    }

    private static Object key(Path path) throws IOException {
        Object key =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .fileKey();
        return key == null ? path : key;
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /** Makes the directory that the machine has after its power was cut now. */
    void cutPower(Path to) throws IOException {
        Map<Object, Path> made = new HashMap<>();
        Files.createDirectories(to);
        restore(root, to, made);
    }

    private void restore(Path from, Path to, Map<Object, Path> made) throws IOException {
        for (Map.Entry<String, Object> entry : names.getOrDefault(from, Map.of()).entrySet()) {
            Path target = to.resolve(entry.getKey());
            Path directory = directories.get(entry.getValue());
            if (directory != null) {
                Files.createDirectory(target);
                restore(directory, target, made);
            } else if (made.containsKey(entry.getValue())) {
                Files.createLink(target, made.get(entry.getValue()));
            } else {
                Files.write(target, contents.getOrDefault(entry.getValue(), new byte[0]));
                made.put(entry.getValue(), target);
            }
        }
    }

    /** Copies the directory as it is now, hard links included. */
    static void copy(Path from, Path to) throws IOException {
        Map<Object, Path> made = new HashMap<>();
        Files.createDirectories(to);
        copy(from, to, made);
    }

    private static void copy(Path from, Path to, Map<Object, Path> made) throws IOException {
        for (Path entry : list(from)) {
            Path target = to.resolve(entry.getFileName().toString());
            try {
                Object key = key(entry);
                if (Files.isDirectory(entry)) {
                    Files.createDirectory(target);
                    copy(entry, target, made);
                } else if (made.containsKey(key)) {
                    Files.createLink(target, made.get(key));
                } else {
                    Files.copy(entry, target);
                    made.put(key, target);
                }
            } catch (NoSuchFileException _) {
                // It has gone meanwhile.
            }
        }
    }
}
