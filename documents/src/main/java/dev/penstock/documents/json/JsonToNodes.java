package dev.penstock.documents.json;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.Profile;
import dev.penstock.documents.buffer.Problems;
import dev.penstock.documents.buffer.Scratch;
import dev.penstock.documents.buffer.Sizes;
import dev.penstock.documents.format.NodeHandler;
import dev.penstock.documents.json.JsonIndex.Entry;
import dev.penstock.documents.json.JsonValue.Large;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;

/**
 * The reading of a document in JSON as its nodes in document order. In the exact profile, where an object has no order
 * of its own, its keys are sorted; in the plain one they are taken as they come. Memory is bounded: what is longer than
 * 256 KiB goes through a temporary file, unless it is in memory already. Thread-safe.
 */
public final class JsonToNodes {
    private final JsonInput input;
    private final boolean isSorted;

    private final Sizes sizes;

    public JsonToNodes(ConverterOptions options) {
        this(options, Sizes.DEFAULTS);
    }

    public JsonToNodes(ConverterOptions options, Sizes sizes) {
        this.sizes = sizes;
        input = new JsonInput(options.limits());
        isSorted = options.profile() == Profile.EXACT;
    }

    /** Reads a document in UTF-8. */
    public void read(byte[] json, NodeHandler handler) {
        read(json, null, handler);
    }

    public void read(String json, NodeHandler handler) {
        read(json, null, handler);
    }

    /** Reads one element of an object. */
    public void read(String json, @Nullable String element, NodeHandler handler) {
        read(escaped(json).getBytes(StandardCharsets.UTF_8), element, handler);
    }

    /** Escapes halves of characters, which UTF-8 has not, so that they are refused where they stand. */
    private static String escaped(String json) {
        if (StandardCharsets.UTF_8.newEncoder().canEncode(json)) {
            return json;
        }
        StringBuilder escaped = new StringBuilder(json.length() + 10);
        for (int i = 0; i < json.length(); i += Character.charCount(json.codePointAt(i))) {
            int c = json.codePointAt(i);
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                escaped.appendCodePoint(c);
            } else if (i > 0 && json.charAt(i - 1) == '\\') {
                // Behind a backslash it would be text; nothing takes U+FFFF in its place.
                escaped.append('\uffff');
            } else {
                escaped.append("\\u%04X".formatted(c));
            }
        }
        return escaped.toString();
    }

    /**
     * Reads one element of an object in UTF-8.
     *
     * @param element the element's key, or null for the only one
     */
    public void read(byte[] json, @Nullable String element, NodeHandler handler) {
        try (Scratch scratch = new Scratch(input.limits())) {
            requireSize(json.length);
            read(new JsonSource.InMemory(json, json.length), scratch, element, handler);
        }
    }

    /** Reads a document in UTF-8, up to the end of the stream, which stays open. */
    public void read(InputStream json, NodeHandler handler) {
        try (Scratch scratch = new Scratch(input.limits())) {
            byte[] start = json.readNBytes(sizes.whole());
            requireSize(start.length);
            if (start.length < sizes.whole()) {
                read(new JsonSource.InMemory(start, start.length), scratch, null, handler);
                return;
            }
            scratch.append(start, 0, start.length);
            byte[] buffer = new byte[65_536];
            for (int read = json.read(buffer); read >= 0; read = json.read(buffer)) {
                scratch.append(buffer, 0, read);
                requireSize(scratch.size());
            }
            read(new JsonSource.InFile(scratch, scratch.size()), scratch, null, handler);
        } catch (IOException e) {
            throw Problems.reading(e);
        }
    }

    private void requireSize(long size) {
        long limit = input.limits().totalBytes();
        if (size > limit) {
            throw Problems.limit(
                    "read the JSON document",
                    "totalBytes",
                    limit,
                    "raise it or split the document");
        }
    }

    private void read(
            JsonSource source, Scratch scratch, @Nullable String element, NodeHandler handler) {
        byte[] mark = new byte[3];
        int read = source.read(0, mark, 0, 3);
        boolean isMark =
                read == 3
                        && mark[0] == (byte) 0xef
                        && mark[1] == (byte) 0xbb
                        && mark[2] == (byte) 0xbf;
        long start = isMark ? 3 : 0;
        JsonIndex index = null;
        JsonValue value;
        if (source.size() >= sizes.whole()) {
            index = JsonIndex.of(input, source, scratch, start, sizes.indexed());
            Entry root = index.root();
            value = root == null ? whole(source, start) : new Large(root);
        } else {
            value = whole(source, start);
        }
        try (NodeReader reader = new NodeReader(handler, input.limits(), isSorted, index)) {
            reader.document(value, element);
        }
    }

    /** Reads a document that is one value and nothing else. */
    private JsonValue whole(JsonSource source, long start) {
        try (JsonParser parser = input.parser(source.from(start, new byte[0]))) {
            if (parser.nextToken() == null) {
                throw JsonInput.problem(JsonInput.TOP, "there is nothing");
            }
            if (parser.currentToken() == JsonToken.START_ARRAY) {
                // It is no document, and may be longer than the memory.
                return new JsonValue.Items(List.of());
            }
            JsonValue value = input.value(parser, () -> JsonInput.TOP);
            if (parser.nextToken() != null) {
                throw JsonInput.problem(JsonInput.TOP, "something follows the document");
            }
            return value;
        } catch (JacksonException e) {
            throw problem(e);
        }
    }

    private DocumentException problem(JacksonException cause) {
        TokenStreamLocation at = cause.getLocation();
        String place =
                at == null
                        ? JsonInput.TOP
                        : "line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
        return input.problem(cause, place);
    }
}
