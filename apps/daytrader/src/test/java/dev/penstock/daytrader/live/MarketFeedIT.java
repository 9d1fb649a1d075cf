package dev.penstock.daytrader.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.DayTrader;
import dev.penstock.daytrader.run.DayTraderSettings;
import dev.penstock.daytrader.store.Population;
import dev.penstock.daytrader.store.TradeDatabase;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.test.TestClient;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The market by WebSocket and by server-sent events, as clients of the public application ask for it. */
@Timeout(120)
class MarketFeedIT {
    private static final class Messages implements WebSocket.Listener {
        final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                queue.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            queue.add("closed " + code);
            return null;
        }

        String next() throws InterruptedException {
            return String.valueOf(queue.poll(90, TimeUnit.SECONDS));
        }
    }

    @Test
    void feed_askedAndMoved_tellsSummaryAndChanges() throws Exception {
        try (TradeDatabase database = TradeDatabase.create(TradeDatabase.Kind.H2);
                DayTrader trader =
                        DayTrader.open(
                                database.source(),
                                DayTraderSettings.DEFAULT
                                        .withPopulation(new Population(20, 2, 5))
                                        .withPasswordIterations(1))) {
            trader.populate((_, _) -> {});
            ServerBuilder routes = Server.builder();
            trader.mount(routes);
            try (TestClient client = TestClient.overSocket(routes);
                    HttpClient http = HttpClient.newHttpClient()) {
                Messages messages = new Messages();
                URI address =
                        URI.create(
                                client.uri("/daytrader/marketsummary")
                                        .toString()
                                        .replaceFirst("http", "ws"));
                WebSocket socket = http.newWebSocketBuilder().buildAsync(address, messages).join();
                socket.sendText("{\"action\":\"updateMarketSummary\"}", true).join();
                assertThat(messages.next())
                        .contains(
                                "\"gainer1_stock\":",
                                "\"gainer5_price\":",
                                "\"loser5_change\":",
                                "\"tsia\":",
                                "\"volume\":",
                                "\"date\":");
                HttpResponse<java.io.InputStream> events =
                        http.send(
                                HttpRequest.newBuilder(
                                                client.uri("/daytrader/rest/broadcastevents"))
                                        .build(),
                                HttpResponse.BodyHandlers.ofInputStream());
                move(trader);
                String changes = messages.next();
                while (!changes.contains("\"change1_stock\":\"s:6\"")) {
                    changes = messages.next();
                }
                assertThat(changes).contains("\"change5_stock\":\"s:2\"").doesNotContain("change6");
                try (BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
                    String line = lines.readLine();
                    while (!line.contains("\"change1_stock\":\"s:6\"")) {
                        line = lines.readLine();
                    }
                    assertThat(line).startsWith("data:");
                }
                socket.sendText("{\"action\":\"updateRecentQuotePriceChange\"}", true).join();
                assertThat(messages.next()).contains("\"change1_stock\":\"s:6\"");
                socket.sendText("nonsense", true).join();
                assertThat(messages.next()).isEqualTo("closed 1008");
            }
        }
    }

    private static void move(DayTrader trader) throws java.sql.SQLException {
        try (TradeServices services = trader.store().services()) {
            for (int i = 1; i <= 6; i++) {
                services.updateQuotePriceVolume("s:" + i, new BigDecimal("1.05"), 1);
            }
        }
    }
}
