package dev.penstock.documents.json;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.buffer.Problems;
import dev.penstock.documents.json.JsonValue.Items;
import dev.penstock.documents.json.JsonValue.Nothing;
import dev.penstock.documents.json.JsonValue.Small;
import dev.penstock.documents.json.JsonValue.Text;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/** A maker of parsers of JSON with limits, and of values from them. Thread-safe. */
public final class JsonInput {
    public static final String TOP = "the top";
    private static final String TASK = "read the JSON document";

    /** The least length that a string may have, whatever the limit of texts is: that of an order or a declaration. */
    private static final int LEAST_STRING = 300_000;

    private final JsonFactory factory;
    private final DocumentLimits limits;

    public JsonInput(DocumentLimits limits) {
        this.limits = limits;
        StreamReadConstraints constraints =
                StreamReadConstraints.builder()
                        .maxNestingDepth(2 * limits.depth() + 10)
                        .maxStringLength(Math.max(LEAST_STRING, limits.textLength() + 1))
                        .maxNameLength(3 * limits.nameLength() + 1)
                        .maxNumberLength(Math.min(1_000, limits.textLength()))
                        .build();
        factory =
                JsonFactory.builder()
                        .streamReadConstraints(constraints)
                        .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
                        .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
                        .build();
    }

    public DocumentLimits limits() {
        return limits;
    }

    public JsonParser parser(InputStream stream) {
        return factory.createParser(ObjectReadContext.empty(), stream);
    }

    /** Returns the error to throw for one of the parser, in or behind a path. */
    public DocumentException problem(JacksonException cause, String path) {
        String message = String.valueOf(cause.getOriginalMessage());
        if (cause instanceof StreamConstraintsException) {
            if (message.contains("nesting depth")) {
                return Problems.limit(
                        TASK, "depth", limits.depth(), "raise it or nest less deeply");
            }
            if (message.contains("Name")) {
                return Problems.limit(
                        TASK, "nameLength", limits.nameLength(), "raise it or use shorter names");
            }
            return Problems.limit(
                    TASK, "textLength", limits.textLength(), "raise it or use shorter texts");
        }
        return new DocumentException(
                Kind.JSON,
                "Can't read the JSON document at %s: %s".formatted(path, message),
                cause);
    }

    public static DocumentException problem(String path, String message) {
        return new DocumentException(
                Kind.JSON, "Can't read the JSON document at %s: %s".formatted(path, message));
    }

    /** An object or array that is being read. */
    private static final class Open {
        final @Nullable Map<String, JsonValue> members;
        final List<JsonValue> items = new ArrayList<>(0);
        String key = "";

        Open(@Nullable Map<String, JsonValue> members) {
            this.members = members;
        }
    }

    /** Reads the value whose first token is the current one; the parser is at its last token afterwards. */
    public JsonValue value(JsonParser parser, Supplier<String> path) {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.START_OBJECT && token != JsonToken.START_ARRAY) {
            return scalar(parser, token);
        }
        ArrayDeque<Open> stack = new ArrayDeque<>();
        while (true) {
            JsonValue done;
            switch (token) {
                case START_OBJECT -> {
                    stack.push(new Open(new LinkedHashMap<>()));
                    done = null;
                }
                case START_ARRAY -> {
                    stack.push(new Open(null));
                    done = null;
                }
                case PROPERTY_NAME -> {
                    stack.element().key = parser.currentName();
                    done = null;
                }
                case END_OBJECT, END_ARRAY -> {
                    Open ended = stack.pop();
                    done =
                            ended.members == null
                                    ? new Items(ended.items)
                                    : new Small(ended.members);
                }
                default -> done = scalar(parser, token);
            }
            if (done != null) {
                Open parent = stack.peek();
                if (parent == null) {
                    return done;
                }
                add(parent, done, stack, path);
            }
            token = parser.nextToken();
            if (token == null) {
                throw problem(path.get(), "the document ends too early");
            }
        }
    }

    private static void add(
            Open parent, JsonValue value, ArrayDeque<Open> stack, Supplier<String> path) {
        Map<String, JsonValue> members = parent.members;
        if (members == null) {
            parent.items.add(value);
        } else if (members.putIfAbsent(parent.key, value) != null) {
            String outer = path.get();
            StringBuilder place = new StringBuilder(outer.equals(TOP) ? "" : outer);
            stack.descendingIterator()
                    .forEachRemaining(open -> {
                        if (open.members != null) {
                            place.append(place.isEmpty() ? "" : ".").append(open.key);
                        }
                    });
            throw problem(place.toString(), "the key is there twice in one object");
        }
    }

    private static JsonValue scalar(JsonParser parser, JsonToken token) {
        return token == JsonToken.VALUE_NULL ? Nothing.NOTHING : new Text(parser.getString());
    }
}
