package dev.penstock.bench.films;

import java.util.List;

/** A question to film stores. */
enum FilmQuestion {
    FILTER_AND_COUNT("filter and count"),
    COMPLEX("sort, skip 745, limit 5, statistics"),
    PREFIX("titles with a prefix, counted"),
    RANGE("a range of minutes, counted"),
    CONJUNCTION("two conditions, counted"),
    TOP("the longest 50 of a rating"),
    GROUPS("count and average of each rating"),
    DISTINCT("distinct values of a column, sorted"),
    EXTREMES("least and most minutes"),
    KEY("one film by its key"),
    LAMBDA("two conditions, then a lambda"),
    SCAN("a sum under a condition without index"),
    KEYS("three films by their keys"),
    DAYS_OF_PREFIX("days of titles with a prefix, summed"),
    DAYS_OF_LENGTH("days of the longest films, summed"),
    DAYS_OF_EITHER("days of either, summed"),
    MIDDLE("ten films in the middle, by title"),
    WORD("descriptions with a word, counted"),
    PATTERN("descriptions that match a pattern, counted"),
    COUNT_LONG("films longer than 60 minutes, counted"),
    TITLES("ten titles with a prefix, sorted"),
    ANY_OUT("is any rental still out?"),
    SUM_DAYS("sum of a column under a condition"),
    LONGEST("the largest value of a column"),
    RATINGS("films of each rating, counted"),
    OR_FILMS("titles under and and or"),
    COUNT_IN("films in three languages, counted"),
    PAGE("a page of 20 of the films by title");

    /** Those that are asked of films in memory. */
    static final List<FilmQuestion> IN_MEMORY = List.of(values()).subList(0, 19);

    /** Those that are asked of databases. */
    static final List<FilmQuestion> IN_DATABASES =
            List.of(
                    COUNT_LONG,
                    FILTER_AND_COUNT,
                    COMPLEX,
                    KEY,
                    TITLES,
                    ANY_OUT,
                    SUM_DAYS,
                    DISTINCT,
                    LONGEST,
                    RATINGS,
                    OR_FILMS,
                    COUNT_IN,
                    PAGE);

    /** The two that are also asked of few films, and again and again with drawn values. */
    static final List<FilmQuestion> BASIC = List.of(FILTER_AND_COUNT, COMPLEX);

    private final String words;

    FilmQuestion(String words) {
        this.words = words;
    }

    /** Returns what it is, for people. */
    @Override
    public String toString() {
        return words;
    }
}
