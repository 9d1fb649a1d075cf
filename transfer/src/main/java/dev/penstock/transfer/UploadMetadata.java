package dev.penstock.transfer;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Pairs of a key and a value that a client sends with an upload, in the spelling of tus 1.0.0: {@code filename
 * YS50eHQ=,draft}. Values are bytes in Base64; a key without one has an empty value. Immutable.
 */
public final class UploadMetadata {
    /** The header field that carries them. */
    public static final String HEADER = "Upload-Metadata";

    private final Map<String, byte[]> values;

    private UploadMetadata(Map<String, byte[]> values) {
        this.values = values;
    }

    /**
     * Reads a value of {@code Upload-Metadata}; an empty one has no pairs.
     *
     * @throws TransferException (INVALID) if a key is empty, stands there twice or has more than visible ASCII, or a
     *     value is not in Base64 with its padding
     */
    public static UploadMetadata parse(String header) {
        Map<String, byte[]> values = new LinkedHashMap<>();
        if (!header.isBlank()) {
            for (String pair : header.split(",", -1)) {
                add(values, pair.strip());
            }
        }
        return new UploadMetadata(values);
    }

    private static void add(Map<String, byte[]> values, String pair) {
        int space = pair.indexOf(' ');
        String key = space < 0 ? pair : pair.substring(0, space);
        if (key.isEmpty() || !key.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw invalid("has a key that is empty, or has more than visible ASCII");
        }
        if (values.put(key, space < 0 ? new byte[0] : decoded(key, pair.substring(space + 1)))
                != null) {
            throw invalid("has the key " + key + " twice; send it once");
        }
    }

    private static byte[] decoded(String key, String value) {
        if (value.length() % 4 != 0) {
            throw invalid("has no Base64 with its padding behind the key " + key);
        }
        try {
            return Base64.getDecoder().decode(value);
        } catch (IllegalArgumentException _) {
            throw invalid("has no Base64 behind the key " + key);
        }
    }

    private static TransferException invalid(String how) {
        return new TransferException(TransferException.Kind.INVALID, HEADER + " " + how);
    }

    /** Returns pairs as the value of the header; texts are sent in UTF-8. */
    public static String encode(Map<String, String> texts) {
        return texts.entrySet().stream()
                .map(pair ->
                        pair.getValue().isEmpty()
                                ? pair.getKey()
                                : pair.getKey() + " " + base64(pair.getValue()))
                .collect(Collectors.joining(","));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The name of the file: the value of {@code filename}, or else of {@code name}, as clients have it. */
    public Optional<String> fileName() {
        return first("filename", "name");
    }

    /** The media type of the file: the value of {@code filetype}, or else of {@code type}. */
    public Optional<String> mediaType() {
        return first("filetype", "type");
    }

    private Optional<String> first(String key, String other) {
        Map<String, String> texts = texts();
        return Stream.of(key, other)
                .map(each -> texts.getOrDefault(each, ""))
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    /** All pairs, in their order, decoded as UTF-8; what is not UTF-8 in them has replacement characters. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        values.forEach((key, value) -> texts.put(key, new String(value, StandardCharsets.UTF_8)));
        return Collections.unmodifiableMap(texts);
    }
}
