package dev.penstock.transfer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transfer.CuttingProxy;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.client.rows.Export;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportIT extends TransferClientFixture {
    private Path target() {
        return directory.resolve("films");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/csv", "application/x-ndjson", "application/json"})
    void get_exportBreaksOffAgainAndAgain_isOneWhole(String type) throws IOException {
        int rows = 40_000;
        byte[] whole = Export.response(type, 0, rows);
        try (RowsServer server = new RowsServer(type, rows)) {
            for (int cut : new int[] {0, 1, 5, 100, 32 * 1024, 65_537, 300_000, 20}) {
                server.cuts.add(cut);
            }
            Receipt receipt = client.get(server.uri("?order=title"), target(), options());
            assertThat(Files.readAllBytes(target())).isEqualTo(whole);
            assertThat(receipt.sha256()).contains(RangeServer.sha256(whole));
            assertThat(receipt.interruptions()).isEqualTo(8);
            assertThat(server.queries).first().isEqualTo("order=title");
            assertThat(server.queries).last().asString().startsWith("order=title&after=");
            assertThat(directory).isDirectoryNotContaining("glob:**.part*");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/csv", "application/x-ndjson", "application/json"})
    void get_exportOverCutConnections_isOneWhole(String type) throws IOException {
        int rows = 60_000;
        CuttingProxy.Settings trouble = CuttingProxy.Settings.none(9).cutting(10_000, 500_000);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RowsServer server = new RowsServer(type, rows);
                CuttingProxy proxy = CuttingProxy.start(server.port(), trouble)) {
            client.get(
                    RowsServer.uri(proxy.port(), "?order=title"),
                    Channels.newChannel(out),
                    options().retries(100));
            assertThat(out.toByteArray()).isEqualTo(Export.response(type, 0, rows));
            assertThat(proxy.cuts()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/csv", "application/x-ndjson", "application/json"})
    void get_callFails_nextCallGoesOnBehindTheLastRow(String type) throws IOException {
        int rows = 90_000;
        byte[] whole = Export.response(type, 0, rows);
        try (RowsServer server = new RowsServer(type, rows)) {
            server.cuts.add(whole.length / 2);
            assertThatThrownBy(() -> client.get(server.uri(""), target(), options().retries(0)))
                    .isInstanceOf(TransferException.class);
            assertThat(target()).doesNotExist();
            Receipt receipt = client.get(server.uri(""), target(), options());
            assertThat(Files.readAllBytes(target())).isEqualTo(whole);
            assertThat(receipt.resumedAt()).isPositive();
            assertThat(receipt.sha256()).contains(RangeServer.sha256(whole));
            assertThat(server.queries).hasSize(2);
        }
    }

    @Test
    void get_pageOfRows_hasItsLimit() throws IOException {
        try (RowsServer server = new RowsServer("text/csv", 1000)) {
            server.cuts.add(2000);
            client.get(server.uri("?limit=500&offset=3"), target(), options());
            assertThat(Files.readAllBytes(target())).isEqualTo(Export.response("text/csv", 3, 503));
        }
    }

    @Test
    void get_exportThatCannotGoOn_beginsAnew() throws IOException {
        byte[] whole = Export.response("text/csv", 0, 5000);
        try (RowsServer server = new RowsServer("text/csv", 5000)) {
            server.isResumable = false;
            server.cuts.add(50_000);
            client.get(server.uri(""), target(), options());
            assertThat(Files.readAllBytes(target())).isEqualTo(whole);
            assertThat(server.queries).containsExactly("", "");
        }
    }
}
