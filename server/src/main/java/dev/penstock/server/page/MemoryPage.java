package dev.penstock.server.page;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.server.config.value.DurationConverter;
import dev.penstock.server.log.FirstSentence;
import dev.penstock.server.memory.TablesInMemory;
import dev.penstock.snapshot.TableStatistics;
import dev.penstock.snapshot.TableStatistics.ColumnStatistics;
import dev.penstock.snapshot.TableStatistics.IndexKind;
import dev.penstock.snapshot.TableStatistics.IndexStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The page at {@code /tables-in-memory}, and its JSON: the tables' memory, their age, and the outcome of refreshing.
 */
public final class MemoryPage {
    static final String PATH = "/tables-in-memory";

    public static final Example EXAMPLE =
            new Example(
                    "Tables in memory",
                    "What is answered without the database: rows, bytes, columns, indexes, and how old it is.",
                    PATH,
                    "");

    /** One request at a time: counting distinct values takes a while. */
    private final Admission admission = new Admission(1, 64, Duration.ofSeconds(30));

    private final TablesInMemory tables;
    private final String page = PageText.resource(MemoryPage.class, "memory.html");

    public MemoryPage(TablesInMemory tables) {
        this.tables = tables;
    }

    public void mount(ServerBuilder builder) {
        builder.get(PATH, this::page, _ -> admission)
                .get(PATH + ".json", this::json, _ -> admission);
    }

    private void json(Exchange exchange) {
        exchange.header("Cache-Control", "no-store")
                .respond(200, "application/json", MemoryJson.of(tables.state(), Instant.now()));
    }

    private void page(Exchange exchange) {
        PagePolicy.PLAIN.send(exchange, 200, "no-store", html(tables.state(), Instant.now()));
    }

    private String html(TablesInMemory.State state, Instant now) {
        return page.replace("{{version}}", count(state.version().number()))
                .replace("{{age}}", time(Duration.between(state.version().loaded(), now)))
                .replace("{{rows}}", count(state.version().rows()))
                .replace("{{used}}", bytes(state.usedBytes()))
                .replace("{{limit}}", bytes(state.limitBytes()))
                .replace("{{took}}", time(state.version().took()))
                .replace("{{rate}}", count(rate(state.version().rows(), state.version().took())))
                .replace("{{refresh}}", fromFile(state) + refresh(state))
                .replace("{{tables}}", each(state.tables(), table -> section(state, table), "\n"));
    }

    /** Returns rows a second. */
    static long rate(long rows, Duration took) {
        return Math.round(rows / (Math.max(1, took.toNanos()) / 1e9));
    }

    private static String fromFile(TablesInMemory.State state) {
        return state.isFromFile()
                ? "<p class=\"small\">They are as a file had them at the start, and are being brought up to date.</p>"
                : "";
    }

    private static String refresh(TablesInMemory.State state) {
        TablesInMemory.Refreshes refreshes = state.refreshes();
        Duration every = refreshes.every();
        String lastFailure = refreshes.lastFailure();
        String position = refreshes.position();
        String often =
                position != null
                        ? "<p class=\"small\">They follow the changes of the database, and have those up to place"
                                + " <code>%s</code> of its log.</p>"
                                        .formatted(PageText.escape(position))
                        : every == null
                                ? "<p class=\"small\">They are not refreshed; <code>--refresh</code> does that.</p>"
                                : "<p class=\"small\">They are refreshed every %s.</p>"
                                        .formatted(DurationConverter.text(every));
        return lastFailure == null ? often : often + failure(state, lastFailure);
    }

    private static String failure(TablesInMemory.State state, String lastFailure) {
        int failures = state.refreshes().failures();
        return """
        <p class="failure" role="alert">The last refresh failed%s; version %s goes on answering: %s.</p>\
        """
                .formatted(
                        failures > 1 ? ", as did the " + (failures - 1) + " before" : "",
                        count(state.version().number()),
                        PageText.escape(FirstSentence.one(lastFailure)));
    }

    static String section(TablesInMemory.State state, TableStatistics statistics) {
        Schema schema = state.schema();
        @Nullable Table table = schema.table(statistics.table()).orElse(null);
        String name = table == null ? statistics.table() : schema.shown(table);
        return """
        <section>
        <h2><a href="/api/%s">%s</a></h2>
        <p>%s rows, %s in columns, %s in indexes.</p>
        <div class="scroll">
        <table>
        <thead><tr><th scope="col">Column</th><th scope="col">Kept as</th>\
        <th scope="col" class="number">Bytes a value</th>\
        <th scope="col" class="number">In all</th><th scope="col" class="number">NULL</th>\
        <th scope="col" class="number">Different</th><th scope="col" class="number">Indexes</th></tr></thead>
        <tbody>
        %s
        </tbody>
        </table>
        </div>
        %s%s</section>\
        """
                .formatted(
                        Example.encoded(name),
                        PageText.escape(name),
                        count(statistics.rows()),
                        bytes(statistics.bytes()),
                        bytes(
                                statistics.indexes().stream()
                                        .mapToLong(IndexStatistics::bytes)
                                        .sum()),
                        each(
                                statistics.columns(),
                                column -> row(schema, table, statistics, column),
                                "\n"),
                        others(schema, table, statistics),
                        several(schema, table, statistics.indexes()));
    }

    /** Returns the line about columns that are not in memory. */
    private static String others(Schema schema, @Nullable Table table, TableStatistics statistics) {
        List<String> others = columnsNotLoaded(schema, table, statistics);
        return others.isEmpty()
                ? ""
                : "<p class=\"small\">Not loaded, and asked of the database: %s.</p>\n"
                        .formatted(each(others, PageText::escape, ", "));
    }

    /** Returns the names of a table's columns that are not in memory. */
    static List<String> columnsNotLoaded(
            Schema schema, @Nullable Table table, TableStatistics statistics) {
        if (table == null) {
            return List.of();
        }
        List<String> loaded = statistics.columns().stream().map(ColumnStatistics::name).toList();
        return table.columns().stream()
                .filter(column -> !loaded.contains(column.name()))
                .map(column -> schema.shown(table, column))
                .toList();
    }

    /** Returns the line about indexes over several columns. */
    private static String several(
            Schema schema, @Nullable Table table, List<IndexStatistics> indexes) {
        List<IndexStatistics> several =
                indexes.stream().filter(index -> index.kind() == IndexKind.COMPOSITE).toList();
        return several.isEmpty()
                ? ""
                : "<p class=\"small\">Different rows, with how many there are of each, by %s.</p>\n"
                        .formatted(each(several, index -> several(schema, table, index), "; by "));
    }

    private static String several(Schema schema, @Nullable Table table, IndexStatistics index) {
        return each(index.columns(), column -> PageText.escape(shown(schema, table, column)), ", ")
                + " ("
                + bytes(index.bytes())
                + ")";
    }

    private static String row(
            Schema schema,
            @Nullable Table table,
            TableStatistics statistics,
            ColumnStatistics column) {
        return """
        <tr><th scope="row">%s <span class="kind">%s</span></th><td>%s%s</td>\
        <td class="number">%s</td><td class="number">%s</td>\
        <td class="number">%s</td><td class="number">%s</td><td class="number">%s</td></tr>\
        """
                .formatted(
                        PageText.escape(shown(schema, table, column.name())),
                        MemoryJson.lowerCase(column.type()),
                        words(column.storage()),
                        comparison(table, column.name()),
                        column.storage() == TableStatistics.Storage.TEXT
                                ? average(column, statistics.rows())
                                : count(column.width()),
                        bytes(column.bytes()),
                        count(column.nulls()),
                        count(column.distinct()),
                        each(
                                statistics.indexes().stream()
                                        .filter(index ->
                                                index.columns().equals(List.of(column.name()))
                                                        && index.kind() != IndexKind.COMPOSITE)
                                        .toList(),
                                index -> words(index.kind()) + " " + bytes(index.bytes()),
                                ", "));
    }

    private static String average(ColumnStatistics column, long rows) {
        return rows == 0
                ? ""
                : String.format(Locale.ROOT, "%.1f on average", (double) column.bytes() / rows);
    }

    static String shown(Schema schema, @Nullable Table table, String column) {
        return table == null ? column : schema.shown(table, table.column(column));
    }

    private static String comparison(@Nullable Table table, String column) {
        return switch (MemoryJson.comparedBy(table, column)) {
            case "database" -> "; compared by the database";
            case "none" -> "; not compared";
            default -> "";
        };
    }

    private static String words(TableStatistics.Storage storage) {
        return switch (storage) {
            case NUMBERS -> "numbers";
            case LIST -> "places in a list";
            case TEXT -> "compressed texts";
        };
    }

    private static String words(IndexKind kind) {
        return switch (kind) {
            case COUNTS -> "counts";
            case ORDER -> "order";
            case TEXTS -> "order of texts";
            case COMPOSITE -> "different rows";
        };
    }

    private static <T> String each(List<T> all, Function<? super T, String> text, String between) {
        return all.stream().map(text).collect(Collectors.joining(between));
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String bytes(long bytes) {
        if (bytes < 1_000) {
            return bytes + " B";
        }
        return bytes < 1_000_000
                ? String.format(Locale.ROOT, "%.1f kB", bytes / 1e3)
                : String.format(Locale.ROOT, "%,.1f MB", bytes / 1e6);
    }

    private static String time(Duration time) {
        // The clock may have been set back.
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%.1f s", Math.max(0, time.toMillis()) / 1e3);
        }
        return seconds < 3600
                ? seconds / 60 + " min " + seconds % 60 + " s"
                : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
    }
}
