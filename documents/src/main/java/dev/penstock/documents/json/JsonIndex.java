package dev.penstock.documents.json;

import dev.penstock.documents.buffer.Scratch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The places of the large objects of one JSON document and of their members, found in one pass. */
final class JsonIndex {
    private static final int MEMBER_COST = 80;
    private static final int ENTRY_COST = 200;

    /** The characters of a key that are in the cost of a member. */
    private static final int SHORT_KEY = 100;

    /** The parsers that may be open at once, with some 10 KB each. */
    private static final int MOST_OPEN = 1_000;

    private final JsonInput input;
    private final JsonSource source;
    private final Scratch scratch;
    private final long start;
    private final int largeFrom;
    private final Map<Long, Entry> entries = new HashMap<>();
    private @Nullable Entry root;
    private int values;
    private final ArrayDeque<Open> stack = new ArrayDeque<>();
    private final LinkedHashSet<Values.InSource> withParser = new LinkedHashSet<>();

    /** A large object: the places of its first byte, of what follows it, and of its members' values. */
    record Entry(long start, long end, Map<String, Long> members) {}

    /** An object or array that is being read. */
    private static final class Open {
        final long start;
        final boolean isObject;
        final List<String> keys = new ArrayList<>(4);
        long[] places = new long[4];

        Open(long start, boolean isObject) {
            this.start = start;
            this.isObject = isObject;
        }

        void place(long offset) {
            if (keys.size() > places.length) {
                places = Arrays.copyOf(places, keys.size() * 2);
            }
            places[keys.size() - 1] = offset;
        }
    }

    private JsonIndex(
            JsonInput input, JsonSource source, Scratch scratch, long start, int largeFrom) {
        this.largeFrom = largeFrom;
        this.input = input;
        this.source = source;
        this.scratch = scratch;
        this.start = start;
    }

    /** Reads a document whose JSON begins at a place, and checks that it is one value. */
    static JsonIndex of(
            JsonInput input, JsonSource source, Scratch scratch, long start, int largeFrom) {
        JsonIndex index = new JsonIndex(input, source, scratch, start, largeFrom);
        try (JsonParser parser = input.parser(source.from(start, new byte[0]))) {
            index.read(parser);
        } catch (JacksonException e) {
            throw input.problem(e, index.path());
        }
        return index;
    }

    JsonSource source() {
        return source;
    }

    JsonInput input() {
        return input;
    }

    /** Returns the object that is the document, or null if it is no object or a short one. */
    @Nullable Entry root() {
        return root;
    }

    @Nullable Entry at(long offset) {
        return entries.get(offset);
    }

    /** Takes note of values with an open parser; the ones that have had theirs longest may lose it. */
    void opened(Values.InSource values) {
        if (withParser.size() == MOST_OPEN) {
            withParser.getFirst().pause();
        }
        withParser.add(values);
    }

    void closed(Values.InSource values) {
        withParser.remove(values);
    }

    private void read(JsonParser parser) {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.PROPERTY_NAME) {
                stack.element().keys.add(parser.currentName());
                scratch.hold(cost(parser.currentName()));
                continue;
            }
            if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
                end(stack.pop(), start + parser.currentLocation().getByteOffset());
                continue;
            }
            Open open = stack.peek();
            if (open == null && values++ > 0) {
                throw JsonInput.problem(JsonInput.TOP, "something follows the document");
            }
            boolean isMember = open != null && open.isObject;
            if (!isMember && !token.isStructStart()) {
                continue;
            }
            long offset = start + parser.currentTokenLocation().getByteOffset();
            if (open != null && isMember) {
                open.place(offset);
            }
            if (token.isStructStart()) {
                stack.push(new Open(offset, token == JsonToken.START_OBJECT));
            }
            if (scratch.isFull()) {
                scratch.requireRelief();
            }
        }
    }

    private static long cost(String key) {
        return MEMBER_COST + 2L * Math.max(0, key.length() - SHORT_KEY);
    }

    private void end(Open ended, long end) {
        long cost = 0;
        for (String key : ended.keys) {
            cost += cost(key);
        }
        scratch.hold(-cost);
        if (!ended.isObject || end - ended.start < largeFrom) {
            return;
        }
        Map<String, Long> members = new java.util.LinkedHashMap<>();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < ended.keys.size(); i++) {
            String key = ended.keys.get(i);
            if (!keys.add(key)) {
                String outer = path();
                throw JsonInput.problem(
                        outer.equals(JsonInput.TOP) ? key : outer + "." + key,
                        "the key is there twice in one object");
            }
            members.put(key, ended.places[i]);
        }
        scratch.hold(ENTRY_COST + cost);
        Entry entry = new Entry(ended.start, end, members);
        entries.put(ended.start, entry);
        if (stack.isEmpty()) {
            root = entry;
        }
    }

    private String path() {
        StringBuilder path = new StringBuilder();
        stack.descendingIterator()
                .forEachRemaining(open -> {
                    if (!open.keys.isEmpty()) {
                        path.append(path.isEmpty() ? "" : ".").append(open.keys.getLast());
                    }
                });
        return path.isEmpty() ? JsonInput.TOP : path.toString();
    }
}
