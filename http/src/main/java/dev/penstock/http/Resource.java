package dev.penstock.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLConnection;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A handler that answers with one file of the class path: a page, its style, its script. The file is read once, when
 * the handler is made, and held; what it says of its age is when that was. Clients that have it already get 304.
 * Thread-safe.
 */
public final class Resource implements Handler {
    private final byte[] content;
    private final String mediaType;
    private final String tag;
    private final Instant modified = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    private Resource(byte[] content, String mediaType) {
        this.content = content;
        this.mediaType = mediaType;
        this.tag = '"' + hash(content) + '"';
    }

    /**
     * Reads a file that lies beside a class.
     *
     * @param beside a class of the module that has the file
     * @param name the file's, as for {@link Class#getResourceAsStream}
     * @param mediaType the value of {@code Content-Type}
     * @throws IllegalArgumentException if there is no such file
     */
    public static Resource of(Class<?> beside, String name, String mediaType) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException(
                        "There is no file '%s' beside %s; in a module, its package must be open"
                                .formatted(name, beside.getName()));
            }
            return new Resource(in.readAllBytes(), mediaType);
        } catch (IOException failure) {
            throw new UncheckedIOException("Can't read '" + name + "'", failure);
        }
    }

    /** The same, with the media type that goes with the file's name, as UTF-8 where it is text. */
    public static Resource of(Class<?> beside, String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1);
        String mediaType =
                switch (extension) {
                    case "html" -> "text/html; charset=utf-8";
                    case "css" -> "text/css; charset=utf-8";
                    case "js" -> "text/javascript; charset=utf-8";
                    case "txt" -> "text/plain; charset=utf-8";
                    case "json" -> "application/json";
                    case "svg" -> "image/svg+xml";
                    default ->
                            Optional.ofNullable(URLConnection.guessContentTypeFromName(name))
                                    .orElse("application/octet-stream");
                };
        return of(beside, name, mediaType);
    }

    private static String hash(byte[] content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(hash, 0, 12);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every JDK has SHA-256", impossible);
        }
    }

    @Override
    public void handle(Exchange exchange) {
        exchange.header("Cache-Control", "no-cache").header("X-Content-Type-Options", "nosniff");
        if (exchange.notModified(tag, modified)) {
            exchange.header("Vary", "Accept-Encoding");
        } else {
            exchange.respond(200, mediaType, content);
        }
    }
}
