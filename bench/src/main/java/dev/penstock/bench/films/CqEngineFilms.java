package dev.penstock.bench.films;

import static com.googlecode.cqengine.query.QueryFactory.all;
import static com.googlecode.cqengine.query.QueryFactory.applyThresholds;
import static com.googlecode.cqengine.query.QueryFactory.ascending;
import static com.googlecode.cqengine.query.QueryFactory.between;
import static com.googlecode.cqengine.query.QueryFactory.contains;
import static com.googlecode.cqengine.query.QueryFactory.deduplicate;
import static com.googlecode.cqengine.query.QueryFactory.descending;
import static com.googlecode.cqengine.query.QueryFactory.equal;
import static com.googlecode.cqengine.query.QueryFactory.in;
import static com.googlecode.cqengine.query.QueryFactory.lessThan;
import static com.googlecode.cqengine.query.QueryFactory.matchesRegex;
import static com.googlecode.cqengine.query.QueryFactory.noQueryOptions;
import static com.googlecode.cqengine.query.QueryFactory.or;
import static com.googlecode.cqengine.query.QueryFactory.orderBy;
import static com.googlecode.cqengine.query.QueryFactory.queryOptions;
import static com.googlecode.cqengine.query.QueryFactory.startsWith;
import static com.googlecode.cqengine.query.QueryFactory.threshold;
import static dev.penstock.bench.films.Ask.any;
import static dev.penstock.bench.films.Ask.number;
import static dev.penstock.bench.films.FilmAttributes.DESCRIPTION;
import static dev.penstock.bench.films.FilmAttributes.KEY;
import static dev.penstock.bench.films.FilmAttributes.LENGTH;
import static dev.penstock.bench.films.FilmAttributes.LENGTH_THEN_KEY;
import static dev.penstock.bench.films.FilmAttributes.RATING;
import static dev.penstock.bench.films.FilmAttributes.RATING_THEN_LENGTH;
import static dev.penstock.bench.films.FilmAttributes.RELEASE_YEAR;
import static dev.penstock.bench.films.FilmAttributes.RENTAL_RATE;
import static dev.penstock.bench.films.FilmAttributes.TITLE;
import static dev.penstock.bench.films.FilmAttributes.TITLE_THEN_KEY;

import com.googlecode.cqengine.ConcurrentIndexedCollection;
import com.googlecode.cqengine.IndexedCollection;
import com.googlecode.cqengine.index.hash.HashIndex;
import com.googlecode.cqengine.index.navigable.NavigableIndex;
import com.googlecode.cqengine.index.radix.RadixTreeIndex;
import com.googlecode.cqengine.index.support.CloseableIterable;
import com.googlecode.cqengine.index.support.CloseableIterator;
import com.googlecode.cqengine.index.unique.UniqueIndex;
import com.googlecode.cqengine.query.Query;
import com.googlecode.cqengine.query.option.DeduplicationStrategy;
import com.googlecode.cqengine.query.option.EngineThresholds;
import com.googlecode.cqengine.query.option.QueryOptions;
import com.googlecode.cqengine.resultset.ResultSet;
import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The films in CQEngine on the heap, with the indexes that serve the questions best. Where two attributes matter at
 * once, an attribute is made of both, since its compound index knows equality alone.
 */
final class CqEngineFilms implements FilmAsks {
    /** Walks the index of the order, whatever part of the films is asked for. */
    private static final QueryOptions LONGEST_FIRST =
            queryOptions(
                    orderBy(descending(LENGTH_THEN_KEY)),
                    applyThresholds(threshold(EngineThresholds.INDEX_ORDERING_SELECTIVITY, 1.0)));

    /** Walks the index of the order. */
    private static final QueryOptions BY_TITLE =
            queryOptions(
                    orderBy(ascending(TITLE_THEN_KEY)),
                    applyThresholds(threshold(EngineThresholds.INDEX_ORDERING_SELECTIVITY, 1.0)));

    /** Gives a film that passes two of several conditions once. */
    private static final QueryOptions EACH_ONCE =
            queryOptions(deduplicate(DeduplicationStrategy.LOGICAL_ELIMINATION));

    private static final Pattern WHOLE = Pattern.compile(".*" + FilmAsks.PATTERN + ".*");

    private static final int ANY_MINUTES = 0xffff;

    private final IndexedCollection<Film> films = new ConcurrentIndexedCollection<>();
    private final NavigableIndex<Integer, Film> lengths = NavigableIndex.onAttribute(LENGTH);
    private final NavigableIndex<BigDecimal, Film> rates = NavigableIndex.onAttribute(RENTAL_RATE);
    private final int key;

    CqEngineFilms(Stream<Film> source) {
        source.forEach(films::add);
        films.addIndex(UniqueIndex.onAttribute(KEY));
        films.addIndex(HashIndex.onAttribute(RATING));
        films.addIndex(RadixTreeIndex.onAttribute(TITLE));
        films.addIndex(NavigableIndex.onAttribute(LENGTH_THEN_KEY));
        films.addIndex(NavigableIndex.onAttribute(TITLE_THEN_KEY));
        films.addIndex(NavigableIndex.onAttribute(RATING_THEN_LENGTH));
        films.addIndex(lengths);
        films.addIndex(rates);
        key = films.size() / 2;
    }

    @Override
    public Ask ask(FilmQuestion question) {
        return switch (question) {
            case FILTER_AND_COUNT -> number(() -> count(Rating.PG13));
            case COMPLEX -> any(() -> complex(SKIPPED));
            case PREFIX -> number(() -> size(startsWith(TITLE, PREFIX_OF_TITLE)));
            case RANGE -> number(() -> size(between(LENGTH, SHORT, true, LONG, false)));
            case CONJUNCTION -> number(() -> size(longer(Rating.PG13, VERY_LONG)));
            case TOP -> any(this::longestTitles);
            case GROUPS -> any(this::groups);
            case DISTINCT -> any(this::distinctRates);
            case EXTREMES ->
                    any(() ->
                            new Extremes(
                                    first(lengths.getDistinctKeys(noQueryOptions())),
                                    first(lengths.getDistinctKeysDescending(noQueryOptions()))));
            case KEY -> any(this::titleOfKey);
            case LAMBDA -> number(this::longFilmsOfRole);
            case SCAN -> number(this::minutesOfOldFilms);
            case KEYS -> any(this::titlesOfKeys);
            case DAYS_OF_PREFIX -> number(() -> days(startsWith(TITLE, PREFIX_OF_TITLE)));
            case DAYS_OF_LENGTH -> number(() -> days(equal(LENGTH, MOST_MINUTES)));
            case DAYS_OF_EITHER ->
                    number(() ->
                            days(
                                    or(
                                            startsWith(TITLE, PREFIX_OF_TITLE),
                                            equal(LENGTH, MOST_MINUTES))));
            case MIDDLE -> any(this::middleByTitle);
            case WORD -> number(() -> size(contains(DESCRIPTION, ROLE)));
            case PATTERN -> number(() -> size(matchesRegex(DESCRIPTION, WHOLE)));
            default -> throw FilmAsks.notAsked(question);
        };
    }

    private long size(Query<Film> query) {
        try (ResultSet<Film> found = films.retrieve(query)) {
            return found.size();
        }
    }

    /** Films of a rating that are longer than so many minutes. */
    private static Query<Film> longer(Rating rating, int minutes) {
        return between(
                RATING_THEN_LENGTH,
                FilmAttributes.ratingThenLength(rating, minutes + 1),
                FilmAttributes.ratingThenLength(rating, ANY_MINUTES));
    }

    private List<String> longestTitles() {
        try (ResultSet<Film> found = films.retrieve(equal(RATING, Rating.R), LONGEST_FIRST)) {
            List<String> titles = new ArrayList<>();
            for (Film film : found) {
                titles.add(film.title());
                if (titles.size() == TOP_FILMS) {
                    break;
                }
            }
            return titles;
        }
    }

    /** It has no such thing, so the JDK's stream over its films does it. */
    private Map<Rating, Group> groups() {
        return films.stream()
                .collect(
                        Collectors.groupingBy(
                                film -> RATING.getValue(film, noQueryOptions()),
                                Collectors.teeing(
                                        Collectors.counting(),
                                        Collectors.averagingInt(FilmAsks::minutes),
                                        Group::new)));
    }

    private List<BigDecimal> distinctRates() {
        List<BigDecimal> distinct = new ArrayList<>();
        try (CloseableIterator<BigDecimal> keys =
                rates.getDistinctKeys(noQueryOptions()).iterator()) {
            keys.forEachRemaining(distinct::add);
        }
        return distinct;
    }

    private static int first(CloseableIterable<Integer> keys) {
        try (CloseableIterator<Integer> key = keys.iterator()) {
            return key.next();
        }
    }

    private String titleOfKey() {
        try (ResultSet<Film> found = films.retrieve(equal(KEY, key))) {
            return found.uniqueResult().title();
        }
    }

    private List<String> titlesOfKeys() {
        try (ResultSet<Film> found =
                films.retrieve(
                        in(KEY, key / 4, key / 2, key), queryOptions(orderBy(ascending(KEY))))) {
            return found.stream().map(Film::title).toList();
        }
    }

    private long days(Query<Film> query) {
        try (ResultSet<Film> found = films.retrieve(query, EACH_ONCE)) {
            return found.stream().mapToInt(Film::rentalDuration).sum();
        }
    }

    private List<Integer> middleByTitle() {
        try (ResultSet<Film> found = films.retrieve(all(Film.class), BY_TITLE)) {
            return found.stream().skip(key).limit(MIDDLE_FILMS).map(Film::filmId).toList();
        }
    }

    private long longFilmsOfRole() {
        try (ResultSet<Film> found = films.retrieve(longer(Rating.NC17, EXTREMELY_LONG))) {
            return found.stream().filter(FilmAsks::isOfRole).count();
        }
    }

    private long minutesOfOldFilms() {
        try (ResultSet<Film> found = films.retrieve(lessThan(RELEASE_YEAR, YEAR))) {
            return found.stream().mapToInt(FilmAsks::minutes).sum();
        }
    }

    @Override
    public long count(Rating rating) {
        return size(equal(RATING, rating));
    }

    @Override
    public IntSummaryStatistics complex(int skipped) {
        IntSummaryStatistics statistics = new IntSummaryStatistics();
        try (ResultSet<Film> found = films.retrieve(all(Film.class), LONGEST_FIRST)) {
            int place = 0;
            for (Film film : found) {
                if (place++ < skipped) {
                    continue;
                }
                statistics.accept(film.rentalDuration());
                if (statistics.getCount() == LIMIT) {
                    break;
                }
            }
        }
        return statistics;
    }
}
