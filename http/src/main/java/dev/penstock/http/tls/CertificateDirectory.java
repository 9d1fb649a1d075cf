package dev.penstock.http.tls;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A directory of pairs of PEM files, whose certificates say which server names they are for: {@code NAME.key} with
 * {@code NAME.crt} or {@code NAME.pem}; a {@code NAME.pem} with both; and directories with {@code privkey.pem} and
 * {@code fullchain.pem}, as clients of ACME leave them. What has no such name is not looked at.
 */
final class CertificateDirectory extends CertificateSource {
    private static final int MOST = 10_000;
    private static final String KEY = ".key";
    private static final String PEM = ".pem";
    private static final String CERTIFICATE = ".crt";

    private final Path directory;

    CertificateDirectory(Path directory) {
        this.directory = directory;
    }

    @Override
    void read(Consumer<Entry> each) {
        Iterable<Path> paths;
        try {
            paths = list();
        } catch (IllegalArgumentException fault) {
            each.accept(Entry.broken(directory.toString(), fault));
            return;
        }
        boolean found = false;
        for (Path path : paths) {
            Entry entry = entry(path);
            if (entry != null) {
                found = true;
                each.accept(entry);
            }
        }
        if (!found) {
            each.accept(
                    Entry.broken(
                            directory.toString(),
                            new IllegalArgumentException(
                                    ("There is no TLS certificate in %s: put NAME.crt and NAME.key"
                                                    + " into it, or NAME/fullchain.pem and"
                                                    + " NAME/privkey.pem")
                                            .formatted(directory))));
        }
    }

    /** Everything in it, in the order of names. */
    private Iterable<Path> list() {
        TreeSet<Path> paths = new TreeSet<>();
        String fault;
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
            for (Path path : found) {
                paths.add(path);
                if (paths.size() > MOST) {
                    throw new IllegalArgumentException(
                            "The TLS directory %s has more than %d entries, the limit"
                                    .formatted(directory, MOST));
                }
            }
            return paths;
        } catch (NoSuchFileException _) {
            fault = "there is no such directory";
        } catch (NotDirectoryException _) {
            fault = "it is no directory";
        } catch (IOException failure) {
            fault = String.valueOf(failure.getMessage());
        }
        throw new IllegalArgumentException(
                "Can't read the TLS directory %s: %s".formatted(directory, fault));
    }

    /** The pair that a path stands for; null where it is another's part, or has nothing to do with it. */
    private static @Nullable Entry entry(Path path) {
        String name = String.valueOf(path.getFileName());
        if (Files.isDirectory(path)) {
            Path key = path.resolve("privkey.pem");
            return Files.exists(key) ? PemPair.entry(path.resolve("fullchain.pem"), key) : null;
        }
        if (name.endsWith(KEY)) {
            String base = name.substring(0, name.length() - KEY.length());
            Path pem = path.resolveSibling(base + PEM);
            return PemPair.entry(
                    Files.exists(pem) ? pem : path.resolveSibling(base + CERTIFICATE), path);
        }
        if (name.endsWith(PEM) || name.endsWith(CERTIFICATE)) {
            String base = name.substring(0, name.length() - PEM.length());
            return Files.exists(path.resolveSibling(base + KEY)) ? null : both(path);
        }
        return null;
    }

    /** A file that has to hold the key too, as there is none beside it. */
    private static Entry both(Path file) {
        Entry entry = PemPair.entry(file, file);
        return new Entry(
                entry.name(),
                entry.state(),
                () -> {
                    try {
                        return entry.parse().get();
                    } catch (IllegalArgumentException fault) {
                        throw new IllegalArgumentException(
                                "%s. It has no file %s beside it, so its key must be in it"
                                        .formatted(
                                                fault.getMessage(),
                                                String.valueOf(file.getFileName())
                                                        .replaceFirst("\\.[a-z]+$", KEY)),
                                fault);
                    }
                });
    }
}
