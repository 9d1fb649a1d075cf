package dev.penstock.bench.daytrader;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.DatabaseAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Each page for one user, on an embedded H2 with the full population. */
final class PagesPart {
    private static final double MOST_MILLISECONDS = 5;
    private static final double MOST_POPULATION_SECONDS = 15;
    private static final Duration RAMP = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofSeconds(1);
    private static final Duration LEAST = Duration.ofMillis(200);
    private static final Duration SALES = Duration.ofSeconds(20);
    private static final String USER = "uid:0";

    /** The pages by their names, which a user looks at after a login. */
    private static final Map<String, String> PAGES =
            Map.of(
                    "home", "app?action=home",
                    "account", "app?action=account",
                    "portfolio", "app?action=portfolio",
                    "quotes", "app?action=quotes&symbols=s:1,s:2,s:3,s:4,s:5",
                    "market summary", "app?action=mksummary",
                    "update profile", "app?action=update_profile&fullname=Ann&address=a&email=e",
                    "buy", "app?action=buy&symbol=s:1&quantity=1",
                    "forms", "register.jsp");

    /** Login, and then a page again and again. */
    private record Page(String path) implements Load.Script {
        @Override
        public Load.Step step(int client, int request) {
            return request == 0
                    ? TradeScript.page("login&uid=" + USER + "&passwd=xxx", TradeScript.HTML)
                    : new Load.Step("/daytrader/" + path, TradeScript.HTML);
        }
    }

    /** Logins and logouts in turns. */
    private record Logouts() implements Load.Script {
        @Override
        public Load.Step step(int client, int request) {
            return request % 2 == 0
                    ? new Page("").step(client, 0)
                    : TradeScript.page("logout", TradeScript.HTML);
        }
    }

    /** Login, and then a sale of each holding. */
    private record Sales(List<Integer> holdings) implements Load.Script {
        @Override
        public Load.Step step(int client, int request) {
            return request == 0
                    ? new Page("").step(client, request)
                    : TradeScript.page(
                            "sell&holdingID=" + holdings.get(request - 1), TradeScript.HTML);
        }
    }

    /** Registrations of one new user after the other. */
    private record Registrations(String prefix) implements Load.Script {
        @Override
        public Load.Step step(int client, int request) {
            return TradeScript.page(
                    "register&user+id=%s:%d&passwd=p&confirm+passwd=p&money=100"
                            .formatted(prefix, request),
                    TradeScript.HTML);
        }
    }

    private final Trial trial;
    private final TradePlan plan;

    /**
     * The part of a run.
     *
     * @param filled is asked in a trial, since it is filled already
     */
    PagesPart(Trial trial, DatabaseAddress filled, Path directory) {
        this.trial = trial;
        String url = "jdbc:h2:file:" + directory.resolve("h2") + ";CACHE_SIZE=65536";
        boolean isTrial = trial.settings().scale() < DayTraderExperiment.TRIAL;
        plan =
                TradePlan.of(
                        isTrial ? filled : new DatabaseAddress(url, "sa", ""), TradeWay.DIRECT, 0);
    }

    int steps() {
        return 1;
    }

    void measure(Outcome outcome) throws Exception {
        trial.doing("pages of one user");
        Map<String, Double> milliseconds = new LinkedHashMap<>();
        double logins;
        double populated;
        try (LoadDriver driver = trial.loadDriver();
                TradeUnderTest test =
                        TradeUnderTest.start(plan, "256m", List.of(), driver, trial)) {
            populated = test.populatedSeconds();
            // Purchases come last, so that the user has the holdings of the population until then.
            List<String> names =
                    PAGES.keySet().stream()
                            .sorted(
                                    Comparator.comparing((String name) -> name.equals("buy"))
                                            .thenComparing(Comparator.naturalOrder()))
                            .toList();
            for (String name : names) {
                Page page = new Page(PAGES.getOrDefault(name, ""));
                if (!name.equals("buy")) {
                    // The JVM compiles the page meanwhile.
                    var _ = load(test, page);
                }
                milliseconds.put(name, p50(load(test, page)));
            }
            var _ = load(test, new Registrations("warm"));
            milliseconds.put("register", p50(load(test, new Registrations("new"))));
            List<Integer> holdings = test.holdings(USER);
            Load.Group sales = new Load.Group(new Sales(holdings), 1).requests(holdings.size() + 1);
            milliseconds.put("sell", p50(test.load(Duration.ZERO, SALES, sales)));
            logins = p50(load(test, new Logouts()));
        }
        Outcome.Table table =
                outcome.table("Pages for one user, embedded H2, full population", "|p50, ms");
        milliseconds.forEach(table::row);
        table.row("login and logout in turns (no part of the goal)", logins);
        double slowest =
                milliseconds.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        outcome.finding(
                "every page but login in under 5 ms at p50 for one user on embedded H2",
                "the slowest takes " + Figures.milliseconds(slowest),
                slowest < MOST_MILLISECONDS);
        if (populated > 0) {
            outcome.finding(
                    "population in under 15 s",
                    Figures.number(populated) + " s, on H2 in a file",
                    populated < MOST_POPULATION_SECONDS);
        }
        trial.step();
    }

    private LoadFigures load(TradeUnderTest test, Load.Script script) throws IOException {
        return test.load(
                trial.scaled(RAMP, LEAST), trial.scaled(WINDOW, LEAST), new Load.Group(script, 1));
    }

    /** Not a number where a page fails, so that the goal is missed. */
    private static double p50(LoadFigures figures) {
        return figures.failed() > 0 ? Double.NaN : figures.latency().p50();
    }
}
