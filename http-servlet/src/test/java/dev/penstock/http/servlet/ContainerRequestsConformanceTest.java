package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.servlet.RawClient.Reply;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests and small responses are the same wherever handlers run. */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.penstock.http.servlet.Container#each")
final class ContainerRequestsConformanceTest extends ContainerFixture {
    ContainerRequestsConformanceTest(Container container) {
        super(container);
    }

    @Test
    void request_withEscapesAndQuery_isSeenAsItWasSent() throws Exception {
        Running at =
                start(b ->
                        b.get(
                                "/a/{name}/c",
                                x ->
                                        x.respond(
                                                200,
                                                "text/plain; charset=utf-8",
                                                String.join(
                                                        "|",
                                                        x.method(),
                                                        x.path(),
                                                        x.pathParameter("name"),
                                                        x.query(),
                                                        x.parameter("q").orElse("none"),
                                                        x.header("x-One").orElse("none"),
                                                        String.join("+", x.headers("X-Two")),
                                                        x.remoteAddress()))));
        HttpResponse<String> response =
                client.send(
                        HttpRequest.newBuilder(URI.create(at.url("/a/%C3%A4%20b/c?p&q=1%2B1+2")))
                                .header("X-One", "1")
                                .header("X-Two", "2")
                                .header("X-Two", "3")
                                .build(),
                        BodyHandlers.ofString());
        assertThat(response.body()).isEqualTo("GET|/a/ä b/c|ä b|p&q=1%2B1+2|1+1 2|1|2+3|127.0.0.1");
    }

    @Test
    void response_withStatusAndHeaders_hasThemExactly() throws Exception {
        Running at =
                start(b ->
                        b.get(
                                        "/",
                                        x ->
                                                x.status(203)
                                                        .header("ETag", "\"7\"")
                                                        .respond(203, "a/b", "hi"))
                                .get("/none", x -> x.status(204))
                                .get("/not-modified", x -> x.status(304).header("ETag", "\"8\""))
                                .get("/zip", x -> x.respond(200, "text/plain", "a".repeat(5000))));
        HttpResponse<String> response = get(at, "/");
        assertThat(response.statusCode()).isEqualTo(203);
        assertThat(response.body()).isEqualTo("hi");
        assertThat(response.headers().map().keySet())
                .containsExactlyInAnyOrder("content-length", "content-type", "date", "etag");
        assertThat(response.headers().firstValue("content-type")).contains("a/b");
        try (RawClient raw = new RawClient(at.port())) {
            assertThat(raw.get("/none").reply().status()).isEqualTo(204);
            Reply unchanged = raw.get("/not-modified").reply();
            assertThat(unchanged.status()).isEqualTo(304);
            assertThat(unchanged.header("ETag")).contains("\"8\"");
            assertThat(unchanged.header("Content-Length")).isEmpty();
            raw.send("GET /zip HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
            Reply zipped = raw.reply();
            assertThat(zipped.header("Content-Encoding")).contains("gzip");
            assertThat(zipped.header("Vary")).contains("Accept-Encoding");
            assertThat(raw.get("/").reply().body()).isEqualTo("hi");
        }
    }

    @Test
    void head_ofSmallAndOfStreamingBodies_hasTheHeadAlone() throws Exception {
        Running at =
                start(b ->
                        b.get("/small", x -> x.respond(200, "text/plain", "hello"))
                                .get("/endless", x -> endless(x.body("x/y"))));
        try (RawClient raw = new RawClient(at.port())) {
            raw.send("HEAD /small HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(raw.head().header("Content-Length")).contains("5");
            raw.send("HEAD /endless HTTP/1.1\r\nHost: x\r\n\r\n");
            Reply head = raw.head();
            assertThat(head.header("Content-Type")).contains("x/y");
            assertThat(head.header("Content-Length")).isEmpty();
            assertThat(raw.get("/small").reply().body()).isEqualTo("hello");
        }
    }

    @Test
    void request_thatNothingAnswers_getsTheServersErrors() throws Exception {
        Running at =
                start(b ->
                        b.get("/here", x -> x.respond(200, "text/plain", ""))
                                .get(
                                        "/refused",
                                        _ -> {
                                            throw new HttpException(409, "Too late")
                                                    .with("since", 5)
                                                    .header("Retry-After", "7");
                                        })
                                .get(
                                        "/failed",
                                        _ -> {
                                            throw new IllegalStateException("secret");
                                        }));
        HttpResponse<String> missing = get(at, "/there");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.headers().firstValue("Content-Type"))
                .contains("application/problem+json");
        assertThat(missing.body()).contains("There is nothing at this path");
        HttpResponse<String> wrong = send(at, "POST", "/here");
        assertThat(wrong.statusCode()).isEqualTo(405);
        assertThat(wrong.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
        HttpResponse<String> options = send(at, "OPTIONS", "/here");
        assertThat(options.statusCode()).isEqualTo(204);
        assertThat(options.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
        HttpResponse<String> refused = get(at, "/refused");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.headers().firstValue("Retry-After")).contains("7");
        assertThat(refused.body())
                .isEqualTo(
                        "{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409,"
                                + "\"detail\":\"Too late\",\"since\":5}");
        HttpResponse<String> failed = get(at, "/failed");
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body()).contains("its log says why").doesNotContain("secret");
        HttpResponse<String> bad = get(at, "/here?q=%FF");
        assertThat(bad.statusCode()).isEqualTo(400);
        assertThat(bad.body()).contains("not UTF-8");
    }

    @Test
    void path_withDotsOrEscapedSlashes_isNeverAnotherPath() throws Exception {
        Running at =
                start(b ->
                        b.get("/secret", x -> x.respond(200, "text/plain", "secret"))
                                .get("/files/{rest...}", x -> x.respond(200, "text/plain", "f")));
        for (String path :
                List.of(
                        "/files/../secret",
                        "/x/../secret",
                        "/%2e%2e/secret",
                        "/x%2F..%2Fsecret",
                        "/x;/../secret",
                        "//secret",
                        "/secret;x=1")) {
            try (RawClient raw = new RawClient(at.port())) {
                Reply reply = raw.get(path).reply();
                assertThat(reply.body()).as(path).isNotEqualTo("secret");
            }
        }
    }

    @Test
    void servlet_mappedBelowAPath_answersWhatIsBelowIt() throws Exception {
        Running at =
                start(
                        "/api/v1/*",
                        30_000,
                        b ->
                                b.get(
                                                "/a/{b}",
                                                x ->
                                                        x.respond(
                                                                200,
                                                                "a/b",
                                                                x.path() + x.pathParameter("b")))
                                        .get("/", x -> x.respond(200, "a/b", "root")));
        assertThat(get(at, "/a/x%2Cy").body()).isEqualTo("/a/x,yx,y");
        assertThat(get(at, "/").body()).isEqualTo("root");
        if (container != Container.OWN) {
            assertThat(get(at, "").body()).isEqualTo("root");
        }
        assertThat(get(at, "/api/v1/a/b").statusCode()).isEqualTo(404);
    }

    @Test
    void handler_anyKind_runsOnNoThreadOfTheContainers() throws Exception {
        Handler name =
                x -> {
                    Thread here = Thread.currentThread();
                    x.respond(200, "text/plain", here.isVirtual() + " " + here.getName());
                };
        Running at = start(b -> b.get("/v", name).get("/n", Handler.nonBlocking(name)));
        assertThat(get(at, "/v").body()).isEqualTo("true penstock-handler");
        assertThat(get(at, "/n").body()).startsWith("false penstock-loop");
    }
}
