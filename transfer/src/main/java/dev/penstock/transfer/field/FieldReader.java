package dev.penstock.transfer.field;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A reader of one structured field, by the algorithms of RFC 9651, section 4.2. */
final class FieldReader {
    private static final int MOST_WHOLE_DIGITS = 15;
    private static final int MOST_DIGITS_BEFORE_POINT = 12;
    private static final int MOST_DIGITS_BEHIND_POINT = 3;

    private final String text;
    private int at;

    FieldReader(String text) throws MalformedFieldException {
        this.text = text;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0x7f) {
                at = i;
                throw malformed("a character that is not ASCII");
            }
        }
        skipSpaces();
    }

    /** Checks that all of it was read. */
    void end() throws MalformedFieldException {
        skipSpaces();
        if (at < text.length()) {
            throw malformed("something behind its end");
        }
    }

    List<FieldItem> list() throws MalformedFieldException {
        List<FieldItem> members = new ArrayList<>();
        while (at < text.length()) {
            members.add(member());
            if (isLastMember()) {
                break;
            }
        }
        return members;
    }

    Map<String, FieldItem> dictionary() throws MalformedFieldException {
        Map<String, FieldItem> members = new LinkedHashMap<>();
        while (at < text.length()) {
            String key = key();
            members.put(
                    key,
                    take('=') ? member() : new FieldItem(new FieldValue.Flag(true), parameters()));
            if (isLastMember()) {
                break;
            }
        }
        return members;
    }

    private boolean isLastMember() throws MalformedFieldException {
        skipBlanks();
        if (at == text.length()) {
            return true;
        }
        if (!take(',')) {
            throw malformed("no comma behind a member");
        }
        skipBlanks();
        if (at == text.length()) {
            throw malformed("no member behind a comma");
        }
        return false;
    }

    private FieldItem member() throws MalformedFieldException {
        return peek() == '(' ? innerList() : item();
    }

    private FieldItem innerList() throws MalformedFieldException {
        at++;
        List<FieldItem> items = new ArrayList<>();
        while (true) {
            skipSpaces();
            if (take(')')) {
                return new FieldItem(new FieldValue.Inner(items), parameters());
            }
            items.add(item());
            if (peek() != ' ' && peek() != ')') {
                throw malformed("no space behind an item of an inner list");
            }
        }
    }

    FieldItem item() throws MalformedFieldException {
        return new FieldItem(bareItem(), parameters());
    }

    private Map<String, FieldValue> parameters() throws MalformedFieldException {
        Map<String, FieldValue> parameters = new LinkedHashMap<>();
        while (take(';')) {
            skipSpaces();
            String key = key();
            parameters.put(key, take('=') ? bareItem() : new FieldValue.Flag(true));
        }
        return parameters;
    }

    private String key() throws MalformedFieldException {
        int start = at;
        if (!isLower(peek()) && peek() != '*') {
            throw malformed("no key, which begins with a lower-case letter or *");
        }
        while (isLower(peek()) || isDigit(peek()) || isOneOf("_-.*")) {
            at++;
        }
        return text.substring(start, at);
    }

    private FieldValue bareItem() throws MalformedFieldException {
        int first = peek();
        return switch (first) {
            case '"' -> new FieldValue.Text(string());
            case ':' -> new FieldValue.Bytes(bytes());
            case '?' -> new FieldValue.Flag(flag());
            case '@' -> time();
            case '%' -> new FieldValue.Display(display());
            default -> {
                if (first == '-' || isDigit(first)) {
                    yield number();
                }
                if (first == '*' || isLetter(first)) {
                    yield token();
                }
                throw malformed("no value");
            }
        };
    }

    private FieldValue number() throws MalformedFieldException {
        int start = at;
        boolean isNegative = take('-');
        int digits = digits();
        if (digits == 0) {
            throw malformed("no digit");
        }
        if (peek() != '.') {
            if (digits > MOST_WHOLE_DIGITS) {
                throw malformed("a number of more than 15 digits");
            }
            long value = Long.parseLong(text, start + (isNegative ? 1 : 0), at, 10);
            return new FieldValue.Whole(isNegative ? -value : value);
        }
        at++;
        int behind = digits();
        if (digits > MOST_DIGITS_BEFORE_POINT || behind == 0 || behind > MOST_DIGITS_BEHIND_POINT) {
            throw malformed("a decimal without at most 12 digits, a point, and 1 to 3 digits");
        }
        return new FieldValue.Fraction(new BigDecimal(text.substring(start, at)));
    }

    private int digits() {
        int start = at;
        while (isDigit(peek())) {
            at++;
        }
        return at - start;
    }

    private FieldValue time() throws MalformedFieldException {
        at++;
        if (number() instanceof FieldValue.Whole seconds) {
            return new FieldValue.Time(seconds.value());
        }
        throw malformed("a date that is no whole number of seconds");
    }

    private String string() throws MalformedFieldException {
        at++;
        StringBuilder value = new StringBuilder();
        while (true) {
            int c = next("a string that does not end");
            if (c == '"') {
                return value.toString();
            }
            if (c == '\\') {
                c = next("a string that does not end");
                if (c != '"' && c != '\\') {
                    throw malformed("a backslash before something else than \" and \\");
                }
            } else if (c < 0x20 || c == 0x7f) {
                throw malformed("a control character in a string");
            }
            value.append((char) c);
        }
    }

    private FieldValue token() {
        int start = at;
        while (isLetter(peek()) || isDigit(peek()) || isOneOf("!#$%&'*+-.^_`|~:/")) {
            at++;
        }
        return new FieldValue.Token(text.substring(start, at));
    }

    private byte[] bytes() throws MalformedFieldException {
        int start = ++at;
        int end = text.indexOf(':', start);
        if (end < 0) {
            throw malformed("bytes without a colon behind them");
        }
        try {
            byte[] value = Base64.getDecoder().decode(text.substring(start, end));
            at = end + 1;
            return value;
        } catch (IllegalArgumentException _) {
            throw malformed("bytes that are not base64");
        }
    }

    private boolean flag() throws MalformedFieldException {
        at++;
        int c = next("no boolean, which is ?0 or ?1");
        if (c != '0' && c != '1') {
            throw malformed("no boolean, which is ?0 or ?1");
        }
        return c == '1';
    }

    private String display() throws MalformedFieldException {
        at++;
        if (!take('"')) {
            throw malformed("no quotation mark behind %");
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        while (true) {
            int c = next("a display string that does not end");
            if (c < 0x20 || c == 0x7f) {
                throw malformed("a control character in a display string");
            } else if (c == '%') {
                value.write(hex() << 4 | hex());
            } else if (c == '"') {
                return utf8(value.toByteArray());
            } else {
                value.write(c);
            }
        }
    }

    private int hex() throws MalformedFieldException {
        int c = next("a display string that does not end");
        if (!isDigit(c) && (c < 'a' || c > 'f')) {
            throw malformed("no lower-case hexadecimal digit behind %");
        }
        return Character.digit(c, 16);
    }

    private String utf8(byte[] bytes) throws MalformedFieldException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw malformed("a display string that is not UTF-8");
        }
    }

    private int next(String atEnd) throws MalformedFieldException {
        if (at == text.length()) {
            throw malformed(atEnd);
        }
        return text.charAt(at++);
    }

    /** The next character; -1 at the end. */
    private int peek() {
        return at < text.length() ? text.charAt(at) : -1;
    }

    private boolean take(char c) {
        boolean isNext = peek() == c;
        at += isNext ? 1 : 0;
        return isNext;
    }

    private void skipSpaces() {
        while (peek() == ' ') {
            at++;
        }
    }

    private void skipBlanks() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    private boolean isOneOf(String characters) {
        int c = peek();
        return c >= 0 && characters.indexOf(c) >= 0;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLower(int c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isLetter(int c) {
        return isLower(c) || (c >= 'A' && c <= 'Z');
    }

    private MalformedFieldException malformed(String what) {
        return new MalformedFieldException("%s, at character %d".formatted(what, at));
    }
}
