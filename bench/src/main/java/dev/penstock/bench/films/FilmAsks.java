package dev.penstock.bench.films;

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import java.util.IntSummaryStatistics;
import java.util.Locale;

/** What one thread asks a {@link FilmKeeper} with. */
public interface FilmAsks {
    /** The question, ready to be asked. */
    Ask ask(FilmQuestion question) throws Exception;

    /** Article 4's filter and count, of any rating. */
    long count(Rating rating) throws Exception;

    /** Article 4's complex stream, from any place on. */
    IntSummaryStatistics complex(int skipped) throws Exception;

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

    /** A film's minutes; none count as 0. */
    static int minutes(Film film) {
        Integer length = film.length();
        return length == null ? 0 : length;
    }

    /** Whether its description speaks of somebody. */
    static boolean isAbout(Film film, String role) {
        String description = film.description();
        return description != null && description.contains(role);
    }
}
