package dev.penstock.server.command;

import dev.penstock.server.config.StartupException;
import dev.penstock.server.config.value.SizeConverter;
import dev.penstock.transfer.client.TransferClient;
import dev.penstock.transfer.client.TransferClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that {@code put} and {@code get} have in common. */
final class TransferClientOptions {
    static final String TOKEN_VARIABLE = "PENSTOCK_TOKEN";

    private static final int MAX_TOKEN_BYTES = 64 * 1024;
    private static final long LEAST_RATE = 16 * 1024;
    private static final int MAX_RETRIES = 1000;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "A file whose first line that is no comment is the token to send. Default: the environment"
                            + " variable "
                            + TOKEN_VARIABLE
                            + ", else none.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--rate",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "The most bytes a second, such as 500k or 10m; at least 16k. Default: no limit.")
    private @Nullable Long rate;

    @Option(
            names = "--retries",
            paramLabel = "N",
            defaultValue = "30",
            description =
                    "How often it is tried again in a row without a byte of progress (0 to 1000), with growing"
                            + " pauses of up to half a minute. Default: ${DEFAULT-VALUE}.")
    private int retries;

    @Option(
            names = "--checksum",
            paramLabel = "SHA-256",
            description =
                    "The SHA-256 that the whole must have, as 64 hexadecimal digits; with another, the exit code"
                            + " is 1.")
    private @Nullable String checksum;

    @Option(
            names = {"-q", "--quiet"},
            description = "No progress and no summary; only errors.")
    private boolean quiet;

    /**
     * Checks the options.
     *
     * @throws StartupException if one is out of its bounds
     */
    void check() {
        if (rate != null && rate < LEAST_RATE) {
            throw new StartupException(
                    "--rate %s is too slow, since servers end slower transfers: choose 16k or more"
                            .formatted(SizeConverter.text(rate)));
        }
        if (retries < 0 || retries > MAX_RETRIES) {
            throw new StartupException(
                    "--retries %d is out of bounds: choose 0 to %d"
                            .formatted(retries, MAX_RETRIES));
        }
        if (checksum != null && !checksum.matches("[0-9a-fA-F]{64}")) {
            throw new StartupException(
                    "--checksum is no SHA-256, which has 64 hexadecimal digits, such as from sha256sum FILE");
        }
    }

    /**
     * Reads the URL of a server.
     *
     * @throws StartupException if it is none
     */
    static URI url(String text) {
        try {
            URI uri = URI.create(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return uri;
            }
        } catch (IllegalArgumentException _) {
            // Said below.
        }
        throw new StartupException(
                "'%s' is no URL: write it like http://host:8080/uploads".formatted(text));
    }

    /** Returns a client with the token. The caller closes it. */
    TransferClient client() {
        TransferClientBuilder builder = TransferClient.builder();
        String token = token();
        return (token == null ? builder : builder.token(token)).build();
    }

    private @Nullable String token() {
        if (tokenFile == null) {
            String token = System.getenv(TOKEN_VARIABLE);
            return token == null || token.isBlank()
                    ? null
                    : sendable(TOKEN_VARIABLE, token.strip());
        }
        try (InputStream in = Files.newInputStream(tokenFile)) {
            String text = new String(in.readNBytes(MAX_TOKEN_BYTES), StandardCharsets.UTF_8);
            String token =
                    text.lines()
                            .map(String::strip)
                            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                            .findFirst()
                            .orElseThrow(() ->
                                    new StartupException(
                                            "--token-file %s has no token: write it there, on a line of its own"
                                                    .formatted(tokenFile)));
            return sendable("--token-file " + tokenFile, token);
        } catch (IOException e) {
            throw new StartupException(
                    "--token-file %s can't be read (%s): check the path and its permissions"
                            .formatted(tokenFile, e.getClass().getSimpleName()),
                    e);
        }
    }

    private static String sendable(String source, String token) {
        if (token.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            return token;
        }
        throw new StartupException(
                source + " has no token that can be sent: it must be visible ASCII without spaces");
    }

    /** Returns the most bytes a second; nothing for no limit. */
    OptionalLong rate() {
        return rate == null ? OptionalLong.empty() : OptionalLong.of(rate);
    }

    int retries() {
        return retries;
    }

    /** Returns the SHA-256 that the whole must have, in lower case; null for any. */
    @Nullable String checksum() {
        return checksum == null ? null : checksum.toLowerCase(Locale.ROOT);
    }

    boolean isQuiet() {
        return quiet;
    }
}
