package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.StoreFilter;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** The translation of a filter to the SQL of one dialect, with the indexes that are declared. */
public final class FilterSql {
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

    public SqlCondition translate(StoreFilter filter) {
        return switch (filter) {
            case StoreFilter.Everything _ -> SqlCondition.ALL;
            case StoreFilter.Nothing _ -> SqlCondition.NONE;
            case StoreFilter.And and ->
                    SqlCondition.all(and.all().stream().map(this::translate).toList());
            case StoreFilter.Or or ->
                    SqlCondition.any(or.any().stream().map(this::translate).toList());
            case StoreFilter.Not not -> translate(not.condition()).negated();
            case StoreFilter.Exists exists ->
                    storable(exists.path()) ? dialect.exists(exists.path()) : SqlCondition.NONE;
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

    private SqlCondition text(
            List<String> path,
            String text,
            BiFunction<List<String>, String, SqlCondition> scan,
            ByIndex byIndex) {
        if (!storable(path) || !StoreFilter.isStorable(text)) {
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

    private static boolean storable(List<String> path) {
        return path.stream().allMatch(StoreFilter::isStorable);
    }
}
