package dev.penstock.films.page;

import static dev.penstock.query.typed.aggregate.Aggregates.count;
import static dev.penstock.query.typed.aggregate.Aggregates.groupingBy;

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import dev.penstock.films.Rental;
import dev.penstock.query.Engine;
import dev.penstock.query.typed.TypedTable;
import java.util.List;

/** The streams of the page. */
final class Showings {
    private Showings() {}

    static List<Showing<?>> of(Engine engine) {
        TypedTable<Film> films = TypedTable.of(engine, Film.TABLE);
        TypedTable<Rental> rentals = TypedTable.of(engine, Rental.TABLE);
        return List.of(
                new Showing<>(
                        "The first films",
                        "Rows become records. A limit takes the key for its order, so that the answer is the same"
                                + " every time.",
                        """
                        films.stream()
                            .limit(3)
                            .toList()\
                        """,
                        films,
                        stream -> stream.limit(3).toList()),
                new Showing<>(
                        "Filter and count",
                        "A filter and a count. Not one film leaves the database: it sends a number.",
                        """
                        films.stream()
                            .filter(Film.RATING.equal(Rating.PG13))
                            .count()\
                        """,
                        films,
                        stream -> stream.filter(Film.RATING.equal(Rating.PG13)).count()),
                new Showing<>(
                        "Sort, skip, limit, compute",
                        "A page of a sorted column. Of thirteen columns it reads one, and of a thousand films"
                                + " none but five.",
                        """
                        films.stream()
                            .sorted(Film.LENGTH.reversed())
                            .skip(745)
                            .limit(5)
                            .mapToInt(Film.RENTAL_DURATION.asInt())
                            .summaryStatistics()\
                        """,
                        films,
                        stream ->
                                stream.sorted(Film.LENGTH.reversed())
                                        .skip(745)
                                        .limit(5)
                                        .mapToInt(Film.RENTAL_DURATION.asInt())
                                        .summaryStatistics()),
                new Showing<>(
                        "And, or, not",
                        "Conditions of any depth become one; wildcards in a text are only characters.",
                        """
                        films.stream()
                            .filter(Film.LENGTH.greaterThan(180)
                                .and(Film.TITLE.startsWith("S")
                                    .or(Film.RATING.notEqual(Rating.R))))
                            .sorted(Film.TITLE)
                            .map(Film.TITLE)
                            .limit(5)
                            .toList()\
                        """,
                        films,
                        stream ->
                                stream.filter(
                                                Film.LENGTH
                                                        .greaterThan(180)
                                                        .and(
                                                                Film.TITLE
                                                                        .startsWith("S")
                                                                        .or(
                                                                                Film.RATING
                                                                                        .notEqual(
                                                                                                Rating
                                                                                                        .R))))
                                        .sorted(Film.TITLE)
                                        .map(Film.TITLE)
                                        .limit(5)
                                        .toList()),
                new Showing<>(
                        "Distinct values",
                        "A field that is mapped to is all that is read, and the database tells the values apart.",
                        """
                        films.stream()
                            .map(Film.RENTAL_RATE)
                            .distinct()
                            .toList()\
                        """,
                        films,
                        stream -> stream.map(Film.RENTAL_RATE).distinct().toList()),
                new Showing<>(
                        "Group and count",
                        "A collector that carries its plan: the groups are made in the database.",
                        """
                        films.stream()
                            .collect(groupingBy(Film.RATING, count()))\
                        """,
                        films,
                        stream -> stream.collect(groupingBy(Film.RATING, count()))),
                new Showing<>(
                        "Is there any?",
                        "It ends at the first row that is found.",
                        """
                        rentals.stream()
                            .filter(Rental.RETURN_DATE.isNull())
                            .anyMatch(Rental.CUSTOMER_ID.equal(1))\
                        """,
                        rentals,
                        stream ->
                                stream.filter(Rental.RETURN_DATE.isNull())
                                        .anyMatch(Rental.CUSTOMER_ID.equal(1))),
                new Showing<>(
                        "Where a lambda begins",
                        "What is before it is SQL, and the JDK’s own streams do the rest, row by row.",
                        """
                        films.stream()
                            .filter(Film.LENGTH.lessThan(50))
                            .filter(film -> film.title().length() < 13)
                            .map(Film::title)
                            .toList()\
                        """,
                        films,
                        stream ->
                                stream.filter(Film.LENGTH.lessThan(50))
                                        .filter(film -> film.title().length() < 13)
                                        .map(Film::title)
                                        .toList()));
    }
}
