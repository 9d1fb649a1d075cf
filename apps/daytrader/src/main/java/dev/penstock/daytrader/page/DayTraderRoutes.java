package dev.penstock.daytrader.page;

import dev.penstock.daytrader.live.MarketFeed;
import dev.penstock.daytrader.live.MarketJson;
import dev.penstock.daytrader.run.DayTraderSettings;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.session.LoginLimit;
import dev.penstock.daytrader.session.Sessions;
import dev.penstock.daytrader.store.PopulationProgress;
import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.Resource;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.service.ServiceException;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** All resources of the application, to be mounted on a server. Thread-safe. */
public final class DayTraderRoutes {
    private static final List<String> READ = List.of("GET", "POST");

    private final TradeCalls calls;
    private final MarketFeed feed;
    private final DayTraderSettings settings;
    private final Rebuild rebuild;
    private final Refusals refusals;
    private final UserPages users;
    private final AppPages app;
    private final ConfigPage config;
    private final Scenario scenario;
    private final AtomicLong pings = new AtomicLong();
    private final Instant started = Instant.now();

    public DayTraderRoutes(
            TradeStore store, TradeCalls calls, MarketFeed feed, DayTraderSettings settings) {
        this.calls = calls;
        this.feed = feed;
        this.settings = settings;
        Sessions sessions = new Sessions(settings.mostSessions(), System::nanoTime);
        AtomicReference<OrderMode> orderMode = new AtomicReference<>(settings.orderMode());
        this.rebuild = new Rebuild(store, settings.population(), sessions);
        Rendering rendering = new Rendering(calls);
        this.refusals = new Refusals(rendering);
        TradePages trades = new TradePages(calls, rendering, orderMode::get);
        this.users =
                new UserPages(
                        calls,
                        store.passwords(),
                        sessions,
                        new LoginLimit(System::nanoTime),
                        rendering,
                        trades);
        this.app =
                new AppPages(sessions, users, trades, refusals, settings.plainRequests(), rebuild);
        this.config =
                new ConfigPage(store, calls, settings, rebuild, sessions, rendering, orderMode);
        this.scenario = new Scenario(app, calls, settings.population());
    }

    /** Fills the database. */
    public void populate(PopulationProgress progress) throws SQLException {
        rebuild.populate(progress);
    }

    /** Adds all resources below a path, such as {@code /daytrader}. */
    public void mount(ServerBuilder server, String base) {
        server.get(base, exchange -> exchange.redirect(303, base + "/app"))
                .route(READ, List.of(base + "/app"), app.handler(base, app::act))
                .get(base + "/welcome.jsp", app.handler(base, users::welcome))
                .get(base + "/register.jsp", app.handler(base, users::registerForm))
                .route(
                        READ,
                        List.of(base + "/config"),
                        exchange -> refusals.answer(app.visit(exchange, base), config::answer))
                .get(base + "/servlet/PingServlet", this::ping)
                .get(base + "/rest/quotes/{symbols}", this::quotes)
                .post(base + "/rest/quotes", this::quotesOfForm)
                .get(base + "/rest/broadcastevents", feed::stream)
                .get(base + "/marketsummary", feed::open)
                .get(base + "/daytrader.css", Resource.of(DayTraderRoutes.class, "daytrader.css"))
                .get(base + "/daytrader.js", Resource.of(DayTraderRoutes.class, "daytrader.js"));
        if (settings.plainRequests()) {
            server.route(READ, List.of(base + "/scenario"), app.handler(base, scenario::next));
        }
    }

    private void ping(Exchange exchange) {
        exchange.header("Cache-Control", "no-store")
                .respond(
                        200,
                        "text/html; charset=utf-8",
                        """
                        <!DOCTYPE html>
                        <html lang="en"><head><meta charset="utf-8"><title>Ping Servlet</title></head>
                        <body><h1>Ping Servlet</h1><p>Init time: %s</p><p>Hit Count: %d</p></body></html>
                        """
                                .formatted(started, pings.incrementAndGet()));
    }

    private void quotes(Exchange exchange) {
        answer(exchange, exchange.pathParameter("symbols"));
    }

    private void quotesOfForm(Exchange exchange) throws IOException {
        answer(exchange, Input.of(exchange).raw("symbols"));
    }

    private void answer(Exchange exchange, String symbols) {
        Rebuild.Progress progress = rebuild.progress();
        if (progress.isRunning()) {
            throw new HttpException(503, "The sample data are made anew: " + progress.text())
                    .header("Retry-After", "5");
        }
        try {
            String json = MarketJson.quotes(calls.quotes(TradePages.symbols(symbols)));
            exchange.header("Cache-Control", "no-store").respond(200, "application/json", json);
        } catch (TradeException e) {
            throw new HttpException(Refusals.status(e.kind()), String.valueOf(e.getMessage()), e);
        } catch (ServiceException | SQLException e) {
            throw new HttpException(503, "The stocks can't be read now; try again in a moment", e)
                    .header("Retry-After", "1");
        }
    }
}
