package dev.penstock.bench.films;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.child.Orders;
import dev.penstock.bench.pages.ServerChild;
import dev.penstock.films.Film;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One that keeps films and is asked, in a JVM of its own. Arguments: {@code kind} ({@link FilmKeeper.Kind}), {@code films} (how many), {@code
 * threads}, and {@code url}, {@code user} and {@code password} of the database that it asks or loads from. It is loaded by the order {@code load}.
 */
final class FilmsChild {
    /** Compared beside the answers. */
    private static final int CHECKED_SUB_QUERIES = 20;

    private static final int FETCH_ROWS = 1000;

    /** For the snapshot to load by. */
    private static final int CONNECTIONS = 4;

    private final Answer settings;
    private final FilmKeeper.Kind kind;
    private final long films;
    private final HeapWatch heap = new HeapWatch();
    private final long emptyBytes = heap.idleBytes();
    private final List<FilmAsks> asks = new ArrayList<>();

    /** The questions as each thread asks them. */
    private final Map<FilmQuestion, List<Ask>> questions = new EnumMap<>(FilmQuestion.class);

    private @Nullable FilmKeeper keeper;

    private FilmsChild(Answer settings) {
        this.settings = settings;
        kind = FilmKeeper.Kind.valueOf(settings.text("kind"));
        films = settings.whole("films");
    }

    public static void main(String[] arguments) throws IOException {
        FilmsChild child = new FilmsChild(Answer.parse(arguments[0]));
        Orders orders = new Orders();
        orders.on("load", _ -> child.load())
                .on("read", _ -> child.read())
                .on("reload", _ -> child.reload())
                .on("check", child::check)
                .on("time", child::time)
                .on("rate", child::rate)
                .on("subqueries", child::subQueries)
                .on("bytes", _ -> child.bytes());
        orders.serve(new Answer(Map.of()));
    }

    private static Answer one(String name, Object value) {
        return new Answer(Map.of(name, value.toString()));
    }

    private static FilmQuestion question(Answer order) {
        return FilmQuestion.valueOf(order.text("question"));
    }

    private List<Ask> asked(FilmQuestion question) {
        return Objects.requireNonNull(questions.get(question), "nothing is loaded");
    }

    private Answer load() throws Exception {
        long start = System.nanoTime();
        FilmKeeper loaded = keeper();
        long nanos = System.nanoTime() - start;
        keeper = loaded;
        for (int i = 0; i < settings.whole("threads"); i++) {
            FilmAsks mine = loaded.asks();
            asks.add(mine);
            for (FilmQuestion question : FilmQuestion.values()) {
                questions.computeIfAbsent(question, _ -> new ArrayList<>()).add(mine.ask(question));
            }
        }
        return one("nanos", nanos);
    }

    /** Loads a new version beside the old one, which goes. */
    private Answer reload() {
        if (!(keeper instanceof SnapshotKeeper snapshot)) {
            throw new IllegalStateException(kind.label() + " can't be loaded again");
        }
        long start = System.nanoTime();
        snapshot.snapshot().refresh();
        return one("nanos", System.nanoTime() - start);
    }

    private FilmKeeper keeper() throws SQLException {
        return switch (kind) {
            case PENSTOCK ->
                    SnapshotKeeper.load(database(ServerChild.pool(settings, CONNECTIONS)), films);
            case MARIADB, POSTGRESQL -> {
                HikariDataSource pool = ServerChild.pool(settings, (int) settings.whole("threads"));
                yield new StreamKeeper(TypedTable.of(database(pool), Film.TABLE), films, () -> 0);
            }
            case H2 -> EmbeddedKeeper.h2(films);
            case DUCKDB -> fromSource(table -> EmbeddedKeeper.duckDb(films, table.stream()));
            case LIST ->
                    fromSource(
                            table -> new ListKeeper(table.stream().sorted(Film.FILM_ID).toList()));
            case CQENGINE -> fromSource(table -> new CqEngineKeeper(table.stream()));
        };
    }

    private static Database database(HikariDataSource pool) {
        return Database.builder(pool).evictor(pool::evictConnection).connect();
    }

    /** What loads a keeper from the database. */
    private interface Loader {
        FilmKeeper from(TypedTable<Film> table) throws SQLException;
    }

    private FilmKeeper fromSource(Loader loader) throws SQLException {
        try (HikariDataSource pool = ServerChild.pool(settings, 1)) {
            return loader.from(TypedTable.of(database(pool), Film.TABLE));
        }
    }

    /** Reads every column of every film by JDBC, and keeps nothing. */
    private Answer read() throws SQLException {
        long start = System.nanoTime();
        long minutes = 0;
        try (HikariDataSource pool = ServerChild.pool(settings, 1);
                Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM film")) {
                statement.setFetchSize(FETCH_ROWS);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        minutes += FilmAsks.minutes(JdbcFilms.film(row));
                    }
                }
            }
            connection.rollback();
        }
        return new Answer(
                Map.of(
                        "nanos", Long.toString(System.nanoTime() - start),
                        "minutes", Long.toString(minutes)));
    }

    /** The answer as text, and of article 4's two questions those of some sub-queries too. */
    private Answer check(Answer order) throws Exception {
        FilmQuestion question = question(order);
        String text = text(asked(question).getFirst().answer());
        return one(
                "answer",
                question == FilmQuestion.COMPLEX
                        ? text
                                + " and "
                                + AskLoop.sumOfSubQueries(asks.getFirst(), CHECKED_SUB_QUERIES)
                        : text);
    }

    private static String text(Object answer) {
        return answer instanceof Map<?, ?> map ? new TreeMap<>(map).toString() : answer.toString();
    }

    private Answer time(Answer order) throws Exception {
        return one(
                "nanos",
                AskLoop.run(asked(question(order)).getFirst(), order.whole("window")).nanosEach());
    }

    private Answer rate(Answer order) throws Exception {
        return one("perSecond", AskLoop.perSecond(asked(question(order)), order.whole("window")));
    }

    private Answer subQueries(Answer order) throws Exception {
        AskLoop.Run run =
                AskLoop.subQueries(asks.getFirst(), order.whole("most"), order.whole("window"));
        return new Answer(
                Map.of(
                        "count", Long.toString(run.count()),
                        "nanos", Long.toString(run.nanos())));
    }

    /** What the films take, with all that answers need. */
    private Answer bytes() throws Exception {
        return one(
                "bytes",
                heap.idleBytes() - emptyBytes + Objects.requireNonNull(keeper).offHeapBytes());
    }
}
