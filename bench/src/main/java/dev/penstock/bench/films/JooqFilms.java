package dev.penstock.bench.films;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** The questions by jOOQ, whose fields are named by hand. */
final class JooqFilms {
    private static final int FETCH_ROWS = 1000;

    private static final Table<Record> FILM = table(DSL.name("film"));
    private static final Table<Record> RENTAL = table(DSL.name("rental"));
    private static final List<Field<?>> COLUMNS = new ArrayList<>();
    private static final Field<Integer> FILM_ID = column("film_id", Integer.class);
    private static final Field<String> TITLE = column("title", String.class);
    private static final Field<String> DESCRIPTION = column("description", String.class);
    private static final Field<Integer> RELEASE_YEAR = column("release_year", Integer.class);
    private static final Field<Integer> LANGUAGE_ID = column("language_id", Integer.class);
    private static final Field<Integer> ORIGINAL_LANGUAGE_ID =
            column("original_language_id", Integer.class);
    private static final Field<Integer> RENTAL_DURATION = column("rental_duration", Integer.class);
    private static final Field<BigDecimal> RENTAL_RATE = column("rental_rate", BigDecimal.class);
    private static final Field<Integer> LENGTH = column("length", Integer.class);
    private static final Field<BigDecimal> REPLACEMENT_COST =
            column("replacement_cost", BigDecimal.class);
    private static final Field<String> RATING = column("rating", String.class);
    private static final Field<String> SPECIAL_FEATURES = column("special_features", String.class);
    private static final Field<LocalDateTime> LAST_UPDATE =
            column("last_update", LocalDateTime.class);
    private static final Field<LocalDateTime> RETURN_DATE =
            field(DSL.name("return_date"), LocalDateTime.class);

    private final DSLContext dsl;
    private final String rating;

    /** Those of a pool of connections, with how a bound rating is written. */
    JooqFilms(DataSource pool, SQLDialect dialect, String rating) {
        // Else it prints a page of itself.
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        dsl = DSL.using(pool, dialect, new Settings().withExecuteLogging(false));
        this.rating = "rating = " + rating;
    }

    private static <T> Field<T> column(String name, Class<T> type) {
        Field<T> column = field(DSL.name(name), type);
        COLUMNS.add(column);
        return column;
    }

    /** Returns the answer to a question, which is put together each time. */
    Object answer(FilmQuestion question) {
        return switch (question) {
            case COUNT_LONG -> count(LENGTH.gt(60));
            case FILTER_AND_COUNT -> count(condition(rating, "PG-13"));
            case COMPLEX -> complex();
            case KEY ->
                    dsl.select(COLUMNS)
                            .from(FILM)
                            .where(FILM_ID.eq(500))
                            .fetchSingle(JooqFilms::film)
                            .title();
            case TITLES ->
                    dsl.select(TITLE)
                            .from(FILM)
                            .where(TITLE.startsWith("S"))
                            .orderBy(TITLE)
                            .limit(10)
                            .fetch(TITLE);
            case ANY_OUT ->
                    dsl.select(field(exists(selectOne().from(RENTAL).where(RETURN_DATE.isNull()))))
                            .fetchSingle()
                            .value1();
            case SUM_DAYS ->
                    dsl.select(sum(RENTAL_DURATION))
                            .from(FILM)
                            .where(condition(rating, "PG-13"))
                            .fetchSingle()
                            .value1()
                            .longValueExact();
            case DISTINCT ->
                    dsl.selectDistinct(RENTAL_RATE)
                            .from(FILM)
                            .orderBy(RENTAL_RATE)
                            .fetch(RENTAL_RATE);
            case LONGEST -> dsl.select(max(LENGTH)).from(FILM).fetchSingle().value1();
            case RATINGS -> ratings();
            case OR_FILMS ->
                    dsl.select(TITLE)
                            .from(FILM)
                            .where(
                                    LENGTH.gt(180)
                                            .or(condition(rating, "R").and(RENTAL_DURATION.lt(4))))
                            .orderBy(FILM_ID)
                            .fetch(TITLE);
            case COUNT_IN -> count(LANGUAGE_ID.in(2, 3, 4));
            case PAGE ->
                    dsl.select(FILM_ID)
                            .from(FILM)
                            .orderBy(TITLE, FILM_ID)
                            .limit(20)
                            .offset(500)
                            .fetch(FILM_ID);
            default -> throw FilmAsks.notAsked(question);
        };
    }

    private long count(Condition condition) {
        return dsl.selectCount().from(FILM).where(condition).fetchSingle().value1().longValue();
    }

    private IntSummaryStatistics complex() {
        IntSummaryStatistics statistics = new IntSummaryStatistics();
        dsl.select(RENTAL_DURATION)
                .from(FILM)
                .orderBy(LENGTH.desc(), FILM_ID)
                .limit(5)
                .offset(745)
                .fetch(RENTAL_DURATION)
                .forEach(statistics::accept);
        return statistics;
    }

    private Map<String, Long> ratings() {
        Map<String, Long> ratings = new TreeMap<>();
        dsl.select(RATING, DSL.count())
                .from(FILM)
                .groupBy(RATING)
                .forEach(row -> ratings.put(row.value1(), row.value2().longValue()));
        return ratings;
    }

    /** Reads every film into an object of all its columns. Returns the sum of their minutes. */
    long readAll() {
        return dsl.transactionResult(within -> {
            try (Stream<Film> films =
                    within
                            .dsl()
                            .select(COLUMNS)
                            .from(FILM)
                            .fetchSize(FETCH_ROWS)
                            .fetchLazy()
                            .stream()
                            .map(JooqFilms::film)) {
                return films.mapToLong(FilmAsks::minutes).sum();
            }
        });
    }

    private static Film film(Record row) {
        String rating = row.get(RATING);
        return new Film(
                row.get(FILM_ID),
                row.get(TITLE),
                row.get(DESCRIPTION),
                row.get(RELEASE_YEAR),
                row.get(LANGUAGE_ID),
                row.get(ORIGINAL_LANGUAGE_ID),
                row.get(RENTAL_DURATION),
                row.get(RENTAL_RATE),
                row.get(LENGTH),
                row.get(REPLACEMENT_COST),
                rating == null ? null : Rating.of(rating),
                row.get(SPECIAL_FEATURES),
                row.get(LAST_UPDATE));
    }
}
