package dev.penstock.bench.films;

/** What is asked of those that keep films in memory, and of databases: article 4's two streams first, then ten more. */
public enum FilmQuestion {
    FILTER_AND_COUNT("filter and count (article 4)"),
    COMPLEX("sort, skip 745, limit 5, statistics (article 4)"),
    PREFIX("titles with a prefix, counted"),
    RANGE("a range of minutes, counted"),
    CONJUNCTION("two conditions, counted"),
    TOP("the longest 50 of a rating"),
    GROUPS("count and average of each rating"),
    DISTINCT("distinct rates, sorted"),
    EXTREMES("least and most minutes"),
    KEY("one film by its key"),
    LAMBDA("two conditions, then a lambda"),
    SCAN("a sum under a condition without index");

    /** Of the count. */
    public static final String PREFIX_OF_TITLE = "AMBER";

    /** The range, from and to before. */
    public static final int SHORT = 100;

    public static final int LONG = 120;

    /** Of the conjunction: longer than. */
    public static final int VERY_LONG = 150;

    /** Of the lambda's films: longer than. */
    static final int LONGEST = 180;

    /** What the lambda looks for in descriptions. */
    static final String ROLE = "Judge";

    public static final int TOP_FILMS = 50;

    /** Article 4's. */
    public static final int SKIPPED = 745;

    public static final int LIMIT = 5;

    /** The scan is of films made before. */
    public static final int YEAR = 2000;

    private final String words;

    FilmQuestion(String words) {
        this.words = words;
    }

    /** What it is, for people. */
    String words() {
        return words;
    }

    /** Whether article 4 has it. */
    boolean isOfTheArticle() {
        return this == FILTER_AND_COUNT || this == COMPLEX;
    }
}
