package dev.penstock.documents.store;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * A pass over the JSON of a document that gives every value with its path and its text, as {@link StoreFilter} defines
 * them. It holds the open objects and one string, never the document.
 */
public final class ValueScan {
    private static final String TEXT = "#text";
    private static final String ORDER = "#";

    public static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(Integer.MAX_VALUE)
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .maxNameLength(Integer.MAX_VALUE)
                                    .maxTokenCount(-1)
                                    .maxDocumentLength(-1)
                                    .build())
                    .build();

    /** A receiver of values. */
    @FunctionalInterface
    public interface Receiver {
        /**
         * A value that is no array; an object comes after what is in it.
         *
         * @param path its keys, valid during the call
         * @param text its text, null if it has none
         */
        void value(List<String> path, @Nullable String text);
    }

    /** The text of an object, of which a part may have been read. */
    private static final class OpenObject {
        @Nullable String text = "";
        int arrays;
    }

    private final List<String> path = new ArrayList<>();
    private final List<String> seenPath = Collections.unmodifiableList(path);
    private final Deque<OpenObject> open = new ArrayDeque<>();
    private final Receiver receiver;
    private int depth;
    private int deepest;

    private ValueScan(Receiver receiver) {
        this.receiver = receiver;
    }

    /**
     * Reads a document.
     *
     * @return how many arrays and objects are open at most at once
     */
    public static int scan(InputStream json, Receiver receiver) {
        var scan = new ValueScan(receiver);
        try (json;
                JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            scan.read(parser);
        } catch (JacksonException | IOException e) {
            throw new DocumentException(
                    Kind.JSON, "the JSON of a document can't be read: " + e.getMessage(), e);
        }
        return scan.deepest;
    }

    private void read(JsonParser parser) {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            switch (token) {
                case START_OBJECT -> {
                    inObject(null);
                    open.push(new OpenObject());
                    deeper();
                }
                case START_ARRAY -> {
                    inObject(null);
                    if (!open.isEmpty()) {
                        open.getFirst().arrays++;
                    }
                    deeper();
                }
                case END_OBJECT -> endObject();
                case END_ARRAY -> endArray();
                case PROPERTY_NAME -> path.add(parser.currentName());
                case VALUE_STRING -> {
                    // An order may be as long as the document, and nothing asks for it: it is not
                    // read.
                    boolean isOrder = !path.isEmpty() && path.getLast().equals(ORDER);
                    leaf(isOrder ? null : parser.getString(), !isOrder);
                }
                case VALUE_NULL -> leaf("", false);
                default -> leaf(null, false);
            }
        }
    }

    private void deeper() {
        depth++;
        deepest = Math.max(deepest, depth);
    }

    private void leaf(@Nullable String text, boolean string) {
        inObject(string ? text : null);
        receiver.value(seenPath, text);
        endValue();
    }

    /** Notes the member {@code #text} of the open object. */
    private void inObject(@Nullable String text) {
        if (open.isEmpty() || path.isEmpty() || !path.getLast().equals(TEXT)) {
            return;
        }
        OpenObject object = open.getFirst();
        if (object.arrays == 0) {
            object.text = text;
        }
    }

    private void endObject() {
        depth--;
        OpenObject object = open.pop();
        receiver.value(seenPath, object.text);
        endValue();
    }

    private void endArray() {
        depth--;
        if (!open.isEmpty()) {
            open.getFirst().arrays--;
        }
        endValue();
    }

    /** Leaves the key of a value that is no element of an array. */
    private void endValue() {
        if (!open.isEmpty() && open.getFirst().arrays == 0) {
            path.removeLast();
        }
    }
}
