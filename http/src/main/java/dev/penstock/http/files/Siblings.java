package dev.penstock.http.files;

import dev.penstock.http.Exchange;
import dev.penstock.http.message.AcceptedCodings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files beside a file that are the same compressed, and which of them a client takes. A set of codings is a number,
 * with a bit for each. Thread-safe.
 */
final class Siblings {
    /** The best first. */
    private static final List<Kind> KINDS =
            List.of(new Kind("br", ".br"), new Kind("zstd", ".zst"), new Kind("gzip", ".gz"));

    private record Kind(String coding, String extension) {}

    /**
     * The file that is sent.
     *
     * @param file its real path
     * @param coding what it is compressed by; null for not at all
     * @param varies whether there is one that is compressed
     */
    record Choice(Path file, @Nullable String coding, boolean varies) {}

    /** The codings that a header accepts: most clients in turn send the same. */
    private record Accepted(String header, int codings) {}

    private volatile Accepted latest = new Accepted("", 0);

    /** Returns the codings that the client takes. */
    int accepted(Exchange exchange) {
        List<String> headers = exchange.headers("Accept-Encoding");
        if (headers.isEmpty()) {
            return 0;
        }
        Accepted known = latest;
        String first = headers.getFirst();
        if (headers.size() == 1 && first.equals(known.header)) {
            return known.codings;
        }
        AcceptedCodings accepted = AcceptedCodings.of(headers);
        int codings = 0;
        for (int i = 0; i < KINDS.size(); i++) {
            codings |= accepted.accepts(KINDS.get(i).coding) ? 1 << i : 0;
        }
        if (headers.size() == 1) {
            latest = new Accepted(first, codings);
        }
        return codings;
    }

    /**
     * Chooses the best of those that there are and that the client takes.
     *
     * @param root the real path of the directory that files are of
     * @param file the file's real path
     */
    static Choice choose(Path root, Path file, int codings) {
        Choice best = null;
        boolean varies = false;
        BasicFileAttributes own = attributes(file);
        for (int i = 0; i < KINDS.size(); i++) {
            Kind kind = KINDS.get(i);
            Path sibling = own == null ? null : sibling(root, file, kind.extension, own);
            varies |= sibling != null;
            if (sibling != null && best == null && (codings & 1 << i) != 0) {
                best = new Choice(sibling, kind.coding, true);
            }
        }
        return best == null ? new Choice(file, null, varies) : best;
    }

    /** Returns null if there is none, or it is older than the file and perhaps of another version. */
    private static @Nullable Path sibling(
            Path root, Path file, String extension, BasicFileAttributes own) {
        Path beside = file.resolveSibling(file.getFileName() + extension);
        // Asked first: most files have none, and what is not there costs no search for links.
        if (attributes(beside) == null) {
            return null;
        }
        Path real = FilePath.real(beside);
        BasicFileAttributes found = real == null ? null : attributes(real);
        return real != null
                        && found != null
                        && real.startsWith(root)
                        && found.isRegularFile()
                        && found.lastModifiedTime().compareTo(own.lastModifiedTime()) >= 0
                ? real
                : null;
    }

    private static @Nullable BasicFileAttributes attributes(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException _) {
            return null;
        }
    }
}
