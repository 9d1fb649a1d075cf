package dev.penstock.bench.films;

/** What is asked of the film store: article 4's two streams and its count first, then ten more. */
enum FilmQuery {
    COUNT_LONG("films longer than 60 minutes, counted (article 4)"),
    COUNT_RATING("filter and count (article 4)"),
    COMPLEX("sort, skip 745, limit 5, statistics (article 4)"),
    BY_KEY("one film by its key"),
    TITLES("ten titles with a prefix, sorted"),
    ANY_OUT("is any rental still out?"),
    SUM_DAYS("sum of a column under a condition"),
    DISTINCT_RATES("distinct values of a column, sorted"),
    LONGEST("the largest value of a column"),
    GROUPS("films of each rating, counted"),
    OR_FILMS("titles under and and or"),
    COUNT_IN("films in three languages, counted"),
    PAGE("a page of 20 of the films by title");

    private final String words;

    FilmQuery(String words) {
        this.words = words;
    }

    /** What it is, for people. */
    String words() {
        return words;
    }
}
