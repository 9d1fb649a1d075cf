package dev.penstock.documents.json;

import java.util.List;
import java.util.Map;

/** A value of a JSON document: whole in memory, or a large object in its place in the source. */
public sealed interface JsonValue {
    /** The value of an element that holds nothing. */
    record Nothing() implements JsonValue {
        public static final Nothing NOTHING = new Nothing();
    }

    /** A string, or a number or boolean by its spelling. */
    record Text(String text) implements JsonValue {}

    /** The elements of an array. */
    record Items(List<JsonValue> items) implements JsonValue {}

    /** An object in memory. */
    record Small(Map<String, JsonValue> members) implements JsonValue {}

    /** An object that stays in the source. */
    record Large(JsonIndex.Entry entry) implements JsonValue {}
}
