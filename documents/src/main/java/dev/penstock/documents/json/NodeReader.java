package dev.penstock.documents.json;

import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.buffer.Problems;
import dev.penstock.documents.format.Key;
import dev.penstock.documents.format.Namespaces;
import dev.penstock.documents.format.NodeHandler;
import dev.penstock.documents.format.Space;
import dev.penstock.documents.format.XmlHandler;
import dev.penstock.documents.json.JsonValue.Large;
import dev.penstock.documents.json.JsonValue.Nothing;
import dev.penstock.documents.json.JsonValue.Small;
import dev.penstock.documents.json.JsonValue.Text;
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
    private final Place place = new Place();
    private final MemberReader members;
    private final StringBuilder text = new StringBuilder();

    /** The characters of white space that a few letters of the order or the indentation have stood for. */
    private long spaces;

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
        members = new MemberReader(place, limits, index, xml);
    }

    /** Reads a document, or one element of it if that is named. */
    void document(JsonValue value, @Nullable String element) {
        Level document = new Level("", -1);
        place.levels.add(document);
        if (!(value instanceof Small || value instanceof Large)) {
            throw place.problem("a document is an object with the root element's name as its key");
        }
        List<String> attributes = members.read(value, document, true, element);
        if (!attributes.isEmpty()) {
            place.at("@" + attributes.getFirst());
            throw place.problem("a document has no attributes");
        }
        requireOneRoot(document, element);
        document.defaultOrder(isSorted);
        preview(value, element);
        run();
        if (!text.isEmpty()) {
            throw place.problem("a document has no text beside its root element");
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
            throw place.problem("a document has no text beside its root element");
        }
        if (roots.size() != 1) {
            String remedy =
                    element == null
                            ? "a document has one root element, and here are " + roots.size()
                            : "there is no element " + element;
            String names = roots.isEmpty() || roots.size() > 10 ? "" : ": " + roots;
            throw place.problem(remedy + names);
        }
        Values root = document.children.get(roots.getFirst());
        if (root == null || !root.hasNext()) {
            place.at(roots.getFirst());
            throw place.problem("a document has one root element, and the array here is empty");
        }
    }

    /** Moves through the open elements until the last one has ended. */
    private void run() {
        while (!place.levels.isEmpty()) {
            Level level = place.levels.getLast();
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
                place.at("");
                throw place.problem("the order leaves out a value of the key " + entry.getKey());
            }
        }
        boolean isDocument = place.levels.size() == 1;
        if (!isDocument) {
            indent(level, place.levels.size() - 2);
            flushText();
            handler.endElement();
            namespaces.end();
        }
        level.close();
        place.levels.removeLast();
    }

    private void space(Level level, String token) {
        place.at(Key.ORDER);
        if (token.length() == 1) {
            level.isIndented = true;
            return;
        }
        String space = token.equals("~0") ? "" : Space.decode(token, 1, limits.textLength());
        if (space == null || place.levels.size() == 1) {
            throw place.problem(
                    "the order has the token \"%s\", which is no white space".formatted(token));
        }
        countSpace(space.length());
        text(space);
        level.isGapFilled = true;
    }

    private void countSpace(long length) {
        spaces += length;
        if (spaces > limits.totalBytes()) {
            throw Problems.limit(
                    "read the JSON document",
                    "totalBytes",
                    limits.totalBytes(),
                    "raise it; the white space that the order and the indentation stand for is longer");
        }
    }

    private void node(Level level, String key) {
        Values values = level.children.get(key);
        place.at(Key.ORDER);
        if (values == null || !values.hasNext()) {
            throw place.problem(
                    "the order names more values of the key %s than are there".formatted(key));
        }
        long at = values.isArray() ? level.counts.merge(key, 1L, Long::sum) - 1 : -1;
        place.at(key, at);
        JsonValue value = values.next();
        if (key.equals(Key.TEXT)) {
            text(place.string(value));
            level.isGapFilled = true;
            return;
        }
        if (place.levels.size() > 1) {
            indent(level, place.levels.size() - 1);
        }
        flushTextUnlessCdata(key);
        switch (key) {
            case Key.CDATA -> cdata(place.string(value));
            case Key.COMMENT -> comment(place.string(value));
            case Key.INSTRUCTION -> instruction(place.string(value));
            default -> element(key, at, value);
        }
    }

    /** Writes the line break and the indentation before a node or the end, if nothing else is there. */
    private void indent(Level level, int depth) {
        String unit = members.indentation();
        if (unit != null && level.isIndented && !level.isGapFilled) {
            countSpace(1 + (long) unit.length() * depth);
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
        place.requireLength(text.length() + value.length(), limits);
        place.requireCharacters(value);
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
        place.requireLength(value.length(), limits);
        place.requireCharacters(value);
        both.cdata(value);
    }

    private void comment(String value) {
        place.requireLength(value.length(), limits);
        place.requireCharacters(value);
        String wrong = Special.commentProblem(value);
        if (wrong != null) {
            throw place.problem(wrong);
        }
        handler.comment(value);
    }

    private void instruction(String value) {
        place.requireCharacters(value);
        String target = Special.target(value);
        String data = Special.data(value);
        place.requireLength(target.length() + data.length(), limits);
        String wrong = Special.instructionProblem(target, data);
        if (wrong != null) {
            throw place.problem(wrong);
        }
        handler.processingInstruction(target, data);
    }

    private void element(String key, long at, JsonValue value) {
        if (place.levels.size() == 1 && at > 0) {
            throw place.problem("a document has one root element, and this is another one");
        }
        Level level = new Level(key, at);
        place.levels.add(level);
        place.at("");
        if (place.levels.size() - 1 > limits.depth()) {
            throw Problems.limit(
                    "read the JSON document",
                    "depth",
                    limits.depth(),
                    "raise it or nest less deeply");
        }
        String name = members.name(key);
        List<String> attributes =
                value instanceof Text || value instanceof Nothing
                        ? List.of()
                        : members.read(value, level, false, null);
        String problem = namespaces.begin(name, attributes);
        if (problem != null) {
            throw place.problem(problem);
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

    @Override
    public void close() {
        place.levels.forEach(Level::close);
    }
}
