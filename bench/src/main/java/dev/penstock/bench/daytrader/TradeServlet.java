package dev.penstock.bench.daytrader;

import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.daytrader.trade.Account;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.MarketSummary;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.TradeServices;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * The pages of both scenarios as the original serves them: a servlet on Jetty's platform threads, Jetty's sessions, a
 * new object a request, a connection pool, and pages that are written as compiled JSP pages are. The business logic is
 * Penstock's application's, and the pages have the same figures.
 */
final class TradeServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String USER = "uidBean";
    private static final int BACKLOG = 4096;

    private final transient TradeStore store;

    private TradeServlet(TradeStore store) {
        this.store = store;
    }

    /** Starts it, with as many threads as Jetty has unless told otherwise. Returns its port. */
    static int start(TradeStore store) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(BACKLOG);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.addServlet(new ServletHolder(new TradeServlet(store)), "/daytrader/app");
        server.setHandler(context);
        server.start();
        return connector.getLocalPort();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try (TradeServices trade = store.services()) {
            StringBuilder page = new StringBuilder(8192);
            show(request, trade, page);
            response.setContentType("text/html;charset=utf-8");
            response.setHeader("Cache-Control", "no-store");
            response.getWriter().append(page);
        } catch (SQLException e) {
            response.sendError(503, e.getMessage());
        }
    }

    private static void show(HttpServletRequest request, TradeServices trade, StringBuilder page)
            throws SQLException {
        String action = Optional.ofNullable(request.getParameter("action")).orElse("");
        if (action.equals("login")) {
            String userID = parameter(request, "uid");
            var _ = trade.login(userID, parameter(request, "passwd"));
            request.getSession().setAttribute(USER, userID);
        }
        HttpSession session = request.getSession(false);
        String userID = session == null ? null : (String) session.getAttribute(USER);
        if (userID == null) {
            begin(page, "DayTrader Login", List.of());
        } else {
            switch (action) {
                case "quotes" -> quotes(request, trade, userID, page);
                case "buy" -> buy(request, trade, userID, page);
                default -> home(trade, userID, page);
            }
        }
        page.append("</main>\n</body>\n</html>\n");
    }

    private static String parameter(HttpServletRequest request, String name) {
        return Objects.requireNonNullElse(request.getParameter(name), "");
    }

    private static void begin(StringBuilder page, String title, List<Order> alerts) {
        page.append(
                        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>")
                .append(title)
                .append(
                        """
                        </title>
                        <link rel="stylesheet" href="/daytrader/daytrader.css">
                        <script src="/daytrader/daytrader.js" defer></script>
                        </head>
                        <body data-base="/daytrader">
                        <header><nav>
                        <a href="/daytrader/app?action=home">Home</a>
                        <a href="/daytrader/app?action=account">Account</a>
                        <a href="/daytrader/app?action=portfolio">Portfolio</a>
                        <a href="/daytrader/app?action=quotes&amp;symbols=s:0,s:1,s:2,s:3,s:4">Quotes/Trade</a>
                        <a href="/daytrader/app?action=mksummary">Market</a>
                        </nav></header>
                        <main>
                        """);
        for (Order order : alerts) {
            page.append("<p class=\"alert\">Order ").append(order.orderID());
            cell(page.append(": "), order.symbol(), order.price()).append("</p>\n");
        }
    }

    private static StringBuilder cell(StringBuilder page, Object... values) {
        for (Object value : values) {
            page.append("<td class=\"figure\">").append(value).append("</td>\n");
        }
        return page;
    }

    private static void home(TradeServices trade, String userID, StringBuilder page)
            throws SQLException {
        Account account = trade.getAccountData(userID);
        List<Holding> holdings = trade.getHoldings(userID);
        List<Quote> quotes =
                trade.getQuotes(holdings.stream().map(Holding::symbol).distinct().toList());
        MarketSummary market = trade.getMarketSummary();
        begin(page, "Welcome to DayTrader", trade.getClosedOrders(userID));
        BigDecimal worth = BigDecimal.ZERO;
        for (Holding holding : holdings) {
            for (Quote quote : quotes) {
                if (quote.symbol().equals(holding.symbol())) {
                    worth = worth.add(holding.worth(quote.price()));
                }
            }
        }
        page.append("<h1>Welcome to DayTrader, ").append(userID).append("</h1>\n<table><tr>");
        cell(page, account.balance(), account.openBalance(), holdings.size(), worth);
        cell(page, account.loginCount(), account.creationDate());
        page.append("</tr></table>\n<h2>Market summary</h2>\n<table>");
        rows(page, market.gainers());
        rows(page, market.losers());
        cell(page.append("<tr>"), market.average(), market.volume(), market.date());
        page.append("</tr></table>\n");
    }

    private static void quotes(
            HttpServletRequest request, TradeServices trade, String userID, StringBuilder page)
            throws SQLException {
        List<Quote> quotes = trade.getQuotes(List.of(parameter(request, "symbols").split(",", -1)));
        begin(page, "DayTrader: Quotes and Trading", trade.getClosedOrders(userID));
        page.append("<table>\n");
        rows(page, quotes);
        page.append("</table>\n");
    }

    private static void rows(StringBuilder page, List<Quote> quotes) {
        for (Quote quote : quotes) {
            page.append("<tr>");
            cell(page, quote.symbol(), quote.companyName(), quote.volume(), quote.low());
            cell(page, quote.high(), quote.open(), quote.price(), quote.change());
            page.append("<td><form class=\"trade\" method=\"post\" action=\"/daytrader/app\">")
                    .append("<input type=\"hidden\" name=\"symbol\" value=\"")
                    .append(quote.symbol())
                    .append("\"><input name=\"quantity\" value=\"100\"></form></td></tr>\n");
        }
    }

    private static void buy(
            HttpServletRequest request, TradeServices trade, String userID, StringBuilder page)
            throws SQLException {
        Order order =
                trade.buy(
                        userID,
                        parameter(request, "symbol"),
                        Double.parseDouble(parameter(request, "quantity")),
                        OrderMode.SYNCHRONOUS);
        begin(page, "DayTrader: New order", trade.getClosedOrders(userID));
        page.append("<p>Order ").append(order.orderID()).append(" has been submitted</p>\n<table>");
        cell(page.append("<tr>"), order.openDate(), order.symbol(), order.quantity());
        cell(page, order.price(), order.fee(), order.status()).append("</tr></table>\n");
    }
}
