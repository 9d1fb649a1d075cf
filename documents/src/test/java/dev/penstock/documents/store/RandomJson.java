package dev.penstock.documents.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random documents as maps, lists, strings and nulls, and random conditions that some of them fulfil. */
final class RandomJson {
    static final List<String> KEYS =
            List.of("a", "b", "@a", "#text", "p:b", "a%2Eb", "é", "a-b", "null", "#comment", "A");

    /** Keys that no document in the format has, and that are asked for all the same. */
    static final List<String> HOSTILE_KEYS =
            List.of(
                    "a.b",
                    "$",
                    "$a",
                    "a\"b",
                    "a\\b",
                    "a'b",
                    "*",
                    "a[0]",
                    "0",
                    "",
                    " ",
                    "]",
                    "?",
                    "a\"] ? (@ == 1)",
                    "\uD83D\uDE00",
                    "last",
                    "x".repeat(300));

    static final List<String> TEXTS =
            List.of(
                    "",
                    "tv",
                    "TV",
                    "tv ",
                    " tv",
                    "null",
                    "a\"b",
                    "a\\b",
                    "a'b",
                    "%",
                    "_",
                    "a%b",
                    "\\",
                    "é",
                    "e",
                    "\uFFFD",
                    "\uD83D\uDE00",
                    "\uDBFF\uDFFD",
                    "1",
                    "1.0",
                    "true",
                    "{}",
                    "[]",
                    "\t",
                    "\n",
                    "a/b",
                    "$",
                    "?",
                    "\u0085",
                    "ﬀ",
                    "x".repeat(399),
                    "x".repeat(400),
                    "x".repeat(401),
                    "é".repeat(3000),
                    "y".repeat(50_000));

    private final Random random;
    private final List<String> keys;

    RandomJson(long seed) {
        random = new Random(seed);
        var all = new ArrayList<>(KEYS);
        all.addAll(HOSTILE_KEYS);
        keys = List.copyOf(all);
    }

    Map<String, @Nullable Object> document() {
        var document = new LinkedHashMap<String, @Nullable Object>();
        document.put(pick(keys.subList(0, 3)), value(4));
        if (random.nextInt(4) == 0) {
            document.put("#comment", random.nextBoolean() ? text() : List.of(text(), text()));
        }
        return document;
    }

    private @Nullable Object value(int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 9)) {
            case 0 -> null;
            case 1, 2, 3 -> text();
            case 4 -> array(depth - 1);
            default -> object(depth - 1);
        };
    }

    private List<@Nullable Object> array(int depth) {
        var array = new ArrayList<@Nullable Object>();
        int size = 1 + random.nextInt(3);
        for (int i = 0; i < size; i++) {
            array.add(random.nextBoolean() || depth == 0 ? leaf() : object(depth));
        }
        return array;
    }

    private @Nullable Object leaf() {
        return random.nextInt(4) == 0 ? null : text();
    }

    private Map<String, @Nullable Object> object(int depth) {
        var object = new LinkedHashMap<String, @Nullable Object>();
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            object.put(pick(random.nextInt(8) == 0 ? keys : keys.subList(0, 6)), value(depth));
        }
        return object;
    }

    private String text() {
        return random.nextInt(3) == 0 ? pick(TEXTS) : pick(TEXTS.subList(0, 6));
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    StoreFilter filter(Map<String, @Nullable Object> example, int depth) {
        int choice = random.nextInt(depth == 0 ? 8 : 14);
        return switch (choice) {
            case 0, 1 -> new StoreFilter.Exists(path(example));
            case 2, 3, 4 -> {
                List<String> path = path(example);
                yield new StoreFilter.Equal(path, textAt(example, path));
            }
            case 5, 6 -> {
                List<String> path = path(example);
                yield new StoreFilter.StartsWith(path, piece(textAt(example, path), true));
            }
            case 7 -> {
                List<String> path = path(example);
                yield new StoreFilter.Contains(path, piece(textAt(example, path), false));
            }
            case 8 -> new StoreFilter.Everything();
            case 9 -> new StoreFilter.Nothing();
            case 10, 11 -> new StoreFilter.Not(filter(example, depth - 1));
            case 12 -> new StoreFilter.And(several(example, depth - 1));
            default -> new StoreFilter.Or(several(example, depth - 1));
        };
    }

    private List<StoreFilter> several(Map<String, @Nullable Object> example, int depth) {
        var several = new ArrayList<StoreFilter>();
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            several.add(filter(example, depth));
        }
        return several;
    }

    private String piece(String text, boolean start) {
        int[] points = text.codePoints().toArray();
        int from = start || points.length == 0 ? 0 : random.nextInt(points.length);
        int count = points.length == from ? 0 : random.nextInt(points.length - from + 1);
        return new String(points, from, count);
    }

    /** A path of the document, sometimes with something wrong in it. */
    private List<String> path(Map<String, @Nullable Object> example) {
        var path = new ArrayList<String>();
        Object value = example;
        while (true) {
            if (value instanceof List<?> list) {
                value = pick(list);
            } else if (value instanceof Map<?, ?> map
                    && !map.isEmpty()
                    && (path.isEmpty() || random.nextInt(8) > 0)) {
                String key = (String) pick(List.copyOf(map.keySet()));
                path.add(key);
                value = map.get(key);
            } else {
                break;
            }
        }
        if (random.nextInt(6) == 0) {
            path.set(random.nextInt(path.size()), pick(random.nextBoolean() ? KEYS : HOSTILE_KEYS));
        }
        if (random.nextInt(10) == 0) {
            path.add(pick(HOSTILE_KEYS));
        }
        return path;
    }

    private String textAt(Map<String, @Nullable Object> example, List<String> path) {
        List<String> texts = ReferenceFilter.texts(example, path);
        return texts.isEmpty() || random.nextInt(4) == 0 ? text() : pick(texts);
    }

    static String json(@Nullable Object value) {
        var json = new StringBuilder();
        write(value, json);
        return json.toString();
    }

    private static void write(@Nullable Object value, StringBuilder json) {
        switch (value) {
            case null -> json.append("null");
            case Map<?, ?> map -> {
                String before = "{";
                for (var member : map.entrySet()) {
                    json.append(before);
                    write(member.getKey(), json);
                    json.append(':');
                    write(member.getValue(), json);
                    before = ",";
                }
                json.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                String before = "[";
                for (Object element : list) {
                    json.append(before);
                    write(element, json);
                    before = ",";
                }
                json.append(list.isEmpty() ? "[]" : "]");
            }
            default -> json.append(JsonText.quoted(value.toString()));
        }
    }
}
