package dev.penstock.documents.json;

import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.buffer.Problems;
import dev.penstock.documents.format.Key;
import dev.penstock.documents.format.Names;
import dev.penstock.documents.format.Namespaces;
import dev.penstock.documents.format.NodeHandler;
import dev.penstock.documents.format.Space;
import dev.penstock.documents.format.XmlHandler;
import dev.penstock.documents.json.JsonValue.Large;
import dev.penstock.documents.json.JsonValue.Nothing;
import dev.penstock.documents.json.JsonValue.Small;
import dev.penstock.documents.json.JsonValue.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reader of the nodes of one document in JSON, in document order. It checks all that makes it a document. */
final class NodeReader implements AutoCloseable {
    private final NodeHandler handler;
    private final @Nullable XmlHandler xml;
    private final DocumentLimits limits;
    private final boolean isSorted;
    private final @Nullable JsonIndex index;
    private final Namespaces namespaces = new Namespaces();
    private final ArrayList<Level> levels = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private @Nullable String indentation;
    private String child = "";

    NodeReader(
            NodeHandler handler,
            DocumentLimits limits,
            boolean isSorted,
            @Nullable JsonIndex index) {
        this.handler = handler;
        this.xml = handler instanceof XmlHandler both ? both : null;
        this.limits = limits;
        this.isSorted = isSorted;
        this.index = index;
    }

    /** Reads a document, or one element of it if that is named. */
    void document(JsonValue value, @Nullable String element) {
        Level document = new Level("", -1);
        levels.add(document);
        Map<String, String> special = new LinkedHashMap<>();
        if (!(value instanceof Small || value instanceof Large)) {
            throw problem("a document is an object with the root element's name as its key");
        }
        List<String> attributes = members(value, document, special, element);
        if (!attributes.isEmpty()) {
            child = "@" + attributes.getFirst();
            throw problem("a document has no attributes");
        }
        requireOneRoot(document, element);
        document.defaultOrder(isSorted);
        preview(value, element);
        run();
        if (!text.isEmpty()) {
            throw problem("a document has no text beside its root element");
        }
    }

    private void preview(JsonValue value, @Nullable String element) {
        NodeHandler first = xml == null ? null : xml.preview();
        if (first != null) {
            try (NodeReader reader = new NodeReader(first, limits, isSorted, index)) {
                reader.document(value, element);
            }
        }
    }

    private void requireOneRoot(Level document, @Nullable String element) {
        List<String> roots =
                document.children.keySet().stream().filter(each -> !each.startsWith("#")).toList();
        if (document.hasText()) {
            throw problem("a document has no text beside its root element");
        }
        if (roots.size() != 1) {
            String remedy =
                    element == null
                            ? "a document has one root element, and here are " + roots.size()
                            : "there is no element " + element;
            String names = roots.isEmpty() || roots.size() > 10 ? "" : ": " + roots;
            throw problem(remedy + names);
        }
    }

    /** Moves through the open elements until the last one has ended. */
    private void run() {
        while (!levels.isEmpty()) {
            Level level = levels.getLast();
            String token = level.next();
            if (token == null) {
                end(level);
            } else if (token.startsWith("~")) {
                space(level, token);
            } else {
                node(level, token);
            }
        }
    }

    private void end(Level level) {
        for (Map.Entry<String, Values> entry : level.children.entrySet()) {
            if (entry.getValue().hasNext()) {
                child = "";
                throw problem("the order leaves out a value of the key " + entry.getKey());
            }
        }
        boolean isDocument = levels.size() == 1;
        if (!isDocument) {
            indent(level, levels.size() - 2);
            flushText();
            handler.endElement();
            namespaces.end();
        }
        level.close();
        levels.removeLast();
    }

    private void space(Level level, String token) {
        child = Key.ORDER;
        if (token.length() == 1) {
            level.isIndented = true;
            return;
        }
        String space = token.equals("~0") ? "" : Space.decode(token, 1, limits.textLength());
        if (space == null || levels.size() == 1) {
            throw problem(
                    "the order has the token \"%s\", which is no white space".formatted(token));
        }
        text(space);
        level.isGapFilled = true;
    }

    private void node(Level level, String key) {
        Values values = level.children.get(key);
        child = Key.ORDER;
        if (values == null || !values.hasNext()) {
            throw problem(
                    "the order names more values of the key %s than are there".formatted(key));
        }
        long place = values.isArray() ? level.counts.merge(key, 1L, Long::sum) - 1 : -1;
        child = place < 0 ? key : "%s[%d]".formatted(key, place);
        JsonValue value = values.next();
        if (key.equals(Key.TEXT)) {
            text(string(value));
            level.isGapFilled = true;
            return;
        }
        if (levels.size() > 1) {
            indent(level, levels.size() - 1);
        }
        flushTextUnlessCdata(key);
        switch (key) {
            case Key.CDATA -> cdata(string(value));
            case Key.COMMENT -> comment(string(value));
            case Key.INSTRUCTION -> instruction(string(value));
            default -> element(key, place, value);
        }
    }

    /** Writes the line break and the indentation before a node or the end, if nothing else is there. */
    private void indent(Level level, int depth) {
        String unit = indentation;
        if (unit != null && level.isIndented && !level.isGapFilled) {
            text.append('\n').repeat(unit, depth);
        }
        level.isGapFilled = false;
    }

    private void flushTextUnlessCdata(String key) {
        if (!key.equals(Key.CDATA) || xml != null) {
            flushText();
        }
    }

    private void text(String value) {
        if (text.length() + (long) value.length() > limits.textLength()) {
            throw Problems.limit(
                    "read the JSON document at " + path(),
                    "textLength",
                    limits.textLength(),
                    "raise it or use shorter texts");
        }
        requireCharacters(value);
        text.append(value);
    }

    private void flushText() {
        if (!text.isEmpty()) {
            handler.text(text.toString());
            text.setLength(0);
        }
    }

    private void cdata(String value) {
        XmlHandler both = xml;
        if (both == null) {
            text(value);
            return;
        }
        requireCharacters(value);
        both.cdata(value);
    }

    private void comment(String value) {
        requireCharacters(value);
        String wrong = Special.commentProblem(value);
        if (wrong != null) {
            throw problem(wrong);
        }
        handler.comment(value);
    }

    private void instruction(String value) {
        requireCharacters(value);
        String target = Special.target(value);
        String data = Special.data(value);
        String wrong = Special.instructionProblem(target, data);
        if (wrong != null) {
            throw problem(wrong);
        }
        handler.processingInstruction(target, data);
    }

    private void element(String key, long place, JsonValue value) {
        Level level = new Level(key, place);
        levels.add(level);
        child = "";
        if (levels.size() - 1 > limits.depth()) {
            throw Problems.limit(
                    "read the JSON document",
                    "depth",
                    limits.depth(),
                    "raise it or nest less deeply");
        }
        String name = name(key);
        List<String> attributes =
                value instanceof Text || value instanceof Nothing
                        ? List.of()
                        : members(value, level, null, null);
        String problem = namespaces.begin(name, attributes);
        if (problem != null) {
            throw problem(problem);
        }
        handler.startElement(name);
        for (int i = 0; i < attributes.size(); i += 2) {
            handler.attribute(attributes.get(i), attributes.get(i + 1));
        }
        if (value instanceof Text(String leaf)) {
            text(leaf);
        } else if (!(value instanceof Nothing)) {
            contents(level);
        }
    }

    /** Prepares the child nodes of an element: their order and the white space between them. */
    private void contents(Level level) {
        if (level.order == null) {
            boolean hasNodes = !level.children.isEmpty();
            level.isIndented = hasNodes && !level.hasText();
            level.defaultOrder(isSorted);
        }
    }

    private String name(String key) {
        String name = Key.name(key);
        if (name.length() > limits.nameLength()) {
            throw Problems.limit(
                    "read the JSON document",
                    "nameLength",
                    limits.nameLength(),
                    "raise it or use shorter names");
        }
        if (!Names.isQualified(name)) {
            throw problem("the key \"%s\" is no name of XML".formatted(key));
        }
        return name;
    }

    /** Puts the members of an object into a level; returns the names and values of its attributes. */
    private List<String> members(
            JsonValue value,
            Level level,
            @Nullable Map<String, String> special,
            @Nullable String element) {
        List<String> attributes = new ArrayList<>(0);
        switch (value) {
            case Small(Map<String, JsonValue> members) ->
                    members.forEach((key, member) -> {
                        if (isWanted(key, special, element)) {
                            member(key, Values.of(member), level, attributes, special);
                        }
                    });
            case Large(JsonIndex.Entry entry) ->
                    entry.members()
                            .forEach((key, place) -> {
                                if (isWanted(key, special, element)) {
                                    large(key, place, level, attributes, special);
                                }
                            });
            case JsonValue.Items items -> throw problem("an array is no element");
            case Nothing nothing -> {}
            case Text leaf -> {}
        }
        return attributes;
    }

    private static boolean isWanted(
            String key, @Nullable Map<String, String> special, @Nullable String element) {
        return special == null
                || element == null
                || key.equals(element)
                || key.equals(Key.INDENTATION)
                || key.equals(Key.DECLARATION);
    }

    private void large(
            String key,
            long place,
            Level level,
            List<String> attributes,
            @Nullable Map<String, String> special) {
        JsonIndex places = index;
        if (places == null) {
            throw new IllegalStateException("A large object needs an index");
        }
        if (!key.equals(Key.ORDER)) {
            Values values = new Values.InSource(places, place, this::path);
            member(key, values, level, attributes, special);
            return;
        }
        byte[] quote = new byte[1];
        places.source().read(place, quote, 0, 1);
        if (quote[0] != '"') {
            child = key;
            throw problem("the order must be a string");
        }
        level.order =
                new StoredOrder(
                        new StoredOrder.InSource(places.source(), place + 1, this::orderPath),
                        this::orderPath);
    }

    private void member(
            String key,
            Values values,
            Level level,
            List<String> attributes,
            @Nullable Map<String, String> special) {
        child = key;
        if (key.startsWith("@")) {
            attribute(key, values, attributes);
        } else if (key.equals(Key.ORDER)) {
            level.order = new StoredOrder(StoredOrder.of(single(values)), this::orderPath);
        } else if (special != null && key.equals(Key.INDENTATION)) {
            String unit = Space.decode(single(values), 0, 1_000);
            if (unit == null) {
                throw problem("the indentation must be letters for white space");
            }
            indentation = unit;
        } else if (special != null && key.equals(Key.DECLARATION)) {
            declaration(values.next());
        } else if (isNode(key)) {
            level.children.put(key, values);
        } else {
            throw problem("the key \"%s\" is none of the format".formatted(key));
        }
        child = "";
    }

    private static boolean isNode(String key) {
        return switch (key) {
            case Key.TEXT, Key.CDATA, Key.COMMENT, Key.INSTRUCTION -> true;
            default -> !key.startsWith("#");
        };
    }

    private void attribute(String key, Values values, List<String> attributes) {
        String value = single(values);
        requireCharacters(value);
        attributes.add(name(key.substring(1)));
        attributes.add(value);
        if (attributes.size() > 2 * limits.attributes()) {
            throw Problems.limit(
                    "read the JSON document",
                    "attributes",
                    limits.attributes(),
                    "raise it or use fewer attributes");
        }
    }

    private void declaration(JsonValue value) {
        if (!(value instanceof Small(Map<String, JsonValue> members))) {
            throw problem("the declaration must be an object");
        }
        Map<String, String> parts = new LinkedHashMap<>();
        members.forEach((key, part) -> {
            child = Key.DECLARATION + "." + key;
            parts.put(key, string(part));
        });
        child = Key.DECLARATION;
        String wrong = Special.declarationProblem(parts);
        if (wrong != null) {
            throw problem(wrong);
        }
        if (xml != null) {
            xml.declaration("1.0", parts.get("encoding"), parts.get("standalone"));
        }
    }

    private String single(Values values) {
        if (values.isArray()) {
            throw problem("there must be one string, and there is an array");
        }
        return string(values.next());
    }

    private String string(JsonValue value) {
        if (value instanceof Text(String text)) {
            return text;
        }
        throw problem("there must be a string");
    }

    private void requireCharacters(String value) {
        int at = Names.firstForbidden(value);
        if (at >= 0) {
            throw problem("XML has no character U+%04X".formatted((int) value.charAt(at)));
        }
    }

    private RuntimeException problem(String message) {
        return JsonInput.problem(path(), message);
    }

    /** Returns the path of what is being read: keys with dots between them, and places in arrays. */
    private String path() {
        StringBuilder path = new StringBuilder();
        for (Level level : levels.subList(1, levels.size())) {
            path.append(path.isEmpty() ? "" : ".").append(level.key);
            if (level.index >= 0) {
                path.append('[').append(level.index).append(']');
            }
        }
        if (!child.isEmpty()) {
            path.append(path.isEmpty() ? "" : ".").append(child);
        }
        return path.isEmpty() ? JsonInput.TOP : path.toString();
    }

    private String orderPath() {
        child = Key.ORDER;
        return path();
    }

    @Override
    public void close() {
        levels.forEach(Level::close);
    }
}
