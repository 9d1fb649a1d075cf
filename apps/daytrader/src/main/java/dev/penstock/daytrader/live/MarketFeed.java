package dev.penstock.daytrader.live;

import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.events.Topic;
import dev.penstock.http.websocket.WebSocket;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The live market: a WebSocket that tells the market summary when it is asked, and the stocks whose prices have moved,
 * five at most every two seconds, which go out as server-sent events too. Whoever is too slow misses some. Thread-safe.
 */
public final class MarketFeed {
    private static final int MOST_SHOWN = 5;
    private static final int MOST_VIEWERS = 1_000;
    private static final int MOST_MESSAGE_BYTES = 1_024;
    private static final int KEPT_EVENTS = 4;
    private static final int KEPT_BYTES = 16 * 1024;

    private final TradeCalls calls;
    private final Set<WebSocket> sockets = ConcurrentHashMap.newKeySet();
    private final Topic events = new Topic(KEPT_EVENTS, KEPT_BYTES, MOST_VIEWERS);
    private final ReentrantLock lock = new ReentrantLock();

    /** The stocks that have moved last, the last one at the end. */
    private final LinkedHashMap<String, Quote> moved = new LinkedHashMap<>();

    private boolean hasMoved;

    public MarketFeed(TradeCalls calls) {
        this.calls = calls;
    }

    /** Takes a stock whose price has moved. */
    public void moved(Quote quote) {
        lock.lock();
        try {
            moved.remove(quote.symbol());
            moved.put(quote.symbol(), quote);
            if (moved.size() > MOST_SHOWN) {
                moved.pollFirstEntry();
            }
            hasMoved = true;
        } finally {
            lock.unlock();
        }
    }

    /** Tells all who look what has moved since the last call; called every two seconds. */
    public void publish() {
        String changes = changes();
        if (changes.isEmpty()) {
            return;
        }
        events.publish(changes);
        for (WebSocket socket : sockets) {
            socket.offer(changes);
        }
    }

    private String changes() {
        lock.lock();
        try {
            if (!hasMoved) {
                return "";
            }
            hasMoved = false;
            return MarketJson.changes(latestFirst());
        } finally {
            lock.unlock();
        }
    }

    private List<Quote> latest() {
        lock.lock();
        try {
            return latestFirst();
        } finally {
            lock.unlock();
        }
    }

    private List<Quote> latestFirst() {
        return new ArrayList<>(moved.values()).reversed();
    }

    /** Answers {@code GET /rest/broadcastevents}. */
    public void stream(Exchange exchange) throws java.io.IOException {
        events.stream(exchange);
    }

    /** Opens a WebSocket. */
    public void open(Exchange exchange) {
        if (sockets.size() >= MOST_VIEWERS) {
            throw new HttpException(
                            503,
                            "%,d browsers look at the market already; try again later"
                                    .formatted(MOST_VIEWERS))
                    .header("Retry-After", "10");
        }
        WebSocket.open(
                exchange,
                WebSocket.Options.DEFAULT.withMaxMessageBytes(MOST_MESSAGE_BYTES),
                new Viewer());
    }

    /** The number of open WebSockets. */
    public int viewers() {
        return sockets.size();
    }

    private final class Viewer implements WebSocket.Listener {
        @Override
        public void opened(WebSocket socket) {
            sockets.add(socket);
        }

        @Override
        public void text(WebSocket socket, String text, boolean last) throws SQLException {
            if (text.contains("\"updateMarketSummary\"")) {
                socket.offer(
                        MarketJson.summary(
                                calls.call(
                                        TradeCalls.Part.QUOTES, TradeServices::getMarketSummary)));
            } else if (text.contains("\"updateRecentQuotePriceChange\"")) {
                socket.offer(MarketJson.changes(latest()));
            } else {
                socket.close(1008, "Send {\"action\":\"updateMarketSummary\"}");
            }
        }

        @Override
        public void closed(WebSocket socket, int code, String reason) {
            sockets.remove(socket);
        }
    }
}
