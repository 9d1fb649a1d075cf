package dev.penstock.transfer.field;

import dev.penstock.http.MediaType;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Map;
import java.util.Optional;

/** The name of a file in {@code Content-Disposition} (RFC 6266). */
public final class FileName {
    private FileName() {}

    /** Reads the name without the folders that some clients send; nothing where there is none, or it is malformed. */
    public static Optional<String> of(String contentDisposition) {
        Map<String, String> parameters;
        try {
            // It has the form of a media type behind a slash.
            parameters = MediaType.parse("x/" + contentDisposition).parameters();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
        return Optional.ofNullable(parameters.get("filename*"))
                .flatMap(FileName::extended)
                .or(() -> Optional.ofNullable(parameters.get("filename")).map(FileName::plain))
                .map(name ->
                        name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1))
                .filter(name -> !name.isEmpty());
    }

    /** A name with its character set (RFC 8187): {@code UTF-8''a%20b}. */
    private static Optional<String> extended(String value) {
        String[] parts = value.split("'", 3);
        if (parts.length < 3) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    URLDecoder.decode(parts[2].replace("+", "%2B"), Charset.forName(parts[0])));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException _) {
            return Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** A name of whose bytes each is a character; most clients mean UTF-8. */
    private static String plain(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            return value;
        }
    }
}
