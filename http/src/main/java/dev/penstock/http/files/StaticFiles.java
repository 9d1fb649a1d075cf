package dev.penstock.http.files;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.exchange.ServerExchange;
import dev.penstock.http.loop.EventLoops;
import dev.penstock.http.response.ContentCoding;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A handler that answers with the files of a directory, for a route that ends in {@code {path...}}:
 *
 * {@snippet :
 * server.get("/static/{path...}", StaticFiles.of(Path.of("public")));
 * }
 *
 * <p>A path is that of a file below the directory, as its name is spelled there; a slash that is sent as {@code %2F}
 * separates nothing. Files and directories whose names begin with a dot are not there, save {@code .well-known} in the
 * directory itself; neither is anything outside, whatever links lead to it, nor what is no regular file. A directory is
 * answered with its {@code index.html}, and is not listed unless asked for; its path without a slash at the end is
 * redirected.
 *
 * <p>Beside a file {@code x}, {@code x.br}, {@code x.zst} and {@code x.gz} are the same file compressed, for clients
 * that take it so, the first of them that a client takes; one that is older than {@code x} is not used.
 *
 * <p>What was found is taken for true for a {@linkplain #recheckAfter second}, or two while many ask: within that time,
 * a change may not be seen yet. Of the files that were asked for within the last seconds, some larger than 16 KiB are
 * held open, with up to 256 descriptors, and of the others up to 4 MiB in memory; nothing else is kept, however many
 * there are. Such files are answered by the event loop, others by a thread. Immutable; thread-safe.
 */
public final class StaticFiles implements Handler {
    private static final String PARAMETER = "path";
    private static final String INDEX = "index.html";

    /** How often a file is opened that event loops send: the number that there are unless it is set. */
    private static final int LOOPS = EventLoops.defaultCount();

    private static final Duration MOST_RECHECK = Duration.ofHours(1);

    private final Path root;
    private final Options options;
    private final FileCache cache;
    private final Siblings siblings = new Siblings();

    private record Options(
            String cacheControl,
            boolean listing,
            boolean attachment,
            Duration recheckAfter,
            Map<String, String> mediaTypes) {
        static final Options DEFAULT =
                new Options("no-cache", false, false, Duration.ofSeconds(1), Map.of());
    }

    private StaticFiles(Path root, Options options) {
        this.root = root;
        this.options = options;
        cache = new FileCache(options.recheckAfter, System::nanoTime);
    }

    /**
     * The files of a directory. Clients keep them, and ask each time whether they have changed.
     *
     * @throws IllegalArgumentException if there is no such directory
     */
    public static StaticFiles of(Path directory) {
        try {
            Path real = directory.toRealPath();
            if (Files.isDirectory(real)) {
                return new StaticFiles(real, Options.DEFAULT);
            }
        } catch (IOException _) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "There is no directory %s that may be read: create it, or name another"
                        .formatted(directory.toAbsolutePath()));
    }

    /** The same, with a {@code Cache-Control}, such as {@code public, max-age=3600}; {@code no-cache} unless set. */
    public StaticFiles cacheControl(String value) {
        return new StaticFiles(
                root,
                new Options(
                        value,
                        options.listing,
                        options.attachment,
                        options.recheckAfter,
                        options.mediaTypes));
    }

    /** The same, where a directory without {@code index.html} is answered with a page of what is in it. */
    public StaticFiles listing() {
        return new StaticFiles(
                root,
                new Options(
                        options.cacheControl,
                        true,
                        options.attachment,
                        options.recheckAfter,
                        options.mediaTypes));
    }

    /**
     * The same, where browsers save files, by the last name of the path, instead of showing them: for files that
     * somebody else has brought ({@link ContentDisposition}).
     */
    public StaticFiles attachment() {
        return new StaticFiles(
                root,
                new Options(
                        options.cacheControl,
                        options.listing,
                        true,
                        options.recheckAfter,
                        options.mediaTypes));
    }

    /**
     * The same, looking at a file again after a time; one second unless set.
     *
     * @param time zero to look at each request, and hold nothing; at most an hour
     */
    public StaticFiles recheckAfter(Duration time) {
        if (time.isNegative() || time.compareTo(MOST_RECHECK) > 0) {
            throw new IllegalArgumentException(
                    "Files can be looked at again after 0 to 60 minutes, not after " + time);
        }
        return new StaticFiles(
                root,
                new Options(
                        options.cacheControl,
                        options.listing,
                        options.attachment,
                        time,
                        options.mediaTypes));
    }

    /**
     * The same, with a media type for files whose names end so, instead of the one that is known for them.
     *
     * @param extension without the dot, in whatever case
     */
    public StaticFiles mediaType(String extension, String mediaType) {
        Map<String, String> types = new HashMap<>(options.mediaTypes);
        types.put(extension.toLowerCase(Locale.ROOT), mediaType);
        return new StaticFiles(
                root,
                new Options(
                        options.cacheControl,
                        options.listing,
                        options.attachment,
                        options.recheckAfter,
                        Map.copyOf(types)));
    }

    /** Answers on the event loop with what is at hand, and with a thread else. */
    @Override
    public Handler forRequest(Exchange exchange) {
        OpenFile file =
                cache.freshOrClaim(exchange.pathParameter(PARAMETER), siblings.accepted(exchange));
        return file == null || !answersAtOnce(exchange, file)
                ? this
                : Handler.nonBlocking(each -> answerAtOnce(each, file));
    }

    private static boolean answersAtOnce(Exchange exchange, OpenFile file) {
        if (!(exchange instanceof ServerExchange known) || known.hasEncodedSlash()) {
            return false;
        }
        return !FileAnswer.isCompressed(exchange, file)
                && mayShare(exchange, file)
                && file.isWhole();
    }

    /**
     * Returns whether a response can use a file that others use too: it is in memory, or nothing of it is read here.
     */
    private static boolean mayShare(Exchange exchange, OpenFile file) {
        return file.content() != null || isSentBySystem(exchange, file.form());
    }

    private static boolean isUsable(OpenFile kept) {
        return kept.content() != null || kept.isUnchanged();
    }

    private static boolean isSentBySystem(Exchange exchange, OpenFile.Form form) {
        return exchange instanceof ServerExchange known
                && exchange.header("Range").isEmpty()
                && known.sendsFile(form.mediaType(), form.coding() != null);
    }

    private void answerAtOnce(Exchange exchange, OpenFile file) throws IOException {
        if (file.retain()) {
            answerAndRelease(exchange, file);
        } else {
            // It was let go while the request waited for its turn.
            var _ = exchange.suspend(Duration.ofMinutes(1)).resume(this);
        }
    }

    private void answerAndRelease(Exchange exchange, OpenFile file) throws IOException {
        try {
            exchange.header("Cache-Control", options.cacheControl)
                    .header("X-Content-Type-Options", "nosniff");
            if (options.attachment) {
                String path = exchange.pathParameter(PARAMETER);
                String name = path.isEmpty() || path.endsWith("/") ? INDEX : lastOf(path);
                exchange.header("Content-Disposition", ContentDisposition.attachment(name));
            }
            FileAnswer.send(exchange, file);
        } finally {
            file.release();
        }
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        String path = exchange.pathParameter(PARAMETER);
        if (exchange instanceof ServerExchange known && known.hasEncodedSlash()) {
            throw FileResponse.missing();
        }
        OpenFile kept = cache.fresh(path, siblings.accepted(exchange));
        if (kept != null && mayShare(exchange, kept) && isUsable(kept) && kept.retain()) {
            answerAndRelease(exchange, kept);
            return;
        }
        boolean slash = path.isEmpty() || path.endsWith("/");
        String names = slash && !path.isEmpty() ? path.substring(0, path.length() - 1) : path;
        if (path.equals("/")) {
            throw FileResponse.missing();
        }
        Path found = FilePath.find(root, names).orElseThrow(FileResponse::missing);
        if (!Files.isDirectory(found)) {
            if (slash) {
                throw FileResponse.missing();
            }
            send(exchange, found, lastOf(names));
        } else if (slash) {
            sendDirectory(exchange, names, found);
        } else {
            exchange.header("Cache-Control", options.cacheControl)
                    .redirect(308, "./" + encoded(lastOf(names)) + "/" + query(exchange));
        }
    }

    private static String lastOf(String names) {
        return names.substring(names.lastIndexOf('/') + 1);
    }

    private static String query(Exchange exchange) {
        return exchange.query().isEmpty() ? "" : "?" + exchange.query();
    }

    /** Returns a name as it stands in a path. */
    static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private void sendDirectory(Exchange exchange, String names, Path directory) throws IOException {
        Path index =
                FilePath.find(root, names.isEmpty() ? INDEX : names + "/" + INDEX).orElse(null);
        if (index != null && !Files.isDirectory(index)) {
            send(exchange, index, INDEX);
        } else if (options.listing) {
            DirectoryPage.send(exchange, root, directory);
        } else {
            throw FileResponse.missing();
        }
    }

    private void send(Exchange exchange, Path found, String name) throws IOException {
        int codings = siblings.accepted(exchange);
        OpenFile file = open(exchange, found, mediaType(name), codings);
        if (mayShare(exchange, file)) {
            cache.put(exchange.pathParameter(PARAMETER), codings, file);
        }
        answerAndRelease(exchange, file);
    }

    private OpenFile open(Exchange exchange, Path file, String mediaType, int codings)
            throws IOException {
        Siblings.Choice choice = Siblings.choose(root, file, codings);
        OpenFile.Form form =
                new OpenFile.Form(
                        mediaType,
                        choice.coding(),
                        choice.varies() || ContentCoding.compressible(mediaType));
        if (!isSentBySystem(exchange, form)) {
            return FileResponse.open(choice.file(), form, 1);
        }
        OpenFile held = cache.held(exchange.pathParameter(PARAMETER), codings);
        if (held != null && held.isStill(choice.file(), form) && held.retain()) {
            return held;
        }
        return FileResponse.open(choice.file(), form, cache.hasRoom(LOOPS) ? LOOPS : 1);
    }

    private String mediaType(String name) {
        @Nullable String own = options.mediaTypes.get(MediaTypes.extension(name));
        return own == null ? MediaTypes.of(name) : own;
    }
}
