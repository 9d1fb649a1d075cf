package dev.penstock.follow.binlog;

import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identifier of a distributed transaction.
 *
 * @param data the bytes of its global part and its branch, one after the other, in hexadecimal digits
 * @param format its format's number
 */
public record Xid(String data, long format) {
    private static final Pattern TEXT =
            Pattern.compile(
                    "(?is)XA\\s+[A-Z]+\\s+X'([0-9A-F]*)'\\s*,\\s*X'([0-9A-F]*)'\\s*,\\s*([0-9]+).*");

    static Xid of(byte[] data, long format) {
        return new Xid(HexFormat.of().formatHex(data), format);
    }

    /** Reads it in a statement, as the server logs it. */
    static Optional<Xid> in(String sql) {
        Matcher parts = TEXT.matcher(sql.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        String data = (parts.group(1) + parts.group(2)).toLowerCase(Locale.ROOT);
        return Optional.of(new Xid(data, Long.parseLong(parts.group(3))));
    }
}
