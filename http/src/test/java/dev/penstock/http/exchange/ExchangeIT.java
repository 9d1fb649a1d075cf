package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.message.HttpDate;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests of what a handler and an ordinary client see of each other. */
final class ExchangeIT extends ServerFixture {
    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";

    @Test
    void response_ofFewBytes_hasLengthDateAndKeepsTheConnection() throws Exception {
        Server server = start(b -> b.get("/hi", x -> x.respond(200, "text/plain", "hello")));
        try (RawClient client = new RawClient(server.port())) {
            for (int i = 0; i < 3; i++) {
                Reply reply = client.send("GET /hi" + HOST + "\r\n").reply();
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.text()).isEqualTo("hello");
                assertThat(reply.header("Content-Length")).contains("5");
                assertThat(reply.header("Content-Type")).contains("text/plain");
                assertThat(HttpDate.parse(reply.header("Date").orElseThrow())).isPresent();
                assertThat(reply.header("Server")).isEmpty();
                assertThat(reply.header("Connection")).isEmpty();
            }
        }
    }

    @Test
    void response_beyondOneBuffer_isChunkedAndWhole() throws Exception {
        byte[] page = new byte[1_000_003];
        new Random(7).nextBytes(page);
        Server server =
                start(b ->
                        b.get(
                                "/big",
                                x -> {
                                    try (ResponseBody body = x.body("application/x")) {
                                        for (int at = 0; at < page.length; at += 777) {
                                            body.write(
                                                    ByteBuffer.wrap(
                                                            page,
                                                            at,
                                                            Math.min(777, page.length - at)));
                                        }
                                    }
                                }));
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send("GET /big" + HOST + "\r\n").reply();
            assertThat(reply.header("Transfer-Encoding")).contains("chunked");
            assertThat(reply.body()).isEqualTo(page);
            client.send("GET /big HTTP/1.0\r\n\r\n");
            Reply old = client.reply();
            assertThat(old.header("Transfer-Encoding")).isEmpty();
            assertThat(old.body()).isEqualTo(page);
        }
        HttpResponse<byte[]> modern =
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(
                                                URI.create(
                                                        "http://localhost:"
                                                                + server.port()
                                                                + "/big"))
                                        .build(),
                                HttpResponse.BodyHandlers.ofByteArray());
        assertThat(modern.body()).isEqualTo(page);
    }

    @Test
    void handler_thatThrowsBeforeTheHead_isAProblem() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                        "/bad",
                                        _ -> {
                                            throw new HttpException(400, "say \"please\"\n\u0001")
                                                    .with("position", 7)
                                                    .header("X-Hint", "please");
                                        })
                                .get(
                                        "/bug",
                                        x -> {
                                            try (ResponseBody body =
                                                    x.header("ETag", "\"1\"").body("text/html")) {
                                                body.write(ByteBuffer.wrap(new byte[100]));
                                                throw new IllegalStateException("secret");
                                            }
                                        }));
        try (RawClient client = new RawClient(server.port())) {
            Reply bad = client.send("GET /bad" + HOST + "\r\n").reply();
            assertThat(bad.status()).isEqualTo(400);
            assertThat(bad.header("Content-Type")).contains("application/problem+json");
            assertThat(bad.header("X-Hint")).contains("please");
            assertThat(bad.text())
                    .isEqualTo(
                            "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
                                    + "\"detail\":\"say \\\"please\\\"\\n\\u0001\",\"position\":7}");
            Reply bug = client.send("GET /bug" + HOST + "\r\n").reply();
            assertThat(bug.status()).isEqualTo(500);
            assertThat(bug.header("ETag")).isEmpty();
            assertThat(bug.text()).doesNotContain("secret").contains("\"status\":500");
        }
    }

    @Test
    void handler_thatThrowsAfterTheHead_resetsTheConnection() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                "/half",
                                x -> {
                                    try (ResponseBody body = x.body("text/csv")) {
                                        body.write(ByteBuffer.wrap(new byte[100]));
                                        body.flush();
                                        throw new IllegalStateException("database gone");
                                    }
                                }));
        for (String version : new String[] {"1.1", "1.0"}) {
            try (RawClient client = new RawClient(server.port())) {
                client.send("GET /half HTTP/" + version + "\r\nHost: x\r\n\r\n");
                assertThatThrownBy(client::reply)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("reset");
            }
        }
    }
}
