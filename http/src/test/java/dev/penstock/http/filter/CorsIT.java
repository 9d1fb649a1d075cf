package dev.penstock.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("any-loops")
final class CorsIT extends ServerFixture {
    private static final String SHOP = "https://shop.example";

    private Server server(Cors cors) {
        return start(
                b -> b.filter(cors).get("/", exchange -> exchange.respond(200, "text/plain", "x")));
    }

    private static Reply ask(Protocol protocol, Server server, String method, String... headers)
            throws Exception {
        try (TestClient client = protocol.connect(server.port())) {
            return client.send(method, "/", headers).reply();
        }
    }

    /** Asks as a browser does before it sends a request to another origin, with the headers that this would have. */
    private static Reply preflight(
            Protocol protocol, Server server, String origin, String method, String... headers)
            throws Exception {
        List<String> all = new ArrayList<>(List.of("Origin", origin));
        all.addAll(List.of("Access-Control-Request-Method", method));
        if (headers.length > 0) {
            all.addAll(List.of("Access-Control-Request-Headers", String.join(", ", headers)));
        }
        return ask(protocol, server, "OPTIONS", all.toArray(String[]::new));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void origin_allowed_mayRead(Protocol protocol) throws Exception {
        Server server = server(Cors.of(SHOP).credentials().exposedHeaders("ETag"));
        Reply reply = ask(protocol, server, "GET", "Origin", SHOP);
        assertThat(reply.header("Access-Control-Allow-Origin")).contains(SHOP);
        assertThat(reply.header("Access-Control-Allow-Credentials")).contains("true");
        assertThat(reply.header("Access-Control-Expose-Headers")).contains("ETag");
        assertThat(reply.header("Vary"))
                .hasValueSatisfying(vary -> assertThat(vary).contains("Origin"));
        assertThat(
                        ask(protocol, server, "GET", "Origin", "https://evil.example")
                                .header("Access-Control-Allow-Origin"))
                .isEmpty();
        assertThat(ask(protocol, server, "GET").header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(
                        ask(protocol, server, "DELETE", "Origin", SHOP)
                                .header("Access-Control-Allow-Origin"))
                .as("an error, too")
                .contains(SHOP);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void preflight_isAnsweredByWhatIsAllowed(Protocol protocol) throws Exception {
        Server server =
                server(
                        Cors.of(SHOP)
                                .methods("GET", "PUT")
                                .requestHeaders("Content-Type")
                                .maxAge(Duration.ofHours(1)));
        Reply reply = preflight(protocol, server, SHOP, "PUT", "content-type");
        assertThat(reply.status()).isEqualTo(204);
        assertThat(reply.header("Access-Control-Allow-Methods")).contains("GET, PUT");
        assertThat(reply.header("Access-Control-Allow-Headers")).contains("Content-Type");
        assertThat(reply.header("Access-Control-Max-Age")).contains("3600");
        assertThat(preflight(protocol, server, SHOP, "DELETE").status()).isEqualTo(403);
        assertThat(preflight(protocol, server, "https://evil.example", "GET").status())
                .isEqualTo(403);
        assertThat(preflight(protocol, server, SHOP, "GET", "x-secret", "content-type").text())
                .contains("they may send Content-Type");
        assertThat(ask(protocol, server, "OPTIONS").header("Allow")).contains("GET, HEAD, OPTIONS");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void preflight_ofAPathWithRoutesOfSeveralGroups_isThatOfTheMethodsRoute(Protocol protocol)
            throws Exception {
        Server server =
                start(b ->
                        b.get("/", exchange -> exchange.respond(200, "text/plain", "x"))
                                .group(
                                        "",
                                        shop ->
                                                shop.filter(Cors.of(SHOP).methods("PUT"))
                                                        .put(
                                                                "/",
                                                                exchange -> exchange.status(204))));
        for (String method : new String[] {"PUT", "GET"}) {
            Reply reply = preflight(protocol, server, SHOP, method);
            assertThat(reply.header("Access-Control-Allow-Methods").isPresent())
                    .as(method)
                    .isEqualTo(method.equals("PUT"));
        }
    }

    @Test
    void settings_thatContradict_areRefused() {
        assertThatThrownBy(() -> Cors.anyOrigin().credentials())
                .hasMessageContaining("name the origins");
        assertThatThrownBy(() -> Cors.of("https://shop.example/"))
                .hasMessageContaining("No origin");
        assertThatThrownBy(() -> Cors.of("shop.example")).hasMessageContaining("No origin");
        assertThatThrownBy(() -> Cors.of("null")).hasMessageContaining("No origin");
    }
}
