package dev.penstock.documents.json;

import dev.penstock.documents.json.JsonIndex.Entry;
import dev.penstock.documents.json.JsonValue.Items;
import dev.penstock.documents.json.JsonValue.Large;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The values of one key in their order: the elements of its array, or its one value. */
interface Values extends AutoCloseable {
    boolean hasNext();

    JsonValue next();

    boolean isArray();

    @Override
    default void close() {}

    /** Returns the values of a value in memory. */
    static Values of(JsonValue value) {
        boolean isArray = value instanceof Items;
        Iterator<JsonValue> values =
                value instanceof Items(List<JsonValue> items)
                        ? items.iterator()
                        : List.of(value).iterator();
        return new InMemory(values, isArray);
    }

    /** Values in memory. */
    record InMemory(Iterator<JsonValue> values, boolean isArray) implements Values {
        @Override
        public boolean hasNext() {
            return values.hasNext();
        }

        @Override
        public JsonValue next() {
            return values.next();
        }
    }

    /** A cursor that moves through the values of one key of a large object. */
    final class InSource implements Values {
        private static final byte[] FIRST = "[".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] FURTHER = "[0".getBytes(StandardCharsets.US_ASCII);
        private static final int FURTHER_TOKENS = 3;

        private final JsonIndex index;
        private final Supplier<String> path;
        private final boolean isArray;
        private long place;
        private @Nullable JsonParser parser;
        private long parserStart;
        private boolean isDone;

        /** The bytes that the next parser reads before those at the place. */
        private byte[] before = FIRST;

        /** The number of tokens before the next value. */
        private int tokens;

        InSource(JsonIndex index, long place, Supplier<String> path) {
            this.index = index;
            this.place = place;
            this.path = path;
            byte[] first = new byte[1];
            index.source().read(place, first, 0, 1);
            isArray = first[0] == '[';
            tokens = isArray ? 3 : 2;
        }

        @Override
        public boolean isArray() {
            return isArray;
        }

        @Override
        public boolean hasNext() {
            if (isArray && !isDone) {
                peek();
            }
            return !isDone;
        }

        @Override
        public JsonValue next() {
            Entry single = isArray ? null : index.at(place);
            if (single != null) {
                isDone = true;
                return new Large(single);
            }
            JsonParser at = peek();
            Entry entry =
                    at.currentToken() == JsonToken.START_OBJECT
                            ? index.at(parserStart + at.currentTokenLocation().getByteOffset())
                            : null;
            if (entry != null) {
                close();
                place = entry.end();
                return new Large(entry);
            }
            if (isArray && at.currentToken() == JsonToken.START_ARRAY) {
                // It is an error wherever it is, and may be as long as the document.
                return new Items(List.of());
            }
            JsonValue value;
            try {
                value = index.input().value(at, path);
                if (isArray) {
                    at.nextToken();
                }
            } catch (JacksonException e) {
                throw index.input().problem(e, path.get());
            }
            if (!isArray) {
                isDone = true;
                close();
            }
            return value;
        }

        /** Opens the parser at the next value, if it is not there. */
        private JsonParser peek() {
            JsonParser opened = parser;
            try {
                if (opened == null) {
                    opened = index.input().parser(index.source().from(place, before));
                    parser = opened;
                    parserStart = place - before.length;
                    for (int i = 0; i < tokens; i++) {
                        opened.nextToken();
                    }
                    before = FURTHER;
                    tokens = FURTHER_TOKENS;
                    index.opened(this);
                }
            } catch (JacksonException e) {
                throw index.input().problem(e, path.get());
            }
            if (isArray && opened.currentToken() == JsonToken.END_ARRAY) {
                isDone = true;
                close();
            }
            return opened;
        }

        /** Closes the parser, which is at the next value; another one will begin there. */
        void pause() {
            JsonParser opened = parser;
            if (opened != null) {
                place = parserStart + opened.currentTokenLocation().getByteOffset();
                before = FIRST;
                tokens = 2;
                close();
            }
        }

        @Override
        public void close() {
            JsonParser opened = parser;
            parser = null;
            if (opened != null) {
                index.closed(this);
                opened.close();
            }
        }
    }
}
