package dev.penstock.bench.daytrader;

import java.util.List;

/** The ways to call the services of the application. */
enum TradeWay {
    DIRECT_UNPOOLED("a new object a request, no connection pool"),
    DIRECT("a new object a request, connection pool of 20"),
    SEMAPHORE("semaphore"),
    POOL("Penstock's pool"),
    PEKKO("Pekko actors"),
    SERVLETS("Jetty, servlets, connection pool of 20");

    /** Those that let a number of calls run at once. */
    static final List<TradeWay> BOUNDED = List.of(SEMAPHORE, POOL, PEKKO);

    private final String label;

    TradeWay(String label) {
        this.label = label;
    }

    boolean isBounded() {
        return BOUNDED.contains(this);
    }

    @Override
    public String toString() {
        return label;
    }
}
