package dev.penstock.documents.store.mongo;

import com.mongodb.client.model.Filters;
import dev.penstock.documents.store.StoreFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.conversions.Bson;

/**
 * A condition in MongoDB's query language. Its paths go through arrays by themselves, also through one of
 * {@code #text}, which has no text: so conditions on texts find more than was asked for.
 *
 * @param bson the condition
 * @param exact whether it holds for exactly the documents that fulfil the filter
 * @param indexes the declared paths whose index serves it
 */
record MongoCondition(Bson bson, boolean exact, List<List<String>> indexes) {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** The part of a text that is put into a regular expression; MongoDB takes 32 KiB. */
    private static final int EXPRESSION_POINTS = 1000;

    /** The text that is put into a query, which is bounded as documents are. */
    private static final int QUERY_CHARACTERS = 1 << 20;

    private static final MongoCondition EVERYTHING =
            new MongoCondition(new BsonDocument(), true, List.of());

    private static final MongoCondition NOTHING =
            new MongoCondition(Filters.in("_id", List.of()), true, List.of());

    private static final MongoCondition UNKNOWN =
            new MongoCondition(new BsonDocument(), false, List.of());

    /**
     * Translates a filter.
     *
     * @param indexes the declared paths
     */
    static MongoCondition of(StoreFilter filter, List<List<String>> indexes) {
        return switch (filter) {
            case StoreFilter.Everything _ -> EVERYTHING;
            case StoreFilter.Nothing _ -> NOTHING;
            case StoreFilter.And and -> all(and, indexes);
            case StoreFilter.Or or -> any(or, indexes);
            case StoreFilter.Not not -> negated(of(not.condition(), indexes));
            case StoreFilter.Exists exists ->
                    addressable(exists.path())
                            ? new MongoCondition(
                                    Filters.exists(name(exists.path())), true, List.of())
                            : UNKNOWN;
            case StoreFilter.Equal equal -> equal(equal, indexes);
            case StoreFilter.StartsWith starts -> expression(starts.path(), starts.prefix(), "^");
            case StoreFilter.Contains contains -> expression(contains.path(), contains.part(), "");
        };
    }

    private static MongoCondition negated(MongoCondition condition) {
        if (condition.equals(NOTHING)) {
            return EVERYTHING;
        }
        return condition.exact()
                ? new MongoCondition(Filters.nor(condition.bson()), true, List.of())
                : UNKNOWN;
    }

    private static MongoCondition all(StoreFilter.And and, List<List<String>> indexes) {
        List<MongoCondition> parts = and.all().stream().map(part -> of(part, indexes)).toList();
        if (parts.contains(NOTHING)) {
            return NOTHING;
        }
        if (parts.isEmpty()) {
            return EVERYTHING;
        }
        return new MongoCondition(
                Filters.and(parts.stream().map(MongoCondition::bson).toList()),
                parts.stream().allMatch(MongoCondition::exact),
                parts.stream().flatMap(part -> part.indexes().stream()).toList());
    }

    private static MongoCondition any(StoreFilter.Or or, List<List<String>> indexes) {
        List<MongoCondition> parts =
                or.any().stream()
                        .map(part -> of(part, indexes))
                        .filter(part -> !part.equals(NOTHING))
                        .toList();
        if (parts.isEmpty()) {
            return NOTHING;
        }
        boolean served = parts.stream().noneMatch(part -> part.indexes().isEmpty());
        return new MongoCondition(
                Filters.or(parts.stream().map(MongoCondition::bson).toList()),
                parts.stream().allMatch(MongoCondition::exact),
                served
                        ? parts.stream().flatMap(part -> part.indexes().stream()).toList()
                        : List.of());
    }

    private static MongoCondition equal(StoreFilter.Equal equal, List<List<String>> indexes) {
        if (!StoreFilter.isStorable(equal.text())) {
            return NOTHING;
        }
        if (!addressable(equal.path())) {
            return UNKNOWN;
        }
        String name = name(equal.path());
        if (equal.text().isEmpty() || equal.text().length() > QUERY_CHARACTERS) {
            return new MongoCondition(Filters.exists(name), false, List.of());
        }
        var texts = new ArrayList<Bson>();
        texts.add(Filters.eq(name, equal.text()));
        texts.add(Filters.eq(name + ".#text", equal.text()));
        return new MongoCondition(
                Filters.or(texts),
                false,
                indexes.contains(equal.path()) ? List.of(equal.path()) : List.of());
    }

    private static MongoCondition expression(List<String> path, String text, String anchor) {
        if (!StoreFilter.isStorable(text)) {
            return NOTHING;
        }
        if (!addressable(path)) {
            return UNKNOWN;
        }
        String name = name(path);
        if (text.isEmpty()) {
            return new MongoCondition(Filters.exists(name), false, List.of());
        }
        var expression = new StringBuilder(anchor);
        text.codePoints()
                .limit(EXPRESSION_POINTS)
                .forEach(point -> {
                    boolean plain = point >= 0x80 || Character.isLetterOrDigit(point);
                    expression.append(plain ? "" : "\\").appendCodePoint(point);
                });
        var pattern = new BsonRegularExpression(expression.toString());
        return new MongoCondition(
                Filters.or(
                        new BsonDocument(name, pattern),
                        new BsonDocument(name + ".#text", pattern)),
                false,
                List.of());
    }

    /** Returns whether a path means in MongoDB what it says: no key is a position, an operator or a path itself. */
    private static boolean addressable(List<String> path) {
        return path.stream()
                .allMatch(key ->
                        !key.isEmpty()
                                && StoreFilter.isStorable(key)
                                && key.indexOf('.') < 0
                                && !key.startsWith("$")
                                && !NUMBER.matcher(key).matches());
    }

    static String name(List<String> path) {
        return "doc." + String.join(".", path);
    }
}
