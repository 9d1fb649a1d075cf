package dev.penstock.http.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("any-loops")
final class AuthenticationIT extends ServerFixture {
    private Server server(Authentication authentication) {
        return start(b ->
                b.before(authentication)
                        .get(
                                "/",
                                x ->
                                        x.respond(
                                                200,
                                                "text/plain",
                                                x.attribute(Authentication.USER).orElseThrow())));
    }

    private static Reply ask(Protocol protocol, Server server, String credentials)
            throws Exception {
        try (TestClient client = protocol.connect(server.port())) {
            return client.get("/", "Authorization", credentials).reply();
        }
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void user_withTheRightPassword_isKnown(Protocol protocol) throws Exception {
        Map<String, String> passwords = Map.of("ada", "engine: ü", "empty", "");
        Server server = server(Authentication.basic("board", passwords));
        assertThat(ask(protocol, server, basic("ada:engine: ü")).text()).isEqualTo("ada");
        assertThat(ask(protocol, server, basic("empty:")).text()).isEqualTo("empty");
        for (String pair : new String[] {"ada:", "ada:engine", "nobody:", ":", "ada", "empty:x"}) {
            Reply reply = ask(protocol, server, basic(pair));
            assertThat(reply.status()).as(pair).isEqualTo(401);
            assertThat(reply.header("WWW-Authenticate"))
                    .contains("Basic realm=\"board\", charset=\"UTF-8\"");
        }
        for (String header : new String[] {"Basic", "Basic %", "Bearer x", "x".repeat(5_000)}) {
            assertThat(ask(protocol, server, header).status()).as(header).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void token_ofAUser_isKnown(Protocol protocol) throws Exception {
        Server server =
                server(
                        Authentication.bearer(
                                "api", Map.of("t-1", "ada", "t-2", "ada", "t-3", "bo")));
        assertThat(ask(protocol, server, "Bearer t-1").text()).isEqualTo("ada");
        assertThat(ask(protocol, server, "bearer t-2").text()).isEqualTo("ada");
        assertThat(ask(protocol, server, "Bearer t-3").text()).isEqualTo("bo");
        for (String header : new String[] {"Bearer t-4", "Bearer", "t-1", basic("ada:t-1")}) {
            assertThat(ask(protocol, server, header).status()).as(header).isEqualTo(401);
        }
    }
}
