package dev.penstock.films.store;

import java.sql.SQLException;
import java.util.List;

/** Films, who plays in them, and what they are sorted by. */
final class FilmTables {
    /** The titles of the first films, in the order of their keys, as the Sakila sample has them. */
    static final List<FirstFilm> FIRST =
            List.of(
                    new FirstFilm("ACADEMY DINOSAUR", 86),
                    new FirstFilm("ACE GOLDFINGER", 48),
                    new FirstFilm("ADAPTATION HOLES", 50));

    /** What counts as long, in minutes. */
    private static final int LONG = 60;

    private static final int LONGEST = 185;
    private static final int SHORTEST = 46;

    /** How many of 1,000 films have which rating; the order is that of the enum type. */
    private static final String[] RATINGS = {"G", "PG", "PG-13", "R", "NC-17"};

    private static final int[] PER_THOUSAND = {178, 194, 223, 195, 210};
    private static final String[] FEATURES = {
        "Trailers", "Commentaries", "Deleted Scenes", "Behind the Scenes"
    };
    private static final int[] RATES = {99, 299, 499};

    private static final String[] TITLE_FIRST = Words.list("title-first");
    private static final String[] TITLE_SECOND = Words.list("title-second");
    private static final String[] TONES = Words.list("tone");
    private static final String[] KINDS = Words.list("kind");
    private static final String[] ROLES = Words.list("role");
    private static final String[] DEEDS = Words.list("deed");
    private static final String[] PLACES = Words.list("place");
    private static final String[] GIVEN = Words.list("given-name");
    private static final String[] FAMILY = Words.list("family-name");
    private static final String[] LANGUAGES = Words.list("language");
    private static final String[] CATEGORIES = Words.list("category");

    private final Counts counts;
    private final Dice film;
    private final Dice actor;
    private final Dice category;
    private final Dice cast;

    FilmTables(Counts counts, long seed) {
        this.counts = counts;
        film = Dice.of(seed, "film");
        actor = Dice.of(seed, "actor");
        category = Dice.of(seed, "film_category");
        cast = Dice.of(seed, "film_actor");
    }

    /** A film that is known by name. */
    record FirstFilm(String title, int length) {}

    List<StoreTable> tables() {
        return List.of(
                named("language", LANGUAGES),
                named("category", CATEGORIES),
                StoreTable.of(
                        "film",
                        "film_id, title, description, release_year, language_id, original_language_id,"
                                + " rental_duration, rental_rate, length, replacement_cost, rating,"
                                + " special_features, last_update",
                        counts.films(),
                        this::film),
                StoreTable.of(
                        "film_text", "film_id, title, description", counts.films(), this::text),
                StoreTable.of(
                        "film_category",
                        "film_id, category_id, last_update",
                        counts.films(),
                        this::category),
                StoreTable.of(
                        "actor",
                        "actor_id, first_name, last_name, last_update",
                        counts.actors(),
                        this::actor),
                new StoreTable(
                        "film_actor",
                        List.of("actor_id", "film_id", "last_update"),
                        counts.actors(),
                        castRows(),
                        this::cast));
    }

    private static StoreTable named(String table, String[] names) {
        return StoreTable.of(
                table,
                table + "_id, name, last_update",
                names.length,
                (id, out) -> {
                    out.number(id);
                    out.text(names[(int) id - 1]);
                    out.time(StoreTable.LAST_UPDATE);
                    out.end();
                });
    }

    private void film(long id, RowSink out) throws SQLException {
        out.number(id);
        out.text(title(id));
        out.text(description(id));
        out.number(1975 + film.below(51, id, 0));
        language(id, out);
        out.number(days(id));
        out.hundredths(rate(id));
        out.number(length(id));
        out.hundredths(999 + 100L * film.below(21, id, 1));
        out.text(rating(id));
        out.text(features(1 + film.below(15, id, 2)));
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }

    /** Most are in the first language; some of those were made in another one. */
    private void language(long id, RowSink out) throws SQLException {
        int other = 2 + film.below(LANGUAGES.length - 1, id, 3);
        switch (film.below(10, id, 4)) {
            case 0 -> {
                out.number(other);
                out.nothing();
            }
            case 1 -> {
                out.number(1);
                out.number(other);
            }
            default -> {
                out.number(1);
                out.nothing();
            }
        }
    }

    /** For how many days it is rented out. */
    int days(long id) {
        return 3 + film.below(5, id, 5);
    }

    /** What that costs, in cents. */
    int rate(long id) {
        return RATES[film.below(RATES.length, id, 6)];
    }

    private static String features(int chosen) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < FEATURES.length; i++) {
            if ((chosen >> i & 1) == 1) {
                text.append(text.isEmpty() ? "" : ",").append(FEATURES[i]);
            }
        }
        return text.toString();
    }

    /** Exactly as many are long as the counts say, the first film among them. */
    private int length(long id) {
        int first = FIRST.size();
        if (id <= first) {
            return FIRST.get((int) id - 1).length();
        }
        boolean isLong =
                film.place(id - 1 - first, counts.films() - first, 7) < counts.longFilms() - 1;
        return isLong
                ? LONG + 1 + film.below(LONGEST - LONG, id, 8)
                : SHORTEST + film.below(LONG - SHORTEST + 1, id, 8);
    }

    /** Exactly as many have each rating as its part of the films, rounded. */
    private String rating(long id) {
        long place = film.place(id - 1, counts.films(), 9);
        int perThousand = 0;
        for (int i = 0; i < RATINGS.length; i++) {
            perThousand += PER_THOUSAND[i];
            if (place < Math.round(perThousand * counts.films() / 1000.0)) {
                return RATINGS[i];
            }
        }
        throw new IllegalStateException("the ratings' parts are not 1000");
    }

    /** In the order of the keys; after all pairs of words have been used, numbered. */
    private String title(long id) {
        int first = FIRST.size();
        if (id <= first) {
            return FIRST.get((int) id - 1).title();
        }
        long pairs = (long) TITLE_FIRST.length * TITLE_SECOND.length;
        long parts = Math.ceilDiv(counts.films(), pairs);
        long slot = film.slot(id - 1 - first, counts.films() - first, pairs * parts, 10);
        int pair = (int) (slot / parts);
        String title =
                TITLE_FIRST[pair / TITLE_SECOND.length]
                        + " "
                        + TITLE_SECOND[pair % TITLE_SECOND.length];
        return slot % parts == 0 ? title : title + " " + (slot % parts + 1);
    }

    private String description(long id) {
        return Words.withArticle("A", film.pick(TONES, id, 11))
                + " "
                + film.pick(KINDS, id, 12)
                + " about "
                + Words.withArticle("a", film.pick(ROLES, id, 13))
                + " and "
                + Words.withArticle("a", film.pick(ROLES, id, 14))
                + " who "
                + film.pick(DEEDS, id, 15)
                + " "
                + Words.withArticle("a", film.pick(ROLES, id, 16))
                + " "
                + film.pick(PLACES, id, 17);
    }

    private void text(long id, RowSink out) throws SQLException {
        out.number(id);
        out.text(title(id));
        out.text(description(id));
        out.end();
    }

    private void category(long id, RowSink out) throws SQLException {
        out.number(id);
        out.number(1 + category.below(CATEGORIES.length, id, 0));
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }

    private void actor(long id, RowSink out) throws SQLException {
        out.number(id);
        out.text(actor.pick(GIVEN, id, 0));
        out.text(actor.pick(FAMILY, id, 1));
        out.time(StoreTable.LAST_UPDATE);
        out.end();
    }

    /** How many films an actor plays in: 14 to 40. */
    private long roles(long actorId) {
        return Math.min(14 + cast.below(27, actorId, 0), counts.films());
    }

    private long castRows() {
        long rows = 0;
        for (long id = 1; id <= counts.actors(); id++) {
            rows += roles(id);
        }
        return rows;
    }

    private void cast(long actorId, RowSink out) throws SQLException {
        long roles = roles(actorId);
        Dice films = new Dice(cast.seed() + actorId);
        for (long role = 0; role < roles; role++) {
            out.number(actorId);
            out.number(1 + films.slot(role, roles, counts.films(), 1));
            out.time(StoreTable.LAST_UPDATE);
            out.end();
        }
    }
}
