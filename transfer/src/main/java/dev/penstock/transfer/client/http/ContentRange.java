package dev.penstock.transfer.client.http;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of {@code Content-Range} of a partial response, or of a range that can't be had (RFC 9110, 14.4).
 *
 * @param first the first byte; -1 in a refusal
 * @param last the last byte; -1 in a refusal
 * @param total the length of the whole, where the server knows it
 */
public record ContentRange(long first, long last, OptionalLong total) {
    private static final Pattern SYNTAX =
            Pattern.compile("bytes\\s+(?:([0-9]{1,18})-([0-9]{1,18})|\\*)/([0-9]{1,18}|\\*)");

    /** Reads the header of a response. */
    public static Optional<ContentRange> of(Answer answer) {
        Matcher matcher = SYNTAX.matcher(answer.header("content-range").orElse(""));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        OptionalLong total =
                matcher.group(3).equals("*")
                        ? OptionalLong.empty()
                        : OptionalLong.of(Long.parseLong(matcher.group(3)));
        if (matcher.group(1) == null) {
            return Optional.of(new ContentRange(-1, -1, total));
        }
        ContentRange range =
                new ContentRange(
                        Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), total);
        boolean isValid =
                range.first <= range.last && (total.isEmpty() || range.last < total.getAsLong());
        return isValid ? Optional.of(range) : Optional.empty();
    }
}
