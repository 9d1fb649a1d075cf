package dev.penstock.documents.format;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The decoding of XML in encodings whose wrong bytes the parser would replace. It decodes UTF-8, ISO-8859-1 and
 * US-ASCII by itself and refuses what is wrong in them; the others it leaves to a decoder that replaces.
 */
final class StrictDecoding {
    private static final int HEAD_BYTES = 512;
    private static final String MARK_OF_UTF_8 = "\u00ef\u00bb\u00bf";
    private static final Set<Charset> PARSERS_OWN =
            Set.of(
                    StandardCharsets.UTF_8,
                    StandardCharsets.ISO_8859_1,
                    StandardCharsets.US_ASCII,
                    StandardCharsets.UTF_16,
                    StandardCharsets.UTF_16BE,
                    StandardCharsets.UTF_16LE);
    private static final Pattern WIDE = Pattern.compile("(?i)UTF-?16.*|(ISO-10646-)?UCS-2");
    private static final Pattern UTF_8 = Pattern.compile("(?i)UTF-?8");
    private static final Pattern DECLARED =
            Pattern.compile(
                    "\\A<\\?xml\\s[^>]*?\\sencoding\\s*=\\s*[\"']([A-Za-z][A-Za-z0-9._-]{0,99})[\"']");

    private final PushbackInputStream bytes;
    private final String head;
    private final boolean isMarked;
    private final @Nullable Charset charset;

    private StrictDecoding(PushbackInputStream bytes, String head, @Nullable Charset charset) {
        this.bytes = bytes;
        this.isMarked = head.startsWith(MARK_OF_UTF_8);
        this.head = isMarked ? head.substring(MARK_OF_UTF_8.length()) : head;
        this.charset = charset;
    }

    /** Looks at the beginning of a document. */
    static StrictDecoding of(InputStream xml) throws IOException {
        PushbackInputStream bytes = new PushbackInputStream(xml, HEAD_BYTES);
        byte[] head = bytes.readNBytes(HEAD_BYTES);
        bytes.unread(head);
        String text = new String(head, StandardCharsets.ISO_8859_1);
        return new StrictDecoding(bytes, text, charset(head));
    }

    /** The first bytes behind the byte order mark of UTF-8, each as a character. */
    String head() {
        return head;
    }

    /** The bytes from the beginning on. */
    InputStream bytes() {
        return bytes;
    }

    /** The characters of the document, which fail at bytes that are wrong; null where the parser is to decode. */
    @Nullable Reader characters() {
        return charset == null
                ? null
                : new InputStreamReader(
                        bytes,
                        charset.newDecoder()
                                .onMalformedInput(CodingErrorAction.REPORT)
                                .onUnmappableCharacter(CodingErrorAction.REPORT));
    }

    /** Says why a declared encoding can't be that of the characters; null if it can, or there is none. */
    @Nullable String problem(@Nullable String declared) {
        boolean isWide = charset != null && charset.name().startsWith("UTF-16");
        boolean fits =
                isWide
                        ? declared == null || WIDE.matcher(declared).matches()
                        : !isMarked || declared == null || UTF_8.matcher(declared).matches();
        return fits
                ? null
                : "the declaration says the encoding %s, and the document is in %s"
                        .formatted(declared, isWide ? charset : StandardCharsets.UTF_8);
    }

    /** The charset that the first bytes tell (XML 1.0, appendix F), if it is one of which the parser replaces bytes. */
    private static @Nullable Charset charset(byte[] head) {
        int first = head.length < 2 ? 0 : unit(head, 0);
        int second = head.length < 4 ? 0 : unit(head, 2);
        return switch (first) {
            case 0xFEFF -> StandardCharsets.UTF_16;
            case 0xFFFE -> second == 0 ? null : StandardCharsets.UTF_16;
            case 0x003C -> second == 0 ? null : StandardCharsets.UTF_16BE;
            case 0x3C00 -> second == 0 ? null : StandardCharsets.UTF_16LE;
            default -> declared(head);
        };
    }

    private static int unit(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }

    private static @Nullable Charset declared(byte[] head) {
        Matcher declaration = DECLARED.matcher(new String(head, StandardCharsets.ISO_8859_1));
        if (!declaration.find()) {
            return null;
        }
        try {
            Charset charset = Charset.forName(declaration.group(1));
            return PARSERS_OWN.contains(charset) ? null : charset;
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null; // The parser knows further names, and refuses the others.
        }
    }
}
