package dev.penstock.http.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class JacksonMapperIT extends ServerFixture {
    /** A value of the API. */
    public record Order(String product, int count, List<String> notes) {}

    private final AtomicInteger closed = new AtomicInteger();

    private Server orders() {
        return start(b ->
                b.post(
                                "/orders",
                                exchange -> {
                                    Order order = exchange.readJson(Order.class, 1_000);
                                    exchange.json(
                                            201,
                                            new Order(
                                                    order.product(),
                                                    order.count() + 1,
                                                    order.notes()));
                                })
                        .get(
                                "/many",
                                exchange ->
                                        exchange.json(
                                                200,
                                                IntStream.range(0, 100_000)
                                                        .mapToObj(i ->
                                                                new Order("p" + i, i, List.of()))
                                                        .iterator()))
                        .get(
                                "/stream",
                                exchange ->
                                        exchange.json(
                                                200,
                                                IntStream.range(0, 3)
                                                        .mapToObj(i ->
                                                                new Order("p" + i, i, List.of()))
                                                        .onClose(closed::incrementAndGet)))
                        .get("/bad", exchange -> exchange.json(200, new Bad()))
                        .get(
                                "/bad-late",
                                exchange ->
                                        exchange.json(
                                                200,
                                                Stream.concat(
                                                        IntStream.range(0, 100_000).boxed(),
                                                        Stream.of(new Bad())))));
    }

    /** A value that can't be written. */
    public static final class Bad {
        public String getText() {
            throw new IllegalStateException("on purpose");
        }
    }

    private static Reply post(Protocol protocol, Server server, String type, String body)
            throws Exception {
        try (TestClient client = protocol.connect(server.port())) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            return client.begin("POST", "/orders", "Content-Type", type).last(bytes).reply();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void json_isReadAndWritten(Protocol protocol) throws Exception {
        Server server = orders();
        Reply reply =
                post(
                        protocol,
                        server,
                        "application/json; charset=utf-8",
                        "{\"product\":\"valve\",\"count\":2,\"notes\":[\"a\",\"ü\"]}");
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.header("Content-Type")).contains("application/json");
        assertThat(reply.text())
                .isEqualTo("{\"product\":\"valve\",\"count\":3,\"notes\":[\"a\",\"ü\"]}");
        try (TestClient client = protocol.connect(server.port())) {
            String many = client.get("/many").reply().text();
            assertThat(many).startsWith("[{").endsWith("}]").contains("\"p99999\"");
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void json_thatCannotBeRead_isTheClientsError(Protocol protocol) throws Exception {
        Server server = orders();
        String json = "application/json";
        assertThat(post(protocol, server, "text/plain", "{}").status()).isEqualTo(415);
        assertThat(post(protocol, server, json, "{\"product\":\n 1x}").text())
                .contains("The JSON can't be read at line 2");
        assertThat(post(protocol, server, json, "{\"count\":\"many\"}").text())
                .contains("member /count");
        assertThat(post(protocol, server, json, "{\"other\":1}").status()).isEqualTo(400);
        assertThat(post(protocol, server, json, "{} {}").status()).isEqualTo(400);
        assertThat(post(protocol, server, json, "{\"count\":1,\"count\":2}").status())
                .isEqualTo(400);
        assertThat(post(protocol, server, json, "").status()).isEqualTo(400);
        assertThat(post(protocol, server, json, "null").status()).isEqualTo(400);
        assertThat(post(protocol, server, json, "[".repeat(900)).status()).isEqualTo(400);
        assertThat(post(protocol, server, json, " ".repeat(1_001)).status()).isEqualTo(413);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void json_tooLargeWithinAMember_is413(Protocol protocol) throws Exception {
        Server server = orders();
        String json = "application/json";
        String notes = "\"" + "x".repeat(2_000) + "\"";
        String large = "{\"product\":\"a\",\"count\":1,\"notes\":[\"b\"," + notes + "]}";
        Reply reply = post(protocol, server, json, large);
        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.text()).contains("larger than the 1000 bytes");
        try (TestClient client = protocol.connect(server.port())) {
            // Without a length, so that it is the mapper that reads beyond the limit.
            client.begin("POST", "/orders", "Content-Type", json);
            reply = client.last(large.getBytes(StandardCharsets.UTF_8)).reply();
            assertThat(reply.status()).isEqualTo(413);
        }
    }

    /** A type of which there are no values. */
    public interface Shape {}

    /** One with a member of such a type. */
    public record Drawing(Shape shape) {}

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void json_ofATypeThatCannotBeRead_isTheServersError(Protocol protocol) throws Exception {
        for (Class<?> type : List.of(Shape.class, Drawing.class)) {
            Server server = start(b -> b.post("/orders", x -> x.readJson(type, 1_000)));
            Reply reply = post(protocol, server, "application/json", "{\"shape\":{}}");
            assertThat(reply.status()).as(type.getName()).isEqualTo(500);
            assertThat(reply.text()).doesNotContain("Shape");
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void json_inAnotherCharacterSet_isRefused(Protocol protocol) throws Exception {
        Server server = orders();
        for (String charset : List.of("iso-8859-1", "utf-16", "klingon")) {
            Reply reply = post(protocol, server, "application/json; charset=" + charset, "{}");
            assertThat(reply.status()).as(charset).isEqualTo(415);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void json_ofAStream_isAnArrayAndTheStreamIsClosed(Protocol protocol) throws Exception {
        Server server = orders();
        try (TestClient client = protocol.connect(server.port())) {
            assertThat(client.get("/stream").reply().text())
                    .startsWith("[{\"product\":\"p0\",")
                    .endsWith("\"count\":2,\"notes\":[]}]");
        }
        assertThat(closed).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void json_thatCannotBeWritten_isNeverAWholeAnswer(Protocol protocol) throws Exception {
        Server server = orders();
        try (TestClient client = protocol.connect(server.port())) {
            Reply reply = client.get("/bad").reply();
            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.text()).doesNotContain("on purpose", "Bad");
        }
        try (TestClient client = protocol.connect(server.port())) {
            assertThatThrownBy(() -> client.get("/bad-late").reply())
                    .isInstanceOf(IOException.class);
        }
    }
}
