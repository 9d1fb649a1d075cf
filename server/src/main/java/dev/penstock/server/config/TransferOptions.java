package dev.penstock.server.config;

import dev.penstock.http.filter.Cors;
import dev.penstock.server.config.value.DurationConverter;
import dev.penstock.server.config.value.SizeConverter;
import dev.penstock.transfer.Durability;
import dev.penstock.transfer.upload.ResumableUploads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of files that are handed out, and of uploads. */
public final class TransferOptions {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final Duration LEAST_EXPIRY = Duration.ofMinutes(1);
    private static final Duration MOST_EXPIRY = Duration.ofDays(366);

    @Option(
            names = "--files",
            paramLabel = "DIR",
            description =
                    "Hands out the files of a directory at /files/, of any size, with ranges. Names that begin"
                            + " with a dot are left out. Whoever reaches the server can read them.")
    private @Nullable Path files;

    @Option(
            names = "--uploads",
            paramLabel = "DIR",
            description =
                    "Takes uploads at /uploads, resumable (tus 1.0.0 and the IETF draft), by forms and plain PUT and"
                            + " POST; finished ones lie in this directory, which may be that of --files. For"
                            + " others than this machine only with --token-file.")
    private @Nullable Path uploads;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "The tokens of those who may upload and use documents, one a line (# begins a comment): clients"
                            + " send one as"
                            + " Authorization: Bearer, and see the uploads of their own alone. Read again"
                            + " on SIGHUP.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--upload-max",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "The largest upload, such as 500m or 20g. Default: what the disk holds.")
    private @Nullable Long max;

    @Option(
            names = "--upload-quota",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "How many bytes all unfinished uploads together may have, reserved when they begin."
                            + " Default: what the disk holds.")
    private @Nullable Long quota;

    @Option(
            names = "--upload-owner-quota",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "How many the unfinished uploads of one token may have. Default: --upload-quota.")
    private @Nullable Long ownerQuota;

    @Option(
            names = "--upload-expiry",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "How long an unfinished upload is kept that nothing more comes for (1m to 8784h)."
                            + " Default: 24h.")
    private @Nullable Duration expiry;

    @Option(
            names = "--upload-durability",
            paramLabel = "WHEN",
            description =
                    "When bytes are forced to the disk: acknowledged (before the client is told that they are"
                            + " there: a power cut loses nothing of that), complete (when an upload is whole)"
                            + " or process (never: the end of the process alone loses nothing). Default:"
                            + " acknowledged.")
    private @Nullable When durability;

    /** The durabilities by the names that they have on the command line. */
    enum When {
        acknowledged,
        complete,
        process
    }

    @Option(
            names = "--no-interim-responses",
            description =
                    "Does not tell clients of the IETF draft how far they are while they send (104), which"
                            + " breaks uploads behind some proxies, such as nginx over HTTP/2.")
    private boolean noInterimResponses;

    @Option(
            names = "--allow-origin",
            paramLabel = "ORIGIN",
            split = ",",
            description =
                    "Web pages elsewhere that may upload with a token, such as https://app.example; * for all; may"
                            + " be repeated. Needs --token-file.")
    private List<String> origins = new ArrayList<>();

    /**
     * Returns the directory whose files are handed out.
     *
     * @throws StartupException if there is none
     */
    public Optional<Path> files() {
        if (files != null && !(Files.isDirectory(files) && Files.isReadable(files))) {
            throw new StartupException(
                    "--files "
                            + files
                            + " is no directory that can be read: create it, or name another");
        }
        return Optional.ofNullable(files);
    }

    /**
     * Returns the uploads that are taken.
     *
     * @throws StartupException if an option is out of its bounds, or others could write without a token
     */
    public Optional<UploadSettings> uploads(ListenOptions listen) {
        return uploads(listen, false);
    }

    /**
     * Returns the uploads that are taken.
     *
     * @param hasDocuments whether there are documents too, which tokens may be for
     */
    public Optional<UploadSettings> uploads(ListenOptions listen, boolean hasDocuments) {
        if (uploads == null) {
            requireUploads(hasDocuments);
            return Optional.empty();
        }
        checkSizes();
        if (expiry != null) {
            OptionRange.check("--upload-expiry", expiry, LEAST_EXPIRY, MOST_EXPIRY);
        }
        checkOrigins();
        TokenFile tokens = tokenFile == null ? null : TokenFile.read("--token-file", tokenFile);
        checkPlaces(listen, tokens != null);
        long all = quota == null ? Long.MAX_VALUE : quota;
        return Optional.of(
                new UploadSettings(
                        WritableDirectory.of("--uploads", uploads),
                        tokens,
                        max == null ? Long.MAX_VALUE : max,
                        all,
                        ownerQuota == null ? all : ownerQuota,
                        Long.MAX_VALUE,
                        expiry == null ? ResumableUploads.DEFAULT_EXPIRY : expiry,
                        durability == null
                                ? Durability.ACKNOWLEDGED
                                : Durability.valueOf(durability.name().toUpperCase(Locale.ROOT)),
                        !noInterimResponses,
                        origins));
    }

    /** Returns the tokens of those who may write; nothing if no file was named. */
    public Optional<TokenFile> tokens() {
        return Optional.ofNullable(tokenFile).map(file -> TokenFile.read("--token-file", file));
    }

    private void requireUploads(boolean hasDocuments) {
        Map<String, Boolean> given = new LinkedHashMap<>();
        given.put("--token-file", tokenFile != null && !hasDocuments);
        given.put("--upload-max", max != null);
        given.put("--upload-quota", quota != null);
        given.put("--upload-owner-quota", ownerQuota != null);
        given.put("--upload-expiry", expiry != null);
        given.put("--upload-durability", durability != null);
        given.put("--no-interim-responses", noInterimResponses);
        given.put("--allow-origin", !origins.isEmpty());
        given.forEach((option, isGiven) -> {
            if (isGiven) {
                throw new StartupException(option + " is about uploads: give --uploads DIR too");
            }
        });
    }

    private void checkSizes() {
        requirePositive("--upload-max", max);
        requirePositive("--upload-quota", quota);
        requirePositive("--upload-owner-quota", ownerQuota);
        if (max != null && quota != null && max > quota) {
            throw new StartupException(
                    "--upload-max %s is more than --upload-quota %s: no upload could be as large"
                            .formatted(SizeConverter.text(max), SizeConverter.text(quota)));
        }
        if (ownerQuota != null && tokenFile == null) {
            throw new StartupException(
                    "--upload-owner-quota is about the owners of tokens: give --token-file FILE too, or --upload-quota"
                            + " instead");
        }
    }

    private static void requirePositive(String option, @Nullable Long bytes) {
        if (bytes != null && bytes == 0) {
            throw new StartupException(
                    option + " 0 takes no upload: give a size such as 20g, or leave out --uploads");
        }
    }

    private void checkOrigins() {
        if (origins.isEmpty()) {
            return;
        }
        if (tokenFile == null) {
            throw new StartupException(
                    "--allow-origin lets web pages of other sites upload: give --token-file FILE, so that"
                            + " they need a token");
        }
        try {
            if (!origins.equals(List.of("*"))) {
                var _ = Cors.of(origins.toArray(String[]::new));
            }
        } catch (IllegalArgumentException e) {
            throw new StartupException("--allow-origin: " + e.getMessage(), e);
        }
    }

    private static void checkPlaces(ListenOptions listen, boolean hasTokens) {
        ListenPlace open = listen.openPlace().orElse(null);
        if (open != null && !hasTokens) {
            throw new StartupException(
                    "--uploads would let whoever reaches %s write to this machine: give --token-file FILE with the"
                                    .formatted(open.host())
                            + " tokens that clients have to send, or listen on 127.0.0.1 alone");
        }
        if (open != null && !open.tls()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Tokens come to {0} as they are, for everybody on the way to read: speak https"
                            + " (--tls-certificate)",
                    open.host());
        }
    }
}
