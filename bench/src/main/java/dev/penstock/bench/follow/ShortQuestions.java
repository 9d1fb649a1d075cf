package dev.penstock.bench.follow;

import static dev.penstock.query.typed.aggregate.Aggregates.average;
import static dev.penstock.query.typed.aggregate.Aggregates.groupingBy;

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import dev.penstock.query.typed.TypedTable;
import java.util.List;
import java.util.Random;

/** Questions to films in memory, each of which takes microseconds. For one thread. */
final class ShortQuestions {
    /** The films of a list. */
    private static final int LISTED = 20;

    private static final List<Rating> RATINGS = List.of(Rating.values());

    private final TypedTable<Film> films;
    private final int most;
    private final Random random;

    /**
     * @param films how many there are
     * @param seed of what is asked for
     */
    ShortQuestions(TypedTable<Film> table, long films, long seed) {
        this.films = table;
        most = (int) films;
        random = new Random(seed);
    }

    /** Asks each of them once. Returns a sum over the answers, so that they have to be had. */
    long askAll() {
        int key = 1 + random.nextInt(most);
        int minutes = 60 + random.nextInt(60);
        Rating rating = RATINGS.get(random.nextInt(RATINGS.size()));
        long sum = films.find(Film.FILM_ID.equal(key)).orElseThrow().title().length();
        sum += films.stream().filter(Film.RATING.equal(rating)).count();
        sum += films.stream().filter(Film.LENGTH.between(minutes, minutes + 20)).count();
        sum += films.stream().filter(Film.FILM_ID.in(key, 1, most)).count();
        sum +=
                films.stream()
                        .filter(Film.RATING.equal(rating))
                        .filter(Film.LENGTH.greaterThan(minutes))
                        .count();
        sum +=
                films.stream()
                        .filter(Film.RATING.equal(rating))
                        .sorted(Film.LENGTH.reversed())
                        .limit(LISTED)
                        .map(Film.FILM_ID)
                        .toList()
                        .size();
        sum +=
                films.stream()
                        .filter(Film.FILM_ID.greaterThan(key))
                        .sorted(Film.FILM_ID)
                        .limit(LISTED)
                        .map(Film.TITLE)
                        .toList()
                        .size();
        sum += films.stream().collect(groupingBy(Film.RATING, average(Film.LENGTH))).size();
        return sum;
    }
}
