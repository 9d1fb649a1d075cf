package dev.penstock.documents.store;

/** A filter with a question mark in place of every text, as explanations show it. */
public final class Redaction {
    private static final String PLACEHOLDER = "?";

    private Redaction() {}

    public static StoreFilter of(StoreFilter filter) {
        return switch (filter) {
            case StoreFilter.Everything _, StoreFilter.Nothing _, StoreFilter.Exists _ -> filter;
            case StoreFilter.And and ->
                    new StoreFilter.And(and.all().stream().map(Redaction::of).toList());
            case StoreFilter.Or or ->
                    new StoreFilter.Or(or.any().stream().map(Redaction::of).toList());
            case StoreFilter.Not not -> new StoreFilter.Not(of(not.condition()));
            case StoreFilter.Equal equal -> new StoreFilter.Equal(equal.path(), PLACEHOLDER);
            case StoreFilter.StartsWith starts ->
                    new StoreFilter.StartsWith(starts.path(), PLACEHOLDER);
            case StoreFilter.Contains contains ->
                    new StoreFilter.Contains(contains.path(), PLACEHOLDER);
        };
    }
}
