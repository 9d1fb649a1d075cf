package dev.penstock.bench.films;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.films.Film;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Snapshot;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A process with films in memory that are saved to a file, or came from there. Empty until it is told to load. */
final class RestartChild {
    private static final int CONNECTIONS = 4;

    private final Database database;
    private final Path file;
    private final int key;
    private @Nullable Snapshot snapshot;

    /**
     * Connects.
     *
     * @param films how many the database has
     * @param file where they are saved
     */
    RestartChild(DatabaseAddress source, long films, Path file) {
        HikariDataSource pool = source.pool(CONNECTIONS);
        database = DatabaseAddress.engine(pool);
        this.file = file;
        key = (int) (films / 2);
    }

    /**
     * The times until there were answers, in nanoseconds from the beginning of the loading.
     *
     * @param fromFile whether the films came from the file
     * @param loaded until the films were there
     * @param counted until those of a rating were counted
     * @param found until one was found by its key after that
     */
    record Start(boolean fromFile, double loaded, double counted, double found)
            implements Serializable {}

    /** Loads the films, from the file where there is one, and asks two questions. */
    Start start() throws Exception {
        long start = System.nanoTime();
        Snapshot films =
                Snapshot.of(database)
                        .incremental(Film.TABLE, Film.LAST_UPDATE, false)
                        .index(Film.TABLE, Film.LENGTH)
                        .index(Film.TABLE, Film.RATING)
                        .file(file)
                        .load();
        snapshot = films;
        long loaded = System.nanoTime() - start;
        StreamFilms asks = new StreamFilms(films.table(Film.TABLE), key);
        Object _ = asks.ask(FilmQuestion.FILTER_AND_COUNT).answer();
        long counted = System.nanoTime() - start;
        Object _ = asks.ask(FilmQuestion.KEY).answer();
        return new Start(films.isFromFile(), loaded, counted, System.nanoTime() - start);
    }

    /** Saves the films. Returns the nanoseconds that it took. */
    long save() throws IOException {
        long start = System.nanoTime();
        Objects.requireNonNull(snapshot).save();
        return System.nanoTime() - start;
    }

    /** Brings the films up to date. Returns the nanoseconds that it took. */
    long refresh() {
        long start = System.nanoTime();
        Objects.requireNonNull(snapshot).refresh();
        return System.nanoTime() - start;
    }

    /** Asks each question for so many nanoseconds. Returns the nanoseconds of an answer. */
    EnumMap<FilmQuestion, Double> times(long nanos) throws Exception {
        StreamFilms asks = new StreamFilms(Objects.requireNonNull(snapshot).table(Film.TABLE), key);
        EnumMap<FilmQuestion, Double> times = new EnumMap<>(FilmQuestion.class);
        for (FilmQuestion question : FilmQuestion.IN_MEMORY) {
            times.put(question, AskLoop.run(asks.ask(question), nanos).nanosEach());
        }
        return times;
    }

    /**
     * Returns the bytes of this process's memory that are mapped files, as the kernel has them: what is there, and this
     * process's share of what others have too; empty where the kernel does not tell.
     */
    static Map<String, Long> mapped(Path file) throws IOException {
        Path maps = Path.of("/proc/self/smaps");
        Map<String, Long> bytes = new TreeMap<>();
        if (!Files.isReadable(maps)) {
            return bytes;
        }
        boolean isFile = false;
        for (String line : Files.readAllLines(maps)) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                isFile = line.endsWith(file.toString());
            } else if (isFile && (line.startsWith("Rss:") || line.startsWith("Pss:"))) {
                bytes.merge(
                        line.substring(0, 3),
                        1024 * Long.parseLong(line.replaceAll("\\D", "")),
                        Long::sum);
            }
        }
        return bytes;
    }
}
