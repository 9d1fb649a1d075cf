package dev.penstock.bench.films;

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import java.util.IntSummaryStatistics;
import java.util.Locale;

/** The questions that one thread asks a store of films. */
interface FilmAsks {
    /** Of the titles that are counted. */
    String PREFIX_OF_TITLE = "AMBER";

    /** The range of minutes, from and to before. */
    int SHORT = 100;

    int LONG = 120;

    /** Of the conjunction: longer than. */
    int VERY_LONG = 150;

    /** Of the lambda's films: longer than. */
    int EXTREMELY_LONG = 180;

    /** What the lambda looks for in descriptions. */
    String ROLE = "Judge";

    int TOP_FILMS = 50;

    /** Of the complex stream. */
    int SKIPPED = 745;

    int LIMIT = 5;

    /** The longest films have so many minutes. */
    int MOST_MINUTES = 185;

    /** The number of films that are read in the middle of an order. */
    int MIDDLE_FILMS = 10;

    /** A regular expression that is found in some descriptions. */
    String PATTERN = "(Beekeeper|Shepherd).*" + ROLE;

    /** The scan is of films made before. */
    int YEAR = 2000;

    /** Makes a question ready to be asked. */
    Ask ask(FilmQuestion question) throws Exception;

    /** Counts the films of a rating. */
    long count(Rating rating) throws Exception;

    /** Skips films in the order of their length, and sums up those that follow. */
    IntSummaryStatistics complex(int skipped) throws Exception;

    /** The refusal of a question that is not asked here. */
    static IllegalArgumentException notAsked(FilmQuestion question) {
        return new IllegalArgumentException("\"" + question + "\" is not asked of this store");
    }

    /** A rating's films, and their minutes on average. */
    record Group(long films, double minutes) {
        /** To three digits, since some databases round. */
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%d films of %.3f minutes", films, minutes);
        }
    }

    /** The least and the most of something. */
    record Extremes(int least, int most) {}

    /** Returns a film's minutes; none count as 0. */
    static int minutes(Film film) {
        Integer length = film.length();
        return length == null ? 0 : length;
    }

    /** Returns whether its description speaks of the role. */
    static boolean isOfRole(Film film) {
        String description = film.description();
        return description != null && description.contains(ROLE);
    }
}
