package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.StoreFilter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** The translation of a filter to the SQL of one dialect, with the indexes that are declared. */
public final class FilterSql {
    /** The longest condition in SQL; SQLite takes statements of a million bytes. */
    private static final int MOST_CHARACTERS = 200_000;

    /** The characters that join a condition to others. */
    private static final int JOINT = " AND ()".length();

    private final Dialect dialect;
    private final CollectionTables tables;
    private final Map<List<String>, Integer> indexes;

    /**
     * @param indexes the number of the index on each path that has one
     */
    public FilterSql(Dialect dialect, CollectionTables tables, Map<List<String>, Integer> indexes) {
        this.dialect = dialect;
        this.tables = tables;
        this.indexes = indexes;
    }

    /** Translates a filter; one whose SQL no database would take becomes a condition that finds every document. */
    public SqlCondition translate(StoreFilter filter) {
        SqlCondition condition = condition(filter);
        return condition.sql().length() > MOST_CHARACTERS ? SqlCondition.UNKNOWN : condition;
    }

    private SqlCondition condition(StoreFilter filter) {
        return switch (filter) {
            case StoreFilter.Everything _ -> SqlCondition.ALL;
            case StoreFilter.Nothing _ -> SqlCondition.NONE;
            case StoreFilter.And and ->
                    SqlCondition.all(
                            fitting(and.all().stream().map(this::condition).distinct().toList()));
            case StoreFilter.Or or ->
                    SqlCondition.any(or.any().stream().map(this::condition).toList());
            case StoreFilter.Not not -> condition(not.condition()).negated();
            case StoreFilter.Exists exists ->
                    possible(exists.path()) ? dialect.exists(exists.path()) : SqlCondition.NONE;
            case StoreFilter.Equal equal ->
                    text(equal.path(), equal.text(), dialect::equal, dialect::equalByIndex);
            case StoreFilter.StartsWith starts ->
                    text(
                            starts.path(),
                            starts.prefix(),
                            dialect::startsWith,
                            dialect::startsWithByIndex);
            case StoreFilter.Contains contains ->
                    text(
                            contains.path(),
                            contains.part(),
                            dialect::contains,
                            (_, _, condition) -> condition);
        };
    }

    /**
     * Returns parts of which all must hold, where they are too long together without the longest of those that no index
     * serves.
     */
    private static List<SqlCondition> fitting(List<SqlCondition> parts) {
        List<SqlCondition> fitting = new ArrayList<>(parts);
        long characters = 0;
        for (SqlCondition part : parts) {
            characters += part.sql().length() + JOINT;
        }
        List<Integer> longestFirst =
                IntStream.range(0, parts.size())
                        .filter(i -> parts.get(i).indexes().isEmpty())
                        .boxed()
                        .sorted(Comparator.comparingInt(i -> -parts.get(i).sql().length()))
                        .toList();
        for (int i : longestFirst) {
            if (characters <= MOST_CHARACTERS) {
                break;
            }
            if (!parts.get(i).equals(SqlCondition.NONE)) {
                characters -= parts.get(i).sql().length() + JOINT;
                fitting.set(i, SqlCondition.UNKNOWN);
            }
        }
        return fitting;
    }

    private SqlCondition text(
            List<String> path,
            String text,
            BiFunction<List<String>, String, SqlCondition> scan,
            ByIndex byIndex) {
        if (!possible(path) || !StoreFilter.isStorable(text)) {
            return SqlCondition.NONE;
        }
        SqlCondition condition = scan.apply(path, text);
        Integer number = indexes.get(path);
        return number == null
                ? condition
                : byIndex.apply(new TextIndex(tables, number, path), text, condition);
    }

    /** A condition on a text at a path that has an index. */
    private interface ByIndex {
        SqlCondition apply(TextIndex index, String text, SqlCondition scan);
    }

    /** Returns whether a document that is held as one value can have a path. */
    private boolean possible(List<String> path) {
        return path.size() <= dialect.depthLimit()
                && path.stream().allMatch(StoreFilter::isStorable);
    }
}
