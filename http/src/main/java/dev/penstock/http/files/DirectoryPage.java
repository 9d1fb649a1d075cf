package dev.penstock.http.files;

import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.text.Html;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The page of what is in a directory. Up to 1,000 entries are in order, directories first; of more, the rest comes as
 * the file system has it, so that a directory of millions takes no more memory.
 */
final class DirectoryPage {
    private static final int MOST_SORTED = 1000;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final List<String> UNITS = List.of("KiB", "MiB", "GiB", "TiB", "PiB", "EiB");
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";
    private static final String START =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>{title}</title>
            <style>
            :root { color-scheme: light dark; }
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.2rem; }
            h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
            a { color: light-dark(#0a58a8, #7db8ff); text-decoration: none; overflow-wrap: anywhere; }
            a:hover { text-decoration: underline; }
            table { border-collapse: collapse; width: 100%; }
            th { text-align: left; font-weight: 600; }
            th, td { padding: .2rem .8rem .2rem 0; border-bottom: 1px solid light-dark(#e3e5e8, #33373d); }
            td + td, th + th { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
            </style>
            </head>
            <body>
            <main>
            <h1>{title}</h1>
            <table>
            <thead><tr><th>Name</th><th>Size</th><th>Changed (UTC)</th></tr></thead>
            <tbody>
            """;
    private static final String PARENT =
            "<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>\n";
    private static final String END = "</tbody>\n</table>\n</main>\n</body>\n</html>\n";

    private DirectoryPage() {}

    /** A file or directory as it is shown. */
    private record Entry(String name, boolean directory, BasicFileAttributes attributes) {
        private static final Comparator<Entry> ORDER =
                Comparator.comparing((Entry entry) -> !entry.directory).thenComparing(Entry::name);

        /** Returns nothing for what can't be asked for. */
        static @Nullable Entry of(Path root, Path file) {
            String name = String.valueOf(file.getFileName());
            try {
                BasicFileAttributes attributes = attributes(file);
                if (attributes.isSymbolicLink()) {
                    Path real = file.toRealPath();
                    if (!real.startsWith(root)) {
                        return null;
                    }
                    attributes = attributes(real);
                }
                boolean shown =
                        !name.startsWith(".")
                                && name.indexOf('\\') < 0
                                && (attributes.isDirectory() || attributes.isRegularFile());
                return shown ? new Entry(name, attributes.isDirectory(), attributes) : null;
            } catch (IOException _) {
                // It has gone meanwhile, or may not be looked at.
                return null;
            }
        }

        private static BasicFileAttributes attributes(Path file) throws IOException {
            return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        }

        String row() {
            String slash = directory ? "/" : "";
            return "<tr><td><a href=\"./%s%s\">%s%s</a></td><td>%s</td><td>%s</td></tr>\n"
                    .formatted(
                            StaticFiles.encoded(name),
                            slash,
                            Html.escape(name),
                            slash,
                            directory ? "" : bytes(attributes.size()),
                            TIME.format(attributes.lastModifiedTime().toInstant()));
        }
    }

    /**
     * Sends it.
     *
     * @param root the real path of the directory that files are of
     * @param directory the real path of the one that is shown
     */
    static void send(Exchange exchange, Path root, Path directory) throws IOException {
        exchange.header("Cache-Control", "no-store")
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory);
                ResponseBody body = exchange.body("text/html; charset=utf-8")) {
            if (!exchange.method().equals("HEAD")) {
                write(body, START.replace("{title}", Html.escape(exchange.path())));
                if (!directory.equals(root)) {
                    write(body, PARENT);
                }
                writeEntries(body, root, files.iterator());
                write(body, END);
            }
        } catch (AccessDeniedException _) {
            throw FilePath.forbidden();
        } catch (NoSuchFileException _) {
            throw FileResponse.missing();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void writeEntries(ResponseBody body, Path root, Iterator<Path> files)
            throws IOException {
        List<Entry> sorted = new ArrayList<>();
        while (sorted.size() < MOST_SORTED && files.hasNext()) {
            Entry entry = Entry.of(root, files.next());
            if (entry != null) {
                sorted.add(entry);
            }
        }
        sorted.sort(Entry.ORDER);
        for (Entry entry : sorted) {
            write(body, entry.row());
        }
        while (files.hasNext()) {
            Entry entry = Entry.of(root, files.next());
            if (entry != null) {
                write(body, entry.row());
            }
        }
    }

    private static String bytes(long count) {
        double rest = count;
        int unit = -1;
        while (rest >= 1000 && unit + 1 < UNITS.size()) {
            rest /= 1024;
            unit++;
        }
        return unit < 0
                ? count + " B"
                : String.format(
                        Locale.ROOT, rest < 10 ? "%.1f %s" : "%.0f %s", rest, UNITS.get(unit));
    }

    private static void write(ResponseBody body, String text) throws IOException {
        body.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
