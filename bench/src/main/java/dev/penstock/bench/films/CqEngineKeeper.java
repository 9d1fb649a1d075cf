package dev.penstock.bench.films;

import static com.googlecode.cqengine.query.QueryFactory.all;
import static com.googlecode.cqengine.query.QueryFactory.applyThresholds;
import static com.googlecode.cqengine.query.QueryFactory.between;
import static com.googlecode.cqengine.query.QueryFactory.descending;
import static com.googlecode.cqengine.query.QueryFactory.equal;
import static com.googlecode.cqengine.query.QueryFactory.lessThan;
import static com.googlecode.cqengine.query.QueryFactory.noQueryOptions;
import static com.googlecode.cqengine.query.QueryFactory.orderBy;
import static com.googlecode.cqengine.query.QueryFactory.queryOptions;
import static com.googlecode.cqengine.query.QueryFactory.startsWith;
import static com.googlecode.cqengine.query.QueryFactory.threshold;
import static dev.penstock.bench.films.FilmAttributes.KEY;
import static dev.penstock.bench.films.FilmAttributes.LENGTH;
import static dev.penstock.bench.films.FilmAttributes.LENGTH_THEN_KEY;
import static dev.penstock.bench.films.FilmAttributes.RATING;
import static dev.penstock.bench.films.FilmAttributes.RATING_THEN_LENGTH;
import static dev.penstock.bench.films.FilmAttributes.RELEASE_YEAR;
import static dev.penstock.bench.films.FilmAttributes.RENTAL_RATE;
import static dev.penstock.bench.films.FilmAttributes.TITLE;

import com.googlecode.cqengine.ConcurrentIndexedCollection;
import com.googlecode.cqengine.IndexedCollection;
import com.googlecode.cqengine.index.hash.HashIndex;
import com.googlecode.cqengine.index.navigable.NavigableIndex;
import com.googlecode.cqengine.index.radix.RadixTreeIndex;
import com.googlecode.cqengine.index.support.CloseableIterable;
import com.googlecode.cqengine.index.support.CloseableIterator;
import com.googlecode.cqengine.index.unique.UniqueIndex;
import com.googlecode.cqengine.query.Query;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The films in CQEngine on the heap, with the indexes that serve the questions best. Where two attributes matter at once, an
 * attribute is made of both, since its compound index knows equality alone.
 */
final class CqEngineKeeper implements FilmKeeper, FilmAsks {
    /** Walks the index of the order, whatever part of the films is asked for. */
    private static final QueryOptions LONGEST_FIRST =
            queryOptions(
                    orderBy(descending(LENGTH_THEN_KEY)),
                    applyThresholds(threshold(EngineThresholds.INDEX_ORDERING_SELECTIVITY, 1.0)));

    private static final int MOST_MINUTES = 0xffff;

    private final IndexedCollection<Film> films = new ConcurrentIndexedCollection<>();
    private final NavigableIndex<Integer, Film> lengths = NavigableIndex.onAttribute(LENGTH);
    private final NavigableIndex<BigDecimal, Film> rates = NavigableIndex.onAttribute(RENTAL_RATE);
    private final int key;

    CqEngineKeeper(Stream<Film> source) {
        source.forEach(films::add);
        films.addIndex(UniqueIndex.onAttribute(KEY));
        films.addIndex(HashIndex.onAttribute(RATING));
        films.addIndex(RadixTreeIndex.onAttribute(TITLE));
        films.addIndex(NavigableIndex.onAttribute(LENGTH_THEN_KEY));
        films.addIndex(NavigableIndex.onAttribute(RATING_THEN_LENGTH));
        films.addIndex(lengths);
        films.addIndex(rates);
        key = films.size() / 2;
    }

    @Override
    public FilmAsks asks() {
        return this;
    }

    @Override
    public Ask ask(FilmQuestion question) {
        return switch (question) {
            case FILTER_AND_COUNT -> (Ask.Count) () -> count(Rating.PG13);
            case COMPLEX -> (Ask.Whole) () -> complex(FilmQuestion.SKIPPED);
            case PREFIX -> (Ask.Count) () -> size(startsWith(TITLE, FilmQuestion.PREFIX_OF_TITLE));
            case RANGE ->
                    (Ask.Count)
                            () ->
                                    size(
                                            between(
                                                    LENGTH,
                                                    FilmQuestion.SHORT,
                                                    true,
                                                    FilmQuestion.LONG,
                                                    false));
            case CONJUNCTION -> (Ask.Count) () -> size(longer(Rating.PG13, FilmQuestion.VERY_LONG));
            case TOP -> (Ask.Whole) this::longestTitles;
            case GROUPS -> (Ask.Whole) this::groups;
            case DISTINCT -> (Ask.Whole) this::distinctRates;
            case EXTREMES ->
                    (Ask.Whole)
                            () ->
                                    new Extremes(
                                            first(lengths.getDistinctKeys(noQueryOptions())),
                                            first(
                                                    lengths.getDistinctKeysDescending(
                                                            noQueryOptions())));
            case KEY -> (Ask.Whole) this::titleOfKey;
            case LAMBDA -> (Ask.Count) this::longFilmsOfRole;
            case SCAN -> (Ask.Count) this::minutesOfOldFilms;
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
                FilmAttributes.ratingThenLength(rating, MOST_MINUTES));
    }

    private List<String> longestTitles() {
        try (ResultSet<Film> found = films.retrieve(equal(RATING, Rating.R), LONGEST_FIRST)) {
            List<String> titles = new ArrayList<>();
            for (Film film : found) {
                titles.add(film.title());
                if (titles.size() == FilmQuestion.TOP_FILMS) {
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

    private long longFilmsOfRole() {
        try (ResultSet<Film> found = films.retrieve(longer(Rating.NC17, FilmQuestion.LONGEST))) {
            return found.stream().filter(film -> FilmAsks.isAbout(film, FilmQuestion.ROLE)).count();
        }
    }

    private long minutesOfOldFilms() {
        try (ResultSet<Film> found = films.retrieve(lessThan(RELEASE_YEAR, FilmQuestion.YEAR))) {
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
                if (statistics.getCount() == FilmQuestion.LIMIT) {
                    break;
                }
            }
        }
        return statistics;
    }

    @Override
    public long offHeapBytes() {
        return 0;
    }
}
