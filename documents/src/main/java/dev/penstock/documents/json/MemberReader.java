package dev.penstock.documents.json;

import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.buffer.Problems;
import dev.penstock.documents.format.Key;
import dev.penstock.documents.format.Names;
import dev.penstock.documents.format.Space;
import dev.penstock.documents.format.XmlHandler;
import dev.penstock.documents.json.JsonValue.Large;
import dev.penstock.documents.json.JsonValue.Nothing;
import dev.penstock.documents.json.JsonValue.Small;
import dev.penstock.documents.json.JsonValue.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A reader of the members of objects: attributes, the order, nodes by their keys, and what describes a document. */
final class MemberReader {
    /** The text, CDATA sections, comments and instructions. */
    private static final int KEYS_WITHOUT_NAME = 4;

    private final Place place;
    private final DocumentLimits limits;
    private final @Nullable JsonIndex index;
    private final @Nullable XmlHandler xml;
    private final Map<String, String> names = new HashMap<>();
    private @Nullable String indentation;

    MemberReader(
            Place place,
            DocumentLimits limits,
            @Nullable JsonIndex index,
            @Nullable XmlHandler xml) {
        this.place = place;
        this.limits = limits;
        this.index = index;
        this.xml = xml;
    }

    /** Returns the white space of one level; null if the document is not indented. */
    @Nullable String indentation() {
        return indentation;
    }

    /** Puts the members of an object into a level; returns the names and values of its attributes. */
    List<String> read(JsonValue value, Level level, boolean isDocument, @Nullable String element) {
        List<String> attributes = new ArrayList<>(0);
        switch (value) {
            case Small(Map<String, JsonValue> members) ->
                    members.forEach((key, member) -> {
                        if (isWanted(key, isDocument, element)) {
                            member(key, Values.of(member), level, attributes, isDocument);
                        }
                    });
            case Large(JsonIndex.Entry entry) ->
                    entry.members()
                            .forEach((key, start) -> {
                                if (isWanted(key, isDocument, element)) {
                                    large(key, start, level, attributes, isDocument);
                                }
                            });
            case JsonValue.Items items -> throw place.problem("an array is no element");
            case Nothing nothing -> {}
            case Text leaf -> {}
        }
        requireDistinct(attributes);
        return attributes;
    }

    /** Finds a name that is there twice: a key may have the dot of a name as it is, beside one that has {@code %2E}. */
    private void requireDistinct(List<String> attributes) {
        Set<String> dotted = Set.of();
        for (int i = 0; i < attributes.size(); i += 2) {
            String name = attributes.get(i);
            if (name.indexOf('.') < 0) {
                continue;
            }
            if (dotted.isEmpty()) {
                dotted = new HashSet<>();
            }
            if (!dotted.add(name)) {
                throw place.problem("the attribute %s is there twice".formatted(name));
            }
        }
    }

    private static boolean isWanted(String key, boolean isDocument, @Nullable String element) {
        return !isDocument
                || element == null
                || key.equals(element)
                || key.equals(Key.INDENTATION)
                || key.equals(Key.DECLARATION);
    }

    private void large(
            String key, long start, Level level, List<String> attributes, boolean isDocument) {
        JsonIndex places = index;
        if (places == null) {
            throw new IllegalStateException("A large object needs an index");
        }
        if (!key.equals(Key.ORDER)) {
            Values values = new Values.InSource(places, start, place::path);
            member(key, values, level, attributes, isDocument);
            return;
        }
        byte[] quote = new byte[1];
        places.source().read(start, quote, 0, 1);
        if (quote[0] != '"') {
            place.at(key);
            throw place.problem("the order must be a string");
        }
        level.order =
                new StoredOrder(
                        new StoredOrder.InSource(places.source(), start + 1, place::orderPath),
                        place::orderPath);
    }

    private void member(
            String key, Values values, Level level, List<String> attributes, boolean isDocument) {
        place.at(key);
        if (key.startsWith("@")) {
            attribute(key, values, attributes);
        } else if (key.equals(Key.ORDER)) {
            level.order = new StoredOrder(StoredOrder.of(place.single(values)), place::orderPath);
        } else if (isDocument && key.equals(Key.INDENTATION)) {
            String unit = Space.decode(place.single(values), 0, 1_000);
            if (unit == null) {
                throw place.problem("the indentation must be letters for white space");
            }
            indentation = unit;
        } else if (isDocument && key.equals(Key.DECLARATION)) {
            declaration(values);
        } else if (key.startsWith("~")) {
            // In an order it would be white space.
            throw place.problem("the key \"%s\" is no name of XML".formatted(key));
        } else if (isNode(key)) {
            level.children.put(key, values);
            requireNames(level.children.size() - KEYS_WITHOUT_NAME);
        } else {
            throw place.problem("the key \"%s\" is none of the format".formatted(key));
        }
        place.at("");
    }

    private static boolean isNode(String key) {
        return switch (key) {
            case Key.TEXT, Key.CDATA, Key.COMMENT, Key.INSTRUCTION -> true;
            default -> !key.startsWith("#");
        };
    }

    private void attribute(String key, Values values, List<String> attributes) {
        String value = place.single(values);
        place.requireLength(value.length(), limits);
        place.requireCharacters(value);
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

    private void declaration(Values values) {
        boolean isArray = values.isArray();
        if (isArray || !(values.next() instanceof Small(Map<String, JsonValue> members))) {
            throw place.problem("the declaration must be an object");
        }
        Map<String, String> parts = new LinkedHashMap<>();
        members.forEach((key, part) -> {
            place.at(Key.DECLARATION + "." + key);
            parts.put(key, place.string(part));
        });
        place.at(Key.DECLARATION);
        String wrong = Special.declarationProblem(parts);
        if (wrong != null) {
            throw place.problem(wrong);
        }
        if (xml != null) {
            xml.declaration("1.0", parts.get("encoding"), parts.get("standalone"));
        }
    }

    /** Returns the name of XML that a key stands for. */
    String name(String key) {
        String known = names.get(key);
        if (known != null) {
            return known;
        }
        String name = Key.name(key);
        if (name.length() > limits.nameLength()) {
            throw Problems.limit(
                    "read the JSON document",
                    "nameLength",
                    limits.nameLength(),
                    "raise it or use shorter names");
        }
        if (!Names.isQualified(name)) {
            throw place.problem("the key \"%s\" is no name of XML".formatted(key));
        }
        names.put(key, name);
        requireNames(names.size());
        return name;
    }

    private void requireNames(int count) {
        if (count > limits.distinctNames()) {
            throw Problems.limit(
                    "read the JSON document",
                    "distinctNames",
                    limits.distinctNames(),
                    "raise it or use fewer names");
        }
    }
}
