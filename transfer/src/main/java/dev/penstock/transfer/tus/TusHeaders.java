package dev.penstock.transfer.tus;

import dev.penstock.http.Exchange;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The header fields of the protocol, and how they are read. */
final class TusHeaders {
    static final String VERSION = "1.0.0";
    static final String EXTENSIONS =
            "creation,creation-with-upload,creation-defer-length,checksum,checksum-trailer,"
                    + "termination,concatenation,expiration";
    static final String MEDIA_TYPE = "application/offset+octet-stream";

    static final String RESUMABLE = "Tus-Resumable";
    static final String OFFSET = "Upload-Offset";
    static final String LENGTH = "Upload-Length";
    static final String DEFER_LENGTH = "Upload-Defer-Length";
    static final String CONCAT = "Upload-Concat";
    static final String CHECKSUM = "Upload-Checksum";
    static final String EXPIRES = "Upload-Expires";

    private TusHeaders() {}

    /**
     * Reads a field that may be there once.
     *
     * @throws TransferException (INVALID) if it is there several times
     */
    static Optional<String> single(Exchange exchange, String name) {
        List<String> values = exchange.headers(name);
        if (values.size() > 1) {
            throw invalid("The request has %d of %s; send one".formatted(values.size(), name));
        }
        return values.stream().findFirst().map(String::strip);
    }

    /**
     * Reads a number of bytes. One of 2^63 or more is {@link Long#MAX_VALUE}: it is well-formed, and too large for
     * everything.
     *
     * @throws TransferException (INVALID) if it is no non-negative integer, or there are several
     */
    static OptionalLong number(Exchange exchange, String name) {
        String text = single(exchange, name).orElse(null);
        if (text == null) {
            return OptionalLong.empty();
        }
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw invalid("%s must be a non-negative integer, the number of bytes".formatted(name));
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException _) {
            return OptionalLong.of(Long.MAX_VALUE);
        }
    }

    /** Returns whether the body's media type is the one of the protocol, whatever its parameters. */
    static boolean isOffsetStream(Exchange exchange) {
        return exchange.contentType().filter(type -> type.name().equals(MEDIA_TYPE)).isPresent();
    }

    static TransferException invalid(String message) {
        return new TransferException(Kind.INVALID, message);
    }
}
