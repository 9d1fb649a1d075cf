package dev.penstock.bench.daytrader;

import dev.penstock.bench.client.Load;
import dev.penstock.daytrader.store.Population;

/** The requests of the application's users. */
enum TradeScript implements Load.Script {
    /** Each logs in, and looks at five stocks a page from then on: the first scenario of the article. */
    QUOTES("scenario 1: quotes") {
        @Override
        public Load.Step step(int client, int request) {
            return request == 0 ? login(client, request) : quotes(client, request, 5);
        }
    },
    /** Login, home page, two stocks, and a purchase, again and again: the second scenario of the article. */
    TRADE("scenario 2: login, home, quotes, buy") {
        @Override
        public Load.Step step(int client, int request) {
            return switch (request % 4) {
                case 0 -> login(client, request);
                case 1 -> page("home", HOME);
                case 2 -> quotes(client, request, 2);
                default -> buy(client, request);
            };
        }
    },
    /** A random action of each user, by the mix of the public application. */
    MIX("the mix of all actions") {
        @Override
        public Load.Step step(int client, int request) {
            return new Load.Step("/daytrader/scenario", HTML);
        }
    };

    static final Load.Expected HTML = Load.Expected.rows("</html>", 1, "");

    private static final Load.Expected HOME = titled("Welcome to DayTrader");
    private static final Load.Expected QUOTES_PAGE = titled("DayTrader: Quotes and Trading");
    private static final Load.Expected ORDER = Load.Expected.rows("has been submitted", 1, "");

    private final String label;

    TradeScript(String label) {
        this.label = label;
    }

    private static Load.Expected titled(String title) {
        return Load.Expected.rows("<title>" + title + "</title>", 1, "");
    }

    static Load.Step page(String action, Load.Expected expected) {
        return new Load.Step("/daytrader/app?action=" + action, expected);
    }

    /** Another user each time, the same in every run. */
    static Load.Step login(int client, int request) {
        return page(
                "login&uid=uid:%d&passwd=%s"
                        .formatted(
                                random(client, request, Population.STANDARD.users()),
                                Population.PASSWORD),
                HOME);
    }

    private static Load.Step quotes(int client, int request, int stocks) {
        StringBuilder symbols = new StringBuilder("quotes&symbols=");
        for (int i = 0; i < stocks; i++) {
            symbols.append(i == 0 ? "" : ",").append(symbol(client, request * stocks + i));
        }
        return page(symbols.toString(), QUOTES_PAGE);
    }

    /** One share, as the same users buy in every run: with more, their money is gone before the last one. */
    private static Load.Step buy(int client, int request) {
        return page("buy&symbol=%s&quantity=1".formatted(symbol(client, request)), ORDER);
    }

    private static String symbol(int client, int request) {
        return "s:" + random(client, request, Population.STANDARD.quotes());
    }

    /** A number that looks random, by the finalizer of splitmix64. */
    private static int random(int client, int request, int bound) {
        long z = (((long) client << 32) | request) * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return (int) Long.remainderUnsigned(z ^ (z >>> 31), bound);
    }

    @Override
    public String toString() {
        return label;
    }
}
