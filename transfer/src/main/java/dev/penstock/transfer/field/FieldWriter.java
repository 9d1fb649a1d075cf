package dev.penstock.transfer.field;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** A writer of one structured field, by the algorithms of RFC 9651, section 4.1. */
final class FieldWriter {
    private final StringBuilder out = new StringBuilder();

    void member(FieldItem item) {
        separate();
        item(item);
    }

    void member(String key, FieldItem item) {
        separate();
        key(key);
        if (item.value() instanceof FieldValue.Flag(boolean set) && set) {
            parameters(item.parameters());
        } else {
            out.append('=');
            item(item);
        }
    }

    private void separate() {
        if (!out.isEmpty()) {
            out.append(", ");
        }
    }

    FieldWriter item(FieldItem item) {
        value(item.value());
        parameters(item.parameters());
        return this;
    }

    private void parameters(Map<String, FieldValue> parameters) {
        parameters.forEach((key, value) -> {
            out.append(';');
            key(key);
            if (!(value instanceof FieldValue.Flag(boolean set) && set)) {
                out.append('=');
                value(value);
            }
        });
    }

    private void key(String key) {
        boolean fits =
                !key.isEmpty()
                        && (isLower(key.charAt(0)) || key.charAt(0) == '*')
                        && key.chars()
                                .allMatch(c ->
                                        isLower(c)
                                                || (c >= '0' && c <= '9')
                                                || "_-.*".indexOf(c) >= 0);
        if (!fits) {
            throw new IllegalArgumentException(
                    "No key of a structured field, which has lower-case letters, digits, _, -, . and *: "
                            + key);
        }
        out.append(key);
    }

    private void value(FieldValue value) {
        switch (value) {
            case FieldValue.Whole(long number) -> whole(number);
            case FieldValue.Fraction(BigDecimal number) -> fraction(number);
            case FieldValue.Text(String text) -> text(text);
            case FieldValue.Token(String token) -> token(token);
            case FieldValue.Flag(boolean set) -> out.append(set ? "?1" : "?0");
            case FieldValue.Bytes bytes ->
                    out.append(':')
                            .append(Base64.getEncoder().encodeToString(bytes.value()))
                            .append(':');
            case FieldValue.Time(long seconds) -> {
                out.append('@');
                whole(seconds);
            }
            case FieldValue.Display(String text) -> display(text);
            case FieldValue.Inner inner -> inner(inner);
        }
    }

    private void whole(long number) {
        if (number > FieldValue.MOST || number < -FieldValue.MOST) {
            throw new IllegalArgumentException(
                    "A number of a structured field has at most 15 digits: " + number);
        }
        out.append(number);
    }

    private void fraction(BigDecimal number) {
        BigDecimal rounded = number.setScale(3, RoundingMode.HALF_EVEN).stripTrailingZeros();
        rounded = rounded.scale() < 1 ? rounded.setScale(1) : rounded;
        if (rounded.precision() - rounded.scale() > 12) {
            throw new IllegalArgumentException(
                    "A decimal of a structured field has at most 12 digits before its point: "
                            + number);
        }
        out.append(rounded.toPlainString());
    }

    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c >= 0x7f) {
                throw new IllegalArgumentException(
                        "A string of a structured field is visible ASCII, without U+%04X"
                                .formatted((int) c));
            }
            if (c == '"' || c == '\\') {
                out.append('\\');
            }
            out.append(c);
        }
        out.append('"');
    }

    private void token(String token) {
        boolean fits = !token.isEmpty() && (isLetter(token.charAt(0)) || token.charAt(0) == '*');
        for (int i = 1; i < token.length() && fits; i++) {
            char c = token.charAt(i);
            fits = isLetter(c) || (c >= '0' && c <= '9') || "!#$%&'*+-.^_`|~:/".indexOf(c) >= 0;
        }
        if (!fits) {
            throw new IllegalArgumentException("No token of a structured field: " + token);
        }
        out.append(token);
    }

    private void display(String text) {
        out.append("%\"");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b == '%' || b == '"' || b < 0x20 || b == 0x7f) {
                out.append('%')
                        .append(Character.forDigit(b >> 4 & 0xf, 16))
                        .append(Character.forDigit(b & 0xf, 16));
            } else {
                out.append((char) b);
            }
        }
        out.append('"');
    }

    private void inner(FieldValue.Inner inner) {
        out.append('(');
        String before = "";
        for (FieldItem item : inner.items()) {
            out.append(before);
            item(item);
            before = " ";
        }
        out.append(')');
    }

    private static boolean isLower(int c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isLetter(int c) {
        return isLower(c) || (c >= 'A' && c <= 'Z');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
