package dev.penstock.daytrader.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.DayTrader;
import dev.penstock.daytrader.run.DirectCalls;
import dev.penstock.daytrader.run.ForwardedCalls;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.session.LoginLimit;
import dev.penstock.daytrader.store.TradeDatabase;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.test.TestClient;
import dev.penstock.http.test.TestRequest;
import dev.penstock.http.test.TestResponse;
import dev.penstock.service.ServiceCall;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Users who come, by pages whose services hash no password, on every database. */
@ParameterizedClass
@EnumSource(TradeDatabase.Kind.class)
class LoginIT {
    private final TradeDatabase.Kind kind;

    private TradeDatabase database;
    private DayTrader trader;
    private TestClient client;

    LoginIT(TradeDatabase.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void start() throws Exception {
        database = TradeDatabase.create(kind);
        trader =
                DayTrader.open(
                        database.source(),
                        PublicContractIT.SETTINGS,
                        store -> new UnhashedCalls(new DirectCalls(store)));
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

    private TestResponse get(String query) throws Exception {
        return client.get("/daytrader/app?" + query);
    }

    private TestResponse get(String session, String query) throws Exception {
        return client.send(TestRequest.get("/daytrader/app?" + query).cookie("daytrader", session));
    }

    /** Returns the id of a new session. */
    private String login(String userID, String password) throws Exception {
        TestResponse home = get("action=login&uid=" + userID + "&passwd=" + password);
        assertThat(home.status()).as(home.text()).isEqualTo(200);
        return session(home);
    }

    private static String session(TestResponse page) {
        return page.header("Set-Cookie").orElseThrow().replaceAll("daytrader=([^;]*);.*", "$1");
    }

    @Test
    void login_spacesAroundTheUserId_isTheSameUser() throws Exception {
        TestResponse home = get("action=login&uid=+uid:0++&passwd=xxx");
        assertThat(home.status()).isEqualTo(200);
        assertThat(home.text()).contains("<span class=\"user\">uid:0</span>");
        for (int i = 0; i < LoginLimit.MOST_FOR_USER; i++) {
            String guess = "action=login&passwd=wrong&uid=uid:0" + "+".repeat(i);
            assertThat(get(guess).status()).isEqualTo(403);
        }
        assertThat(get("action=login&uid=uid:0&passwd=xxx").status()).isEqualTo(429);
        assertThat(get("action=login&uid=uid:0+&passwd=xxx").status()).isEqualTo(429);
    }

    @Test
    void login_unknownUser_isToldAsWrongPassword() throws Exception {
        TestResponse page = get("action=login&uid=nobody&passwd=xxx");
        assertThat(page.status()).isEqualTo(403);
        assertThat(page.text()).contains("The user ID or the password is not right.");
    }

    @Test
    void newPassword_otherSessionsOfTheUser_end() throws Exception {
        String first = login("uid:1", "xxx");
        String second = login("uid:1", "xxx");
        String others = login("uid:2", "xxx");
        String update = "action=update_profile&fullname=x&password=%s&cpassword=%s";
        assertThat(get(first, update.formatted("", "")).text()).contains("updated");
        assertThat(get(second, "action=home").text()).contains("Welcome to DayTrader");
        assertThat(get(first, update.formatted("new", "new")).text()).contains("updated");
        assertThat(get(second, "action=home").text()).contains("User Not Logged in");
        assertThat(get(first, "action=home").text()).contains("Welcome to DayTrader");
        assertThat(get(others, "action=home").text()).contains("Welcome to DayTrader");
        assertThat(get("action=login&uid=uid:1&passwd=xxx").status()).isEqualTo(403);
        login("uid:1", "new");
    }

    @Test
    void reset_sessionsOfRegisteredUsers_end() throws Exception {
        String sample = login("uid:0", "xxx");
        String registered =
                session(get("action=register&user+id=ru:1&passwd=p&confirm+passwd=p&money=1000"));
        get(registered, "action=buy&symbol=s:1&quantity=1");
        assertThat(client.get("/daytrader/config?action=resetTrade").text())
                .contains("1 registered users, 1 holdings and 1 orders deleted");
        assertThat(get(registered, "action=home").text()).contains("User Not Logged in");
        assertThat(get(sample, "action=home").text()).contains("Welcome to DayTrader");
    }

    /** Calls that hash no password, as that would keep an instance from others. */
    private static final class UnhashedCalls extends ForwardedCalls {
        private static final Set<String> HASHING =
                Set.of("login", "register", "updateAccountProfile");

        UnhashedCalls(TradeCalls calls) {
            super(calls);
        }

        @Override
        public <T extends @Nullable Object> T call(
                Part part, ServiceCall<TradeServices, T, SQLException> call) throws SQLException {
            return super.call(part, services -> call.call(guarded(services)));
        }

        private static TradeServices guarded(TradeServices services) {
            return (TradeServices)
                    Proxy.newProxyInstance(
                            TradeServices.class.getClassLoader(),
                            new Class<?>[] {TradeServices.class},
                            (_, method, arguments) -> {
                                if (HASHING.contains(method.getName())) {
                                    throw new AssertionError(method.getName() + " hashes");
                                }
                                try {
                                    return method.invoke(services, arguments);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
        }
    }
}
