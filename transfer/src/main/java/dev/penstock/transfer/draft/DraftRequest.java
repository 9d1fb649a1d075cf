package dev.penstock.transfer.draft;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.transfer.field.FieldValue;
import dev.penstock.transfer.field.MalformedFieldException;
import dev.penstock.transfer.field.StructuredField;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The headers of a request of the draft. A header of the draft that is malformed counts as missing, as the draft has
 * it; but for a length, since an upload would be made without the one that its client has in mind.
 *
 * @param version by which the request is understood
 * @param isNegotiated whether the client has named that version, and so takes 104
 * @param offset at which its content begins
 * @param isComplete whether the upload is complete behind its content; nothing where it does not say
 * @param uploadLength of the whole
 * @param contentLength of its content; nothing where it is not told ahead
 */
record DraftRequest(
        DraftVersion version,
        boolean isNegotiated,
        OptionalLong offset,
        Optional<Boolean> isComplete,
        OptionalLong uploadLength,
        OptionalLong contentLength) {
    static final String VERSION = "Upload-Draft-Interop-Version";
    static final String OFFSET = "Upload-Offset";
    static final String LENGTH = "Upload-Length";
    static final String LIMIT = "Upload-Limit";

    /**
     * Reads them.
     *
     * @throws HttpException (400) if a length is malformed
     */
    static DraftRequest of(Exchange exchange) {
        OptionalLong number = whole(exchange, VERSION);
        Optional<DraftVersion> known =
                number.isPresent() ? DraftVersion.of(number.getAsLong()) : Optional.empty();
        DraftVersion version = known.orElse(DraftVersion.NEWEST);
        return new DraftRequest(
                version,
                known.isPresent(),
                whole(exchange, OFFSET),
                flag(exchange, version.completeHeader())
                        .map(said -> said == (version != DraftVersion.V3)),
                uploadLength(exchange),
                contentLength(exchange));
    }

    /**
     * The length of the whole, as far as the request says it.
     *
     * @param at the offset at which its content begins
     * @throws HttpException (400) if it says two different ones, or one that its content is beyond
     */
    OptionalLong length(long at) {
        OptionalLong end =
                contentLength.isPresent()
                        ? OptionalLong.of(at + contentLength.getAsLong())
                        : OptionalLong.empty();
        boolean isLast = isComplete.orElse(version.completesUnlessSaid());
        if (end.isPresent() && uploadLength.isPresent()) {
            long length = uploadLength.getAsLong();
            if (isLast ? end.getAsLong() != length : end.getAsLong() > length) {
                throw DraftProblems.inconsistentLength(
                        "The content ends at byte %d%s, and Upload-Length says %d; send both alike"
                                .formatted(
                                        end.getAsLong(),
                                        isLast ? ", where the upload is complete" : "",
                                        length));
            }
        }
        return uploadLength.isPresent() || !isLast ? uploadLength : end;
    }

    private static OptionalLong uploadLength(Exchange exchange) {
        OptionalLong length = whole(exchange, LENGTH);
        if (length.isEmpty() && exchange.header(LENGTH).isPresent()) {
            throw new HttpException(
                    400,
                    LENGTH + " must be the number of bytes of the whole, with at most 15 digits");
        }
        return length;
    }

    private static OptionalLong contentLength(Exchange exchange) {
        Optional<String> length = exchange.header("Content-Length");
        try {
            return length.isPresent()
                    ? OptionalLong.of(Long.parseLong(length.get()))
                    : OptionalLong.empty();
        } catch (NumberFormatException e) {
            throw new HttpException(400, "Content-Length is no number of bytes", e);
        }
    }

    /** A number of bytes, or of a version. */
    private static OptionalLong whole(Exchange exchange, String name) {
        return value(exchange, name)
                .filter(value -> value instanceof FieldValue.Whole(long number) && number >= 0)
                .map(value -> OptionalLong.of(((FieldValue.Whole) value).value()))
                .orElse(OptionalLong.empty());
    }

    private static Optional<Boolean> flag(Exchange exchange, String name) {
        return value(exchange, name)
                .filter(FieldValue.Flag.class::isInstance)
                .map(value -> ((FieldValue.Flag) value).value());
    }

    private static Optional<FieldValue> value(Exchange exchange, String name) {
        List<String> lines = exchange.headers(name);
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(StructuredField.item(lines).value());
        } catch (MalformedFieldException _) {
            return Optional.empty();
        }
    }
}
