package dev.penstock.server.page;

import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.server.memory.TablesInMemory;
import dev.penstock.snapshot.TableStatistics;
import dev.penstock.snapshot.TableStatistics.ColumnStatistics;
import dev.penstock.snapshot.TableStatistics.IndexStatistics;
import dev.penstock.snapshot.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the tables in memory take, as JSON. */
final class MemoryJson {
    private MemoryJson() {}

    static String of(TablesInMemory.State state, Instant now) {
        return String.format(
                Locale.ROOT,
                """
                {"version":%s,
                "memory":{"used":%d,"limit":%d},
                "refresh":%s,
                "tables":[
                %s
                ]}
                """,
                version(state.version(), now),
                state.usedBytes(),
                state.limitBytes(),
                refresh(state.refreshes()),
                each(state.tables(), table -> table(state.schema(), table), ",\n"));
    }

    private static String version(Version version, Instant now) {
        return String.format(
                Locale.ROOT,
                "{\"number\":%d,\"loaded\":\"%s\",\"ageSeconds\":%.1f,\"loadSeconds\":%.3f,\"rows\":%d,\"bytes\":%d,\"rowsPerSecond\":%d}",
                version.number(),
                version.loaded(),
                seconds(Duration.between(version.loaded(), now)),
                seconds(version.took()),
                version.rows(),
                version.bytes(),
                MemoryPage.rate(version.rows(), version.took()));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static String refresh(TablesInMemory.Refreshes refreshes) {
        Duration every = refreshes.every();
        String lastFailure = refreshes.lastFailure();
        return every == null
                ? "null"
                : String.format(
                        Locale.ROOT,
                        "{\"everySeconds\":%.1f,\"failures\":%d,\"lastFailure\":%s}",
                        seconds(every),
                        refreshes.failures(),
                        lastFailure == null ? "null" : quoted(lastFailure));
    }

    private static String table(Schema schema, TableStatistics statistics) {
        @Nullable Table table = schema.table(statistics.table()).orElse(null);
        String name = table == null ? statistics.table() : schema.shown(table);
        Function<String, String> shown = column -> quoted(MemoryPage.shown(schema, table, column));
        return String.format(
                Locale.ROOT,
                """
                {"name":%s,"rows":%d,"bytes":%d,"columns":[%s],"indexes":[%s]}\
                """,
                quoted(name),
                statistics.rows(),
                statistics.bytes(),
                each(statistics.columns(), column -> column(table, shown, column), ","),
                each(statistics.indexes(), index -> index(shown, index), ","));
    }

    private static String index(Function<String, String> shown, IndexStatistics index) {
        return String.format(
                Locale.ROOT,
                """
                {"columns":[%s],"kind":"%s","bytes":%d}\
                """,
                each(index.columns(), shown, ","),
                word(index.kind()),
                index.bytes());
    }

    private static String column(
            @Nullable Table table, Function<String, String> shown, ColumnStatistics column) {
        return String.format(
                Locale.ROOT,
                """
                {"name":%s,"type":"%s","storage":"%s","width":%d,"bytes":%d,"nulls":%d,"different":%d,"indexBytes":%d,"comparedBy":"%s"}\
                """,
                shown.apply(column.name()),
                word(column.type()),
                word(column.storage()),
                column.width(),
                column.bytes(),
                column.nulls(),
                column.different(),
                column.indexBytes(),
                comparedBy(table, column.name()));
    }

    /** Who answers a request of {@code /api} that compares the column or sorts by it. */
    static String comparedBy(@Nullable Table table, String column) {
        if (table == null) {
            return "memory";
        }
        return switch (table.column(column).nativeType().comparison()) {
            case CANONICAL -> "memory";
            case ORDERED, EQUALITY -> "database";
            case NONE -> "none";
        };
    }

    /** The name of a constant in lower case. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static <T> String each(List<T> all, Function<? super T, String> text, String between) {
        return all.stream().map(text).collect(Collectors.joining(between));
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars()
                .forEach(character -> {
                    if (character < 0x20) {
                        quoted.append(String.format("\\u%04x", character));
                    } else {
                        quoted.append(character == '"' || character == '\\' ? "\\" : "")
                                .append((char) character);
                    }
                });
        return quoted.append('"').toString();
    }
}
