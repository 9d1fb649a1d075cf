package dev.penstock.artifacts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A local Maven repository for a test. It has all that the user's own has, by links, but nothing of Penstock; so what a
 * test installs goes to no other build, and what another build has installed is not taken for what is to be tested.
 */
final class LocalRepository implements AutoCloseable {
    private final Path folder;

    private LocalRepository(Path folder) {
        this.folder = folder;
    }

    /** Makes one in an empty folder. */
    static LocalRepository create(Path folder) throws IOException {
        Path own =
                Path.of(
                        System.getProperty(
                                "maven.repo.local",
                                System.getProperty("user.home") + "/.m2/repository"));
        link(own, folder, "dev");
        link(own.resolve("dev"), Files.createDirectory(folder.resolve("dev")), "penstock");
        return new LocalRepository(folder);
    }

    private static void link(Path from, Path to, String except) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                if (!entry.endsWith(except)) {
                    Files.createSymbolicLink(to.resolve(entry.getFileName()), entry.toRealPath());
                }
            }
        }
    }

    /** The option of Maven that names it. */
    String option() {
        return "-Dmaven.repo.local=" + folder;
    }

    /** The names of the files of an artifact of Penstock. */
    List<String> files(String artifact, String version) throws IOException {
        Path path = folder.resolve("dev/penstock").resolve(artifact).resolve(version);
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** The names of the artifacts of Penstock. */
    List<String> artifacts() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("dev/penstock"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Removes the links, and leaves what they lead to. */
    @Override
    public void close() throws IOException {
        try (Stream<Path> entries = Files.walk(folder, 2)) {
            for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }
}
