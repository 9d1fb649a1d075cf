package dev.penstock.daytrader.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.DayTrader;
import dev.penstock.daytrader.run.DayTraderSettings;
import dev.penstock.daytrader.store.Population;
import dev.penstock.daytrader.store.TradeDatabase;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.test.TestClient;
import dev.penstock.http.test.TestRequest;
import dev.penstock.http.test.TestResponse;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The addresses and texts that the public application's load scripts know, under both of its names. */
@ParameterizedClass
@ValueSource(strings = {"/daytrader", "/tradelite"})
class PublicContractIT {
    static final DayTraderSettings SETTINGS =
            DayTraderSettings.DEFAULT
                    .withPopulation(new Population(20, 20, 5))
                    .withPlainRequests(true)
                    .withPasswordIterations(10);

    private static final Pattern HOLDING = Pattern.compile("holdingID=([0-9]+)");

    private final String base;

    private TradeDatabase database;
    private DayTrader trader;
    private TestClient client;

    PublicContractIT(String base) {
        this.base = base;
    }

    @BeforeEach
    void start() throws Exception {
        start(SETTINGS);
    }

    private void start(DayTraderSettings settings) throws Exception {
        database = TradeDatabase.create(TradeDatabase.Kind.H2);
        trader = DayTrader.open(database.source(), settings);
        trader.populate((_, _) -> {});
        ServerBuilder server = Server.builder();
        trader.mount(server);
        client = TestClient.overSocket(server).keepCookies();
    }

    @AfterEach
    void booksBalance() throws Exception {
        try (TradeDatabase _ = database;
                DayTrader _ = trader;
                TestClient _ = client) {
            assertThat(trader.store().checkBooks().broken()).isEmpty();
        }
    }

    private TestResponse get(String query) throws Exception {
        return client.get(base + "/app?" + query);
    }

    private void login() throws Exception {
        TestResponse home = get("action=login&uid=uid:0&passwd=xxx");
        assertThat(home.status()).isEqualTo(200);
        assertThat(home.text()).contains("Welcome to DayTrader");
    }

    @Test
    void app_notLoggedIn_isTheWelcomePage() throws Exception {
        for (String action : new String[] {"home", "buy", "portfolio", "update_profile"}) {
            TestResponse page = get("action=" + action);
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.text()).contains("User Not Logged in", "DayTrader Login");
        }
        assertThat(client.get(base).header("Location")).contains(base + "/app");
        assertThat(client.get(base + "/welcome.jsp").text()).contains("DayTrader Login");
        assertThat(client.get(base + "/register.jsp").text()).contains("confirm passwd");
    }

    @Test
    void session_cookie_isNotForScriptsOrOtherSites() throws Exception {
        String cookie = get("action=login&uid=uid:0&passwd=xxx").header("Set-Cookie").orElseThrow();
        assertThat(cookie)
                .contains("HttpOnly", "SameSite=Strict")
                .matches("daytrader=[\\w-]{32};.*");
    }

    @Test
    void everyAction_byGet_answersWithItsText() throws Exception {
        login();
        assertThat(get("action=home").text()).contains("Welcome to DayTrader");
        assertThat(get("action=account").text()).contains("First:0 Last:0");
        assertThat(get("action=quotes&symbols=s:1,s:2").text())
                .contains("DayTrader: Quotes and Trading", "S1 Incorporated", "S2 Incorporated");
        assertThat(get("action=quotes&symbol=s:3").text()).contains("S3 Incorporated");
        assertThat(get("action=mksummary").text()).contains("Top gainers");
        TestResponse bought = get("action=buy&symbol=s:1&quantity=100");
        assertThat(bought.status()).isEqualTo(200);
        assertThat(bought.text()).contains("has been submitted", "orders completed");
        assertThat(get("action=home").text()).doesNotContain("orders completed");
        Matcher holding = HOLDING.matcher(get("action=portfolio").text());
        assertThat(holding.find()).isTrue();
        assertThat(get("action=sell&holdingID=" + holding.group(1)).text())
                .contains("has been submitted");
        assertThat(
                        get("action=update_profile&userID=uid:0&fullname=New+Name&password=xxx"
                                        + "&cpassword=xxx&address=a&creditcard=1&email=e")
                                .text())
                .contains("New Name", "updated");
        assertThat(get("action=logout").text()).contains("DayTrader Login");
        assertThat(get("action=home").text()).contains("User Not Logged in");
    }

    @Test
    void everyAction_byPost_answersToo() throws Exception {
        TestResponse home =
                client.send(
                        TestRequest.post(base + "/app?action=login")
                                .form(Map.of("uid", "uid:1", "passwd", "xxx")));
        assertThat(home.text()).contains("Welcome to DayTrader");
        TestResponse bought =
                client.send(
                        TestRequest.post(base + "/app")
                                .form(Map.of("action", "buy", "symbol", "s:2", "quantity", "3")));
        assertThat(bought.text()).contains("has been submitted");
    }

    @Test
    void everyPage_ofAUser_tellsAlerts() throws Exception {
        login();
        for (String page :
                new String[] {
                    "/app?action=home",
                    "/app?action=dance",
                    "/app?action=sell&holdingID=999999",
                    "/app?action=register",
                    "/welcome.jsp",
                    "/register.jsp",
                    "/config",
                }) {
            try (TradeServices services = trader.store().services()) {
                services.buy("uid:0", "s:1", 1, OrderMode.SYNCHRONOUS);
            }
            assertThat(client.get(base + page).text()).as(page).contains("orders completed");
            assertThat(client.get(base + page).text()).as(page).doesNotContain("orders completed");
        }
    }

    @Test
    void register_newUser_isLoggedIn() throws Exception {
        TestResponse home =
                get(
                        "action=register&Full+Name=Ann&snail+mail=Street&email=e&user+id=ann&passwd=p"
                                + "&confirm+passwd=p&money=5000.50&Credit+Card+Number=1");
        assertThat(home.status()).isEqualTo(200);
        assertThat(home.text()).contains("Welcome to DayTrader", "5,000.50");
        get("action=logout");
        assertThat(get("action=login&uid=ann&passwd=p").text()).contains("Welcome to DayTrader");
    }

    @Test
    void rest_quotes_areJson() throws Exception {
        TestResponse json = client.get(base + "/rest/quotes/s:1,s:2");
        assertThat(json.header("Content-Type").orElse("")).startsWith("application/json");
        assertThat(json.text())
                .startsWith("[{\"symbol\":\"s:1\",\"companyName\":\"S1 Incorporated\",\"price\":");
        TestResponse posted =
                client.send(
                        TestRequest.post(base + "/rest/quotes").form(Map.of("symbols", "s:1,s:2")));
        assertThat(posted.text()).isEqualTo(json.text());
        assertThat(client.get(base + "/rest/quotes/none").text()).isEqualTo("[]");
    }

    @Test
    void ping_twice_counts() throws Exception {
        assertThat(client.get(base + "/servlet/PingServlet").text()).contains("Hit Count: 1<");
        assertThat(client.get(base + "/servlet/PingServlet").text()).contains("Hit Count: 2<");
    }

    @Test
    void scenario_manyRequests_areAllAnswered() throws Exception {
        int registered = 0;
        for (int i = 0; i < 300; i++) {
            TestResponse page = client.get(base + "/scenario");
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            registered += page.text().contains("Your account is open") ? 1 : 0;
        }
        TestResponse reset = client.get(base + "/config?action=resetTrade");
        assertThat(reset.text()).contains(registered + " registered users");
    }

    @Test
    void config_rebuild_isDoneWhileOthersWait() throws Exception {
        assertThat(client.get(base + "/config").text()).contains("PBKDF2", "20 stocks");
        login();
        get("action=buy&symbol=s:1&quantity=1");
        client.get(base + "/config?action=buildDB");
        TestResponse page;
        do {
            page = client.get(base + "/config");
        } while (page.text().contains("<progress"));
        assertThat(client.get(base + "/config?action=checkBooks").text())
                .contains("The books balance");
        assertThat(get("action=home").text()).contains("User Not Logged in");
        login();
    }

    @Test
    void orders_completedAfterwards_areToldLater() throws Exception {
        client.get(base + "/config?action=updateConfig&orderMode=ASYNCHRONOUS");
        login();
        // It may be closed before its own page is made, which then tells it.
        String page = get("action=buy&symbol=s:1&quantity=1").text();
        assertThat(page).contains("has been submitted");
        long end = System.nanoTime() + 60_000_000_000L;
        while (!page.contains("orders completed")) {
            assertThat(System.nanoTime() - end).isNegative();
            page = get("action=home").text();
        }
        assertThat(SETTINGS.orderMode()).isEqualTo(OrderMode.SYNCHRONOUS);
    }
}
