package dev.penstock.daytrader.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.DayTrader;
import dev.penstock.daytrader.store.TradeDatabase;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.test.TestClient;
import dev.penstock.http.test.TestRequest;
import dev.penstock.http.test.TestResponse;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The configuration, by its forms. */
class ConfigIT {
    private static final String TOKEN = "a+secret/of=16";

    private TradeDatabase database;
    private DayTrader trader;
    private TestClient client;

    @BeforeEach
    void start() throws Exception {
        database = TradeDatabase.create(TradeDatabase.Kind.H2);
        trader =
                DayTrader.open(
                        database.source(),
                        PublicContractIT.SETTINGS
                                .withPlainRequests(false)
                                .withConfigToken(TOKEN::equals));
        trader.populate((_, _) -> {});
        ServerBuilder server = Server.builder();
        trader.mount(server);
        client = TestClient.overSocket(server);
    }

    @AfterEach
    void booksBalance() throws Exception {
        try (TradeDatabase _ = database;
                DayTrader _ = trader;
                TestClient _ = client) {
            assertThat(trader.store().checkBooks().broken()).isEmpty();
        }
    }

    /** Sends a form as from another machine. */
    private TestResponse fromElsewhere(Map<String, String> form) throws Exception {
        return client.send(
                TestRequest.post("/daytrader/config")
                        .header("X-Forwarded-For", "192.0.2.1")
                        .form(form));
    }

    @Test
    void config_givenToken_isInItsFormAndItsRefresh() throws Exception {
        assertThat(client.get("/daytrader/config").text()).doesNotContain("name=\"token\"");
        assertThat(client.get("/daytrader/config?token=wrong").text())
                .doesNotContain("name=\"token\"");
        assertThat(fromElsewhere(Map.of()).status()).isEqualTo(403);
        assertThat(fromElsewhere(Map.of("token", TOKEN)).text())
                .contains("name=\"token\" value=\"" + TOKEN + "\"");
        try (Connection lock = database.source().getConnection();
                Statement statement = lock.createStatement()) {
            // The rebuild waits for this, so it runs when its page is made.
            lock.setAutoCommit(false);
            statement.execute("UPDATE accountejb SET logincount = 1");
            TestResponse page = fromElsewhere(Map.of("token", TOKEN, "action", "buildDB"));
            assertThat(page.header("Refresh"))
                    .contains("1; url=/daytrader/config?token=a%2Bsecret%2Fof%3D16");
            lock.rollback();
        }
        TestResponse page;
        do {
            page = fromElsewhere(Map.of("token", TOKEN));
            // Whether the rebuild runs is looked at once for all of a page.
            assertThat(page.header("Refresh").isPresent())
                    .isEqualTo(page.text().contains("<progress"));
        } while (page.header("Refresh").isPresent());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dance | ASYNCHRONOUS | 404 | There is no action 'dance'.",
                "updateConfig | soon | 400 | is 'soon'; it can be SYNCHRONOUS or ASYNCHRONOUS.",
                "updateConfig | '' | 400 | is missing",
            })
    void action_thatIsNone_isRefusedAndChangesNothing(
            String action, String orderMode, int status, String text) throws Exception {
        TestResponse set =
                client.send(
                        TestRequest.post("/daytrader/config")
                                .form(
                                        Map.of(
                                                "action",
                                                "updateConfig",
                                                "orderMode",
                                                "ASYNCHRONOUS")));
        assertThat(set.status()).isEqualTo(200);
        TestResponse page =
                client.send(
                        TestRequest.post("/daytrader/config")
                                .form(Map.of("action", action, "orderMode", orderMode)));
        assertThat(page.status()).isEqualTo(status);
        assertThat(page.text().replace("&#39;", "'")).contains(text);
        assertThat(client.get("/daytrader/config").text()).contains("asynchronous");
    }
}
