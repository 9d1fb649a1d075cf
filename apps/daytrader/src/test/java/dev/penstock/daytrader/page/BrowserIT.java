package dev.penstock.daytrader.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.DayTrader;
import dev.penstock.daytrader.store.TradeDatabase;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.test.TestClient;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A user in a real browser: registers, trades, and sees the market move. */
class BrowserIT {
    private static final Path PICTURES = Path.of("target", "screenshots");

    @Test
    void user_registersTradesAndLooks_seesWhatHappens() throws Exception {
        Optional<Path> chromium = Browser.installed();
        if (chromium.isEmpty()) {
            System.out.println(
                    "BrowserIT is skipped: no Chromium is installed (apt-get install chromium)");
        }
        Assumptions.assumeTrue(chromium.isPresent(), "no Chromium is installed");
        try (TradeDatabase database = TradeDatabase.create(TradeDatabase.Kind.H2);
                DayTrader trader =
                        DayTrader.open(
                                database.source(),
                                PublicContractIT.SETTINGS.withPlainRequests(false))) {
            trader.populate((_, _) -> {});
            ServerBuilder server = Server.builder();
            trader.mount(server);
            try (TestClient client = TestClient.overSocket(server);
                    Browser browser = new Browser(chromium.get())) {
                register(client, browser);
                trade(browser);
                look(trader, browser);
            }
            assertThat(trader.store().checkBooks().broken()).isEmpty();
        }
    }

    private static void register(TestClient client, Browser browser) throws Exception {
        browser.size(390, 800);
        browser.open(client.uri("/daytrader/app"));
        browser.screenshot(PICTURES.resolve("welcome.png"));
        browser.open(client.uri("/daytrader/register.jsp"));
        browser.type("Full Name", "Ann <b>Bold</b>");
        browser.type("user id", "ann");
        browser.type("passwd", "secret");
        browser.type("confirm passwd", "secret");
        browser.type("money", "50000");
        browser.screenshot(PICTURES.resolve("register.png"));
        browser.submit("form.fields");
        assertThat(browser.evaluate("document.body.innerText"))
                .contains("Welcome to DayTrader, ann", "50,000.00");
        assertThat(browser.evaluate("document.cookie")).isEmpty();
    }

    private static void trade(Browser browser) throws Exception {
        browser.type("symbols", "s:1,s:2,nothing");
        browser.submit("form.lookup");
        assertThat(browser.evaluate("document.title")).isEqualTo("DayTrader: Quotes and Trading");
        assertFits(browser);
        browser.screenshot(PICTURES.resolve("quotes.png"));
        browser.type("quantity", "7");
        browser.submit("form.trade");
        assertThat(browser.evaluate("document.body.innerText"))
                .contains("has been submitted", "Alert: orders completed");
        browser.screenshot(PICTURES.resolve("order.png"));
        browser.evaluate("document.querySelector('a[href*=portfolio]').click()");
        awaitPage("DayTrader: Portfolio", browser);
        assertThat(browser.evaluate("document.body.innerText")).contains("Number of holdings: 1");
        assertFits(browser);
        browser.screenshot(PICTURES.resolve("portfolio.png"));
        browser.submit("form.trade");
        assertThat(browser.evaluate("document.body.innerText")).contains("has been submitted");
        browser.evaluate("document.querySelector('a[href*=account]').click()");
        awaitPage("DayTrader: Account", browser);
        assertThat(browser.evaluate("document.querySelector('[name=fullname]').value"))
                .isEqualTo("Ann <b>Bold</b>");
        assertFits(browser);
        browser.screenshot(PICTURES.resolve("account.png"));
    }

    /** The title of a page is there before the rest of it. */
    private static void awaitPage(String title, Browser browser) throws Exception {
        browser.await("document.title === '" + title + "' && document.readyState === 'complete'");
    }

    /** Nothing is wider than the screen of a phone. */
    private static void assertFits(Browser browser) throws Exception {
        assertThat(browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
                .isEqualTo("true");
    }

    private static void look(DayTrader trader, Browser browser) throws Exception {
        browser.size(1200, 800);
        browser.evaluate("document.querySelector('a[href*=home]').click()");
        awaitPage("Welcome to DayTrader", browser);
        browser.await("document.getElementById('market').dataset.live === 'true'");
        try (TradeServices services = trader.store().services()) {
            services.updateQuotePriceVolume("s:7", new BigDecimal("1.07"), 100);
        }
        browser.await("document.getElementById('changes').innerText.includes('s:7')");
        browser.screenshot(PICTURES.resolve("home.png"));
        browser.submit("form.logout");
        assertThat(browser.evaluate("document.title")).isEqualTo("DayTrader Login");
    }
}
