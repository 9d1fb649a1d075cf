package dev.penstock.http.files;

import dev.penstock.http.HttpException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file that a path of a request names, if it is one within a directory. Names that begin with a dot are not there,
 * save {@code .well-known} as the first (RFC 8615). Symbolic links are followed as long as they lead to something
 * within the directory, whatever its name: whoever has made the link wants it to be seen.
 */
final class FilePath {
    private static final String WELL_KNOWN = ".well-known";

    private FilePath() {}

    /**
     * Finds it. Names are compared as they are spelled in the directory, also where the file system does not tell upper
     * from lower case.
     *
     * @param root the directory's real path
     * @param path decoded, with slashes between names; empty for the directory itself
     * @return its real path, of whatever kind; nothing where there is none, or where a name is empty, hidden, or has a
     *     backslash
     * @throws HttpException (403) if a directory on the way may not be searched
     */
    static Optional<Path> find(Path root, String path) {
        if (path.isEmpty()) {
            return Optional.of(root);
        }
        String[] names = path.split("/", -1);
        Path file = root;
        for (int i = 0; i < names.length; i++) {
            Path next = isPossible(names[i], i == 0) ? resolve(file, names[i]) : null;
            if (next == null) {
                return Optional.empty();
            }
            file = next;
        }
        Path real = real(file);
        return real != null && real.startsWith(root) && isSpelledSo(root, names, real)
                ? Optional.of(real)
                : Optional.empty();
    }

    private static boolean isPossible(String name, boolean first) {
        boolean hidden = name.startsWith(".") && !(first && name.equals(WELL_KNOWN));
        return !name.isEmpty() && !hidden && name.indexOf('\\') < 0 && name.indexOf('\0') < 0;
    }

    private static @Nullable Path resolve(Path directory, String name) {
        try {
            Path file = directory.resolve(name);
            return directory.equals(file.getParent()) ? file : null;
        } catch (InvalidPathException _) {
            return null;
        }
    }

    /** A path whose links are resolved; null where there is nothing. */
    static @Nullable Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (AccessDeniedException _) {
            throw forbidden();
        } catch (IOException _) {
            // Not there, a loop of links, a name that is too long.
            return null;
        }
    }

    static HttpException forbidden() {
        return new HttpException(403, "The server is not allowed to read this file");
    }

    private static boolean isSpelledSo(Path root, String[] names, Path real) {
        Path file = root;
        for (String name : names) {
            file = file.resolve(name);
        }
        if (file.equals(real) && file.toString().equals(real.toString())) {
            return true;
        }
        Path at = root;
        for (String name : names) {
            at = at.resolve(name);
            try {
                Path spelled = at.toRealPath(LinkOption.NOFOLLOW_LINKS).getFileName();
                if (spelled == null || !spelled.toString().equals(name)) {
                    return false;
                }
            } catch (IOException _) {
                return false;
            }
        }
        return true;
    }
}
