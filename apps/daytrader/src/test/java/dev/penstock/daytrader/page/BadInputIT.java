package dev.penstock.daytrader.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.DayTrader;
import dev.penstock.daytrader.run.DirectCalls;
import dev.penstock.daytrader.run.ForwardedCalls;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.session.LoginLimit;
import dev.penstock.daytrader.store.TradeDatabase;
import dev.penstock.daytrader.trade.Account;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.test.TestClient;
import dev.penstock.http.test.TestRequest;
import dev.penstock.http.test.TestResponse;
import dev.penstock.service.ServiceCall;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that can't be meant: each is refused with a status and a sentence, and nothing is changed. */
class BadInputIT {
    private TradeDatabase database;
    private DayTrader trader;
    private TradeServices services;
    private TestClient client;

    @BeforeEach
    void start() throws Exception {
        database = TradeDatabase.create(TradeDatabase.Kind.H2);
        open(true);
        trader.populate((_, _) -> {});
    }

    private void open(boolean plainRequests) throws Exception {
        trader =
                DayTrader.open(
                        database.source(),
                        PublicContractIT.SETTINGS
                                .withPlainRequests(plainRequests)
                                .withConfigToken("secret"::equals));
        services = trader.store().services();
        client = serve(trader);
    }

    private static TestClient serve(DayTrader mounted) throws Exception {
        ServerBuilder server = Server.builder();
        mounted.mount(server);
        return TestClient.overSocket(server).keepCookies();
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
        return client.get("/daytrader/app?" + query);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "action=buy&symbol=s:1&quantity=0 | 400 | whole number from 1 to",
                "action=buy&symbol=s:1&quantity=-5 | 400 | whole number from 1 to",
                "action=buy&symbol=s:1&quantity=1.5 | 400 | whole number from 1 to",
                "action=buy&symbol=s:1&quantity=99999999999999999999999 | 400 | whole number from 1 to",
                "action=buy&symbol=s:1&quantity=1e3 | 400 | must be a whole number",
                "action=buy&symbol=s:1&quantity=1e999999999 | 400 | must be a whole number",
                "action=buy&symbol=s:1&quantity=1.00000000000000000001 | 400 | whole number from 1 to",
                "action=buy&symbol=s:1&quantity= | 400 | missing",
                "action=buy&symbol=s:1&quantity=1000000 | 409 | The balance is too small",
                "action=buy&symbol=none&quantity=1 | 404 | There is no stock",
                "action=buy&symbol=%3Cscript%3Ealert(1)%3C/script%3E&quantity=1 | 404 | no stock",
                "action=buy&symbol=a%01b&quantity=1 | 400 | can't be shown",
                "action=sell&holdingID=999999999 | 404 | You have no holding",
                "action=sell&holdingID=99999999999 | 400 | must be a whole number",
                "action=sell&holdingID=-1 | 400 | must be a whole number",
                "action=sell | 400 | missing",
                "action=dance | 404 | There is no action",
                "action=quotes&symbols=%3Cb%3E | 200 | There is no such stock",
                "action=update_profile&userID=uid:1&fullname=x | 400 | your own profile",
                "action=update_profile&userID=uid:0&password=a&cpassword=b | 400 | not the same",
            })
    void action_badInput_isRefusedAndChangesNothing(String query, int status, String text)
            throws Exception {
        get("action=login&uid=uid:0&passwd=xxx");
        Account before = services.getAccountData("uid:0");
        var profile = services.getAccountProfileData("uid:0");
        var holdings = services.getHoldings("uid:0");
        TestResponse page = get(query);
        assertThat(page.status()).as(page.text()).isEqualTo(status);
        assertThat(page.text().replace("&#39;", "'"))
                .contains(text)
                .doesNotContain("<script>alert");
        assertThat(services.getAccountData("uid:0")).isEqualTo(before);
        assertThat(services.getAccountProfileData("uid:0")).isEqualTo(profile);
        assertThat(services.getHoldings("uid:0")).isEqualTo(holdings);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "user id=uid:0 | 409 | is taken",
                "user id= | 400 | missing",
                "user id=+x | 400 | begins or ends with a space",
                "passwd=other | 400 | not the same",
                "money=-1 | 400 | opening balance",
                "money=1e9 | 400 | opening balance",
                "money=1.001 | 400 | opening balance",
                "money=999999999 | 400 | opening balance",
                "money=NaN | 400 | opening balance",
                "email=a%01b | 400 | can't be shown",
            })
    void register_badInput_isRefused(String change, int status, String text) throws Exception {
        var fields =
                new java.util.LinkedHashMap<>(
                        Map.of(
                                "user id",
                                "new",
                                "passwd",
                                "p",
                                "confirm passwd",
                                "p",
                                "money",
                                "100"));
        String[] parts = change.split("=", 2);
        fields.put(
                parts[0],
                java.net.URLDecoder.decode(parts[1], java.nio.charset.StandardCharsets.UTF_8));
        TestResponse page =
                client.send(TestRequest.post("/daytrader/app?action=register").form(fields));
        assertThat(page.status()).as(page.text()).isEqualTo(status);
        assertThat(page.text().replace("&#39;", "'")).contains(text);
        assertThat(get("action=login&uid=new&passwd=p").status()).isEqualTo(403);
    }

    @Test
    void register_scriptInEveryField_isShownAsText() throws Exception {
        String script = "<script>alert(1)</script>\"'&";
        client.send(
                TestRequest.post("/daytrader/app?action=register")
                        .form(
                                Map.of(
                                        "user id",
                                        script,
                                        "passwd",
                                        "p",
                                        "confirm passwd",
                                        "p",
                                        "money",
                                        "100",
                                        "Full Name",
                                        script,
                                        "snail mail",
                                        script,
                                        "email",
                                        script,
                                        "Credit Card Number",
                                        script)));
        for (String action : List.of("home", "account", "portfolio", "quotes")) {
            TestResponse page = get("action=" + action);
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.text()).doesNotContain("<script>alert").contains("&lt;script");
            assertThat(page.header("Content-Security-Policy").orElse(""))
                    .contains("script-src 'self'", "default-src 'none'");
        }
    }

    @Test
    void sell_otherPeoplesOrTwice_isRefused() throws Exception {
        services.buy("uid:1", "s:1", 5, OrderMode.SYNCHRONOUS);
        Holding others = services.getHoldings("uid:1").getFirst();
        get("action=login&uid=uid:0&passwd=xxx");
        assertThat(get("action=sell&holdingID=" + others.holdingID()).status()).isEqualTo(404);
        get("action=login&uid=uid:1&passwd=xxx");
        assertThat(get("action=sell&holdingID=" + others.holdingID()).status()).isEqualTo(200);
        assertThat(get("action=sell&holdingID=" + others.holdingID()).status()).isEqualTo(404);
    }

    @Test
    void login_wrongPasswords_areLimited() throws Exception {
        for (int i = 0; i < LoginLimit.MOST_FOR_USER; i++) {
            TestResponse page = get("action=login&uid=uid:0&passwd=wrong");
            assertThat(page.status()).isEqualTo(403);
            assertThat(page.text()).contains("is not right");
        }
        TestResponse limited = get("action=login&uid=uid:0&passwd=xxx");
        assertThat(limited.status()).isEqualTo(429);
        assertThat(Integer.parseInt(limited.header("Retry-After").orElseThrow())).isBetween(1, 301);
        assertThat(get("action=login&uid=uid:1&passwd=xxx").status()).isEqualTo(200);
    }

    @Test
    void login_manyGuessesAtOnce_tenAreTold() throws Exception {
        URI guess = client.uri("/daytrader/app?action=login&uid=uid:0&passwd=wrong");
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        try (HttpClient guesser = HttpClient.newHttpClient()) {
            for (int i = 0; i < 4 * LoginLimit.MOST_FOR_USER; i++) {
                answers.add(
                        guesser.sendAsync(
                                HttpRequest.newBuilder(guess).build(),
                                HttpResponse.BodyHandlers.ofString()));
            }
            assertThat(answers.stream().map(answer -> answer.join().statusCode()).toList())
                    .containsOnly(403, 429)
                    .filteredOn(status -> status == 403)
                    .hasSize(LoginLimit.MOST_FOR_USER);
        }
    }

    @Test
    void buy_alertsCantBeRead_isToldAsSubmitted() throws Exception {
        client.close();
        trader.close();
        AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
        trader =
                DayTrader.open(
                        database.source(),
                        PublicContractIT.SETTINGS,
                        store -> new EndingCalls(new DirectCalls(store), left));
        services = trader.store().services();
        client = serve(trader);
        get("action=login&uid=uid:0&passwd=xxx");
        left.set(1);
        TestResponse page = get("action=buy&symbol=s:1&quantity=1");
        left.set(Integer.MAX_VALUE);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).contains("has been submitted").doesNotContain("orders completed");
        assertThat(get("action=home").text()).contains("orders completed");
    }

    /** Calls of which so many more succeed, but for those of the application itself, which come every ten seconds. */
    private static final class EndingCalls extends ForwardedCalls {
        private final AtomicInteger left;

        EndingCalls(TradeCalls calls, AtomicInteger left) {
            super(calls);
            this.left = left;
        }

        @Override
        public <T extends @Nullable Object> T call(
                Part part, ServiceCall<TradeServices, T, SQLException> call) throws SQLException {
            boolean isOfARequest = !Thread.currentThread().getName().equals("penstock-daytrader");
            if (isOfARequest && left.getAndDecrement() <= 0) {
                throw new SQLException("injected");
            }
            return super.call(part, call);
        }
    }

    @Test
    void action_fromAnotherSite_isRefused() throws Exception {
        get("action=login&uid=uid:0&passwd=xxx");
        String buy = "/daytrader/app?action=buy&symbol=s:1&quantity=1";
        TestResponse crossSite =
                client.send(TestRequest.get(buy).header("Sec-Fetch-Site", "cross-site"));
        assertThat(crossSite.status()).isEqualTo(403);
        TestResponse origin =
                client.send(TestRequest.post(buy).header("Origin", "https://elsewhere.example"));
        assertThat(origin.status()).isEqualTo(403);
        assertThat(services.getOrders("uid:0").getFirst().status().word()).isEqualTo("completed");
        assertThat(client.get(buy).status()).isEqualTo(200);
    }

    @Test
    void action_behindAProxyWithAnotherHost_isDoneIfTheBrowserSaysSameOrigin() throws Exception {
        get("action=login&uid=uid:0&passwd=xxx");
        TestRequest buy =
                TestRequest.post("/daytrader/app?action=buy&symbol=s:1&quantity=1")
                        .header("Origin", "https://trade.example")
                        .header("Sec-Fetch-Site", "same-origin");
        assertThat(client.send(buy).text()).contains("has been submitted");
        TestRequest sameSite =
                TestRequest.post("/daytrader/app?action=buy&symbol=s:1&quantity=1")
                        .header("Sec-Fetch-Site", "same-site");
        assertThat(client.send(sameSite).status()).isEqualTo(403);
    }

    @Test
    void action_withoutTokenWherePlainRequestsAreNotTaken_isRefused() throws Exception {
        client.close();
        trader.close();
        open(false);
        assertThat(get("action=login&uid=uid:0&passwd=xxx").status()).isEqualTo(403);
        TestResponse home =
                client.send(
                        TestRequest.post("/daytrader/app?action=login")
                                .form(Map.of("uid", "uid:0", "passwd", "xxx")));
        assertThat(home.status()).isEqualTo(200);
        TestRequest buy = TestRequest.post("/daytrader/app?action=buy&symbol=s:1&quantity=1");
        assertThat(client.send(buy.form(Map.of("token", "guessed"))).status()).isEqualTo(403);
        assertThat(get("action=buy&symbol=s:1&quantity=1").status()).isEqualTo(403);
        Matcher token = Pattern.compile("name=\"token\" value=\"([\\w-]+)\"").matcher(home.text());
        assertThat(token.find()).isTrue();
        TestRequest meant = TestRequest.post("/daytrader/app?action=buy&symbol=s:1&quantity=1");
        assertThat(client.send(meant.form(Map.of("token", token.group(1)))).text())
                .contains("has been submitted");
        assertThat(client.get("/daytrader/scenario").status()).isEqualTo(404);
    }

    @Test
    void config_throughAProxy_asksForAToken() throws Exception {
        TestRequest proxied =
                TestRequest.get("/daytrader/config").header("X-Forwarded-For", "192.0.2.1");
        assertThat(client.send(proxied).status()).isEqualTo(403);
        TestRequest withToken =
                TestRequest.get("/daytrader/config")
                        .header("X-Forwarded-For", "192.0.2.1")
                        .header("Authorization", "Bearer secret");
        assertThat(client.send(withToken).status()).isEqualTo(200);
        TestRequest wrong =
                TestRequest.get("/daytrader/config?token=wrong").header("Via", "1.1 proxy");
        assertThat(client.send(wrong).status()).isEqualTo(403);
    }

    @Test
    void rest_badSymbols_areProblems() throws Exception {
        assertThat(client.get("/daytrader/rest/quotes/a%20%C3%A9").status()).isEqualTo(400);
        String many =
                String.join(
                        ",",
                        java.util.stream.IntStream.range(0, 101).mapToObj(i -> "s:" + i).toList());
        assertThat(client.get("/daytrader/rest/quotes/" + many).status()).isEqualTo(400);
        assertThat(get("action=login&uid=uid:0&passwd=xxx").status()).isEqualTo(200);
        assertThat(get("action=quotes&symbols=" + many).status()).isEqualTo(400);
    }
}
