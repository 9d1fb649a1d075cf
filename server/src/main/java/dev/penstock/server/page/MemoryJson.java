package dev.penstock.server.page;

import dev.penstock.http.text.JsonText;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.server.memory.TablesInMemory;
import dev.penstock.snapshot.TableStatistics;
import dev.penstock.snapshot.TableStatistics.ColumnStatistics;
import dev.penstock.snapshot.TableStatistics.IndexStatistics;
import dev.penstock.snapshot.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The statistics of the tables in memory, as JSON. */
final class MemoryJson {
    private MemoryJson() {}

    static String of(TablesInMemory.State state, Instant now) {
        JsonText json = new JsonText().object();
        version(json, state, now);
        json.object("memory")
                .member("used", state.usedBytes())
                .member("limit", state.limitBytes())
                .endObject();
        refresh(json, state.refreshes());
        follow(json, state.refreshes());
        json.array("tables");
        state.tables().forEach(table -> table(json, state.schema(), table));
        return json.endArray().endObject() + "\n";
    }

    private static void version(JsonText json, TablesInMemory.State state, Instant now) {
        Version version = state.version();
        json.object("version")
                .member("number", version.number())
                .member("loaded", version.loaded().toString())
                .member("ageSeconds", seconds(Duration.between(version.loaded(), now)), 1)
                .member("loadSeconds", seconds(version.took()), 3)
                .member("rows", version.rows())
                .member("bytes", version.bytes())
                .member("rowsPerSecond", MemoryPage.rate(version.rows(), version.took()))
                .member("fromFile", state.isFromFile())
                .endObject();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static void refresh(JsonText json, TablesInMemory.Refreshes refreshes) {
        Duration every = refreshes.every();
        if (every == null) {
            json.member("refresh", null);
            return;
        }
        json.object("refresh")
                .member("everySeconds", seconds(every), 1)
                .member("failures", refreshes.failures())
                .member("lastFailure", refreshes.lastFailure())
                .endObject();
    }

    private static void follow(JsonText json, TablesInMemory.Refreshes refreshes) {
        String position = refreshes.position();
        if (position == null) {
            json.member("follow", null);
            return;
        }
        json.object("follow")
                .member("position", position)
                .member("failures", refreshes.failures())
                .member("lastFailure", refreshes.lastFailure())
                .endObject();
    }

    private static void table(JsonText json, Schema schema, TableStatistics statistics) {
        @Nullable Table table = schema.table(statistics.table()).orElse(null);
        json.object()
                .member("name", table == null ? statistics.table() : schema.shown(table))
                .member("rows", statistics.rows())
                .member("bytes", statistics.bytes())
                .array("columns");
        statistics.columns().forEach(column -> column(json, schema, table, column));
        json.endArray().array("columnsNotLoaded");
        MemoryPage.columnsNotLoaded(schema, table, statistics).forEach(json::element);
        json.endArray().array("indexes");
        statistics.indexes().forEach(index -> index(json, schema, table, index));
        json.endArray().endObject();
    }

    private static void index(
            JsonText json, Schema schema, @Nullable Table table, IndexStatistics index) {
        json.object().array("columns");
        index.columns().forEach(column -> json.element(MemoryPage.shown(schema, table, column)));
        json.endArray()
                .member("kind", lowerCase(index.kind()))
                .member("bytes", index.bytes())
                .endObject();
    }

    private static void column(
            JsonText json, Schema schema, @Nullable Table table, ColumnStatistics column) {
        json.object()
                .member("name", MemoryPage.shown(schema, table, column.name()))
                .member("type", lowerCase(column.type()))
                .member("storage", lowerCase(column.storage()))
                .member("width", column.width())
                .member("bytes", column.bytes())
                .member("nulls", column.nulls())
                .member("distinct", column.distinct())
                .member("indexBytes", column.indexBytes())
                .member("comparedBy", comparedBy(table, column.name()))
                .endObject();
    }

    /** Returns who answers a request of {@code /api} that compares the column or sorts by it. */
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

    /** Returns the name of a constant in lower case. */
    static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
