package dev.penstock.bench.films;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.server.DatabaseAddress;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A store of films that is asked, in a child. It is empty until {@link #load}. For one thread. */
final class FilmsChild {
    /** Compared beside the answers. */
    private static final int CHECKED_SUB_QUERIES = 20;

    private final FilmKeeper.Kind kind;
    private final DatabaseAddress source;
    private final long films;
    private final int threads;
    private final long emptyBytes = HeapWatch.liveBytes();
    private final List<FilmAsks> asks = new ArrayList<>();

    /** The questions as each thread asks them. */
    private final Map<FilmQuestion, List<Ask>> questions = new EnumMap<>(FilmQuestion.class);

    private @Nullable FilmKeeper keeper;

    FilmsChild(FilmKeeper.Kind kind, DatabaseAddress source, long films, int threads) {
        this.kind = kind;
        this.source = source;
        this.films = films;
        this.threads = threads;
    }

    private List<Ask> asked(FilmQuestion question) {
        return Objects.requireNonNull(questions.get(question), "nothing is loaded");
    }

    /** Loads the films. Returns the nanoseconds that it took. */
    long load() throws Exception {
        long start = System.nanoTime();
        FilmKeeper loaded = FilmKeeper.load(kind, source, films, threads);
        long nanos = System.nanoTime() - start;
        keeper = loaded;
        for (int i = 0; i < threads; i++) {
            FilmAsks mine = loaded.asks().make();
            asks.add(mine);
            for (FilmQuestion question : FilmQuestion.IN_MEMORY) {
                questions.computeIfAbsent(question, _ -> new ArrayList<>()).add(mine.ask(question));
            }
        }
        return nanos;
    }

    /** Loads a new version beside the old one, which goes. Returns the nanoseconds that it took. */
    long reload() {
        long start = System.nanoTime();
        Objects.requireNonNull(keeper).reload().run();
        return System.nanoTime() - start;
    }

    /** Reads every column of every film by JDBC, and keeps nothing. Returns the nanoseconds that it took. */
    long read() throws SQLException {
        long start = System.nanoTime();
        try (HikariDataSource pool = source.pool(1)) {
            SqlFilms.readAll(pool);
        }
        return System.nanoTime() - start;
    }

    /** Returns the answer as text, and after the complex question those of some sub-queries too. */
    String check(FilmQuestion question) throws Exception {
        Object answer = asked(question).getFirst().answer();
        String text = answer instanceof Map<?, ?> map ? new TreeMap<>(map).toString() : "" + answer;
        return question == FilmQuestion.COMPLEX
                ? text + " and " + AskLoop.sumOfSubQueries(asks.getFirst(), CHECKED_SUB_QUERIES)
                : text;
    }

    /** Asks by one thread for so many nanoseconds. Returns the nanoseconds of an answer. */
    double time(FilmQuestion question, long nanos) throws Exception {
        return AskLoop.run(asked(question).getFirst(), nanos).nanosEach();
    }

    /** Asks by all threads for so many nanoseconds. Returns the answers a second. */
    double rate(FilmQuestion question, long nanos) throws Exception {
        return AskLoop.perSecond(asked(question), nanos);
    }

    /** Asks so many sub-queries, or as many as there is time for. */
    AskLoop.Run subQueries(long most, long nanos) throws Exception {
        return AskLoop.subQueries(asks.getFirst(), most, nanos);
    }

    /** Returns what the films take, with all that answers need. */
    long bytes() throws Exception {
        long outside = Objects.requireNonNull(keeper).offHeapBytes().measure();
        return HeapWatch.liveBytes() - emptyBytes + outside;
    }
}
