package dev.penstock.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.NativeType;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.server.memory.TablesInMemory;
import dev.penstock.snapshot.TableStatistics;
import dev.penstock.snapshot.TableStatistics.ColumnStatistics;
import dev.penstock.snapshot.TableStatistics.IndexKind;
import dev.penstock.snapshot.TableStatistics.IndexStatistics;
import dev.penstock.snapshot.TableStatistics.Storage;
import dev.penstock.snapshot.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of what the page tells of the indexes of tables in memory. */
class MemoryPageTest {
    private static final Instant LOADED = Instant.parse("2026-11-22T10:00:00Z");

    private static TablesInMemory.State state() {
        Version version = new Version(1, LOADED, Duration.ofSeconds(1), 10_000, 50_000);
        List<ColumnStatistics> columns =
                List.of(
                        new ColumnStatistics(
                                "a<b", ColumnType.INT, Storage.NUMBERS, 2, 20_000, 0, 300, 1_200),
                        new ColumnStatistics(
                                "kind", ColumnType.TEXT, Storage.LIST, 1, 10_100, 0, 7, 0));
        List<IndexStatistics> indexes =
                List.of(
                        new IndexStatistics(List.of("a<b"), IndexKind.COUNTS, 200),
                        new IndexStatistics(List.of("a<b"), IndexKind.ORDER, 1_000),
                        new IndexStatistics(List.of("a<b", "kind"), IndexKind.COMPOSITE, 4_000));
        Table table =
                new Table(
                        null,
                        "things",
                        List.of(
                                new Column("a<b", ColumnType.INT, "int", false, 10),
                                new Column(
                                        "kind",
                                        ColumnType.TEXT,
                                        "mood",
                                        true,
                                        10,
                                        NativeType.ofLabels(List.of("sad", "happy")))),
                        List.of(),
                        false);
        return new TablesInMemory.State(
                new Schema(List.of(table), false),
                List.of(new TableStatistics("things", 10_000, 30_100, columns, indexes, version)),
                version,
                false,
                35_300,
                1_000_000,
                new TablesInMemory.Refreshes(null, null, 0, null));
    }

    @Test
    void section_ofATable_namesTheKindOfEachIndex() {
        TablesInMemory.State state = state();
        assertThat(MemoryPage.section(state, state.tables().getFirst()))
                .contains("30.1 kB in columns, 5.2 kB in indexes.")
                .contains("<td class=\"number\">counts 200 B, order 1.0 kB</td>")
                .contains(
                        "<p class=\"small\">Different rows, with how many there are of each, by a&lt;b, kind (4.0 kB).</p>");
    }

    @Test
    void columns_ofATypeOfTheDatabases_areSaidToBeComparedThere() {
        TablesInMemory.State state = state();
        assertThat(MemoryPage.section(state, state.tables().getFirst()))
                .contains("<td>places in a list; compared by the database</td>")
                .contains("<td>numbers</td>");
        assertThat(MemoryJson.of(state, LOADED))
                .contains("\"indexBytes\":1200,\"comparedBy\":\"memory\"}")
                .contains("\"indexBytes\":0,\"comparedBy\":\"database\"}");
    }

    @Test
    void json_ofATable_namesTheKindOfEachIndex() {
        assertThat(MemoryJson.of(state(), LOADED.plusSeconds(5)))
                .contains(
                        "\"indexes\":[{\"columns\":[\"a<b\"],\"kind\":\"counts\",\"bytes\":200},"
                                + "{\"columns\":[\"a<b\"],\"kind\":\"order\",\"bytes\":1000},"
                                + "{\"columns\":[\"a<b\",\"kind\"],\"kind\":\"composite\",\"bytes\":4000}]");
    }
}
