package dev.penstock.http.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Cookie;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.form.Form;
import dev.penstock.http.form.Multipart;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
class TestClientIT {
    @SuppressWarnings("ImmutableEnumChecker") // Nobody can set it.
    enum Way {
        IN_MEMORY,
        OVER_SOCKET;

        TestClient client() {
            return switch (this) {
                case IN_MEMORY -> TestClient.of(routes());
                case OVER_SOCKET -> TestClient.overSocket(routes());
            };
        }
    }

    private static void text(Exchange exchange, String text) {
        exchange.respond(200, "text/plain; charset=utf-8", text);
    }

    private static ServerBuilder routes() {
        byte[] large = new byte[3_000_000];
        Arrays.fill(large, (byte) 'x');
        return Server.builder()
                .get("/hello/{name}", x -> text(x, x.pathParameter("name") + "?" + x.query()))
                .get("/path/{rest...}", x -> text(x, x.pathParameter("rest")))
                .post("/form", x -> text(x, Form.of(x).field("a").orElse("none")))
                .post("/echo", x -> x.respond(200, "x/y", x.readBytes(5_000_000)))
                .post("/type", x -> text(x, x.contentType().orElseThrow().name() + x.readText(9)))
                .post("/parts", TestClientIT::parts)
                .get("/large", x -> x.respond(200, "image/png", large))
                .get("/endless", TestClientIT::endless)
                .get("/set", x -> text(x.cookie(Cookie.of("a", "1")), "set"))
                .get("/set-below", x -> text(x.cookie(Cookie.of("b", "2").path("/c")), "set"))
                .get("/forget", x -> text(x.cookie(Cookie.expired("a")), "forgotten"))
                .get("/cookies", x -> text(x, String.join("; ", x.headers("Cookie"))))
                .get("/c/cookies", x -> text(x, String.join("; ", x.headers("Cookie"))))
                .get(
                        "/later",
                        x ->
                                x.suspend(Duration.ofMinutes(1))
                                        .resumeAfter(
                                                Duration.ofMillis(5),
                                                later -> text(later, "later")))
                .get("/never", x -> x.suspend(Duration.ofMinutes(5)))
                .get(
                        "/half",
                        x -> {
                            x.body("text/plain").flush();
                            x.suspend(Duration.ofMinutes(5));
                        })
                .get(
                        "/refused",
                        _ -> {
                            throw new HttpException(409, "not now").header("Retry-After", "7");
                        })
                .get(
                        "/breaks",
                        x -> {
                            var body = x.body("text/plain");
                            body.write(ByteBuffer.allocate(100_000));
                            body.flush();
                            throw new IOException("on purpose");
                        });
    }

    private static void parts(Exchange exchange) throws IOException {
        StringBuilder all = new StringBuilder();
        Multipart.of(exchange)
                .forEach(part -> {
                    all.append(part.name()).append('|').append(part.fileName().orElse("-"));
                    all.append('|').append(part.readText(100)).append(';');
                });
        text(exchange, all.toString());
    }

    private static void endless(Exchange exchange) throws IOException {
        var body = exchange.body("image/png");
        while (true) {
            body.write(ByteBuffer.allocate(1_000_000));
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void requests_withAndWithoutSocket_areAnsweredAlike(Way way) throws Exception {
        try (TestClient client = way.client()) {
            TestResponse hello = client.get("/hello/a%20b?x=%C3%BC");
            assertThat(hello.status()).isEqualTo(200);
            assertThat(hello.text()).isEqualTo("a b?x=%C3%BC");
            assertThat(hello.header("content-type")).contains("text/plain; charset=utf-8");
            assertThat(client.get("/path/a/..%2f;x/%2e").text()).isEqualTo("a/../;x/.");
            assertThat(client.get("/large").body()).hasSize(3_000_000);
            assertThat(client.get("/later").text()).isEqualTo("later");
            assertThat(client.get("/none").status()).isEqualTo(404);
            TestResponse refused = client.get("/refused");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.header("Retry-After")).contains("7");
            assertThat(refused.text()).contains("not now");
            assertThat(client.send(TestRequest.of("HEAD", "/large")).header("Content-Length"))
                    .contains("3000000");
            assertThat(client.send(TestRequest.delete("/large")).header("Allow")).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void bodies_ofAllKinds_arrive(Way way) throws Exception {
        try (TestClient client = way.client()) {
            TestRequest form = TestRequest.post("/form").form(Map.of("a", "ü & b"));
            assertThat(client.send(form).text()).isEqualTo("ü & b");
            for (int length : new int[] {0, 1, 16_383, 16_384, 16_385, 65_537, 2_000_003}) {
                byte[] body = new byte[length];
                new Random(length).nextBytes(body);
                assertThat(client.send(TestRequest.post("/echo").body("x/y", body)).body())
                        .isEqualTo(body);
            }
            assertThat(client.send(TestRequest.post("/type").json("{}")).text())
                    .isEqualTo("application/json{}");
            assertThat(client.send(TestRequest.post("/type").json("{}").body("a/b", "1")).text())
                    .isEqualTo("a/b1");
            byte[] file = "content".getBytes(StandardCharsets.UTF_8);
            TestRequest parts =
                    TestRequest.post("/parts")
                            .field("a", "ä")
                            .file("b", "x \"y\".txt", "text/plain", file)
                            .field("c", "");
            assertThat(client.send(parts).text()).isEqualTo("a|-|ä;b|x \"y\".txt|content;c|-|;");
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void cookies_kept_areBroughtUntilTheyExpire(Way way) throws Exception {
        try (TestClient server = way.client()) {
            TestClient client = server.keepCookies();
            assertThat(client.get("/cookies").text()).isEmpty();
            assertThat(client.get("/set").cookie("a")).contains("1");
            client.get("/set-below");
            assertThat(client.get("/cookies?x").text()).isEqualTo("a=1");
            assertThat(client.get("/c/cookies").text()).isEqualTo("a=1; b=2");
            assertThat(server.get("/cookies").text()).isEmpty();
            client.get("/forget");
            assertThat(client.get("/cookies").text()).isEmpty();
            TestRequest own = TestRequest.get("/cookies").cookie("own", "3");
            assertThat(client.send(own).text()).isEqualTo("own=3");
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void responses_brokenLateOrTooLarge_areErrors(Way way) throws Exception {
        try (TestClient client = way.client()) {
            assertThatThrownBy(() -> client.get("/breaks"))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("The response to GET /breaks was broken off");
            assertThatThrownBy(() -> client.get("/endless")).isInstanceOf(IOException.class);
            for (String path : new String[] {"/never", "/half"}) {
                Duration timeout = Duration.ofMillis(50);
                assertThatThrownBy(() -> client.send(TestRequest.get(path), timeout))
                        .isInstanceOf(IOException.class)
                        .hasMessage("GET %s was not answered within PT0.05S".formatted(path));
            }
        }
    }

    @Test
    void uri_ofAServerWithPort_isForOtherClients() throws Exception {
        try (TestClient client = TestClient.overSocket(routes());
                HttpClient other = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(client.uri("/hello/x")).build();
            assertThat(other.send(request, BodyHandlers.ofString()).body()).isEqualTo("x?");
        }
        try (TestClient client = TestClient.of(routes())) {
            assertThatThrownBy(() -> client.uri("/"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("TestClient.overSocket");
        }
    }
}
