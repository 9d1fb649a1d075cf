package dev.penstock.http.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Admission;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.Processes;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.Suspension;
import dev.penstock.http.events.Event;
import dev.penstock.http.events.EventStream;
import dev.penstock.http.events.Topic;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.servlet.RawClient.Reply;
import dev.penstock.http.websocket.WebSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers do the same wherever they run. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Container.class)
final class ContainersConformanceTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<Running> running = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Container container;

    ContainersConformanceTest(Container container) {
        this.container = container;
    }

    private Running start(UnaryOperator<ServerBuilder> routes) throws Exception {
        return start("/*", 30_000, routes);
    }

    private Running start(String mapping, int idleMillis, UnaryOperator<ServerBuilder> routes)
            throws Exception {
        ServerBuilder builder =
                Container.builder().accessLog(false).stopWithin(Duration.ofSeconds(5));
        Running started = container.start(routes.apply(builder), mapping, idleMillis);
        running.add(started);
        return started;
    }

    @AfterEach
    void nothingIsLeftBehind() throws Exception {
        client.close();
        for (Running each : running) {
            Server server = each.server();
            await(() -> server.running() == 0 && server.admission().runningNow() == 0);
            await(() -> server.waiting() == 0);
            await(() -> container == Container.OWN || server.connections() == 0);
            each.stopAll();
        }
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private HttpResponse<String> get(Running at, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(at.url(path))).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> send(Running at, String method, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(at.url(path)))
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    // Requests and small responses.

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

    private static void endless(ResponseBody body) throws IOException {
        while (true) {
            body.write(ByteBuffer.wrap(new byte[8192]));
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

    // Streaming.

    @Test
    void body_largerThanAllBuffersToASlowReader_comesWholeAndWaitsForIt() throws Exception {
        int size = 20_000_000;
        AtomicLong written = new AtomicLong();
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    ResponseBody body = x.body("application/x");
                                    ByteBuffer block = ByteBuffer.allocate(1000);
                                    for (int i = 0; i < size / 1000; i++) {
                                        Arrays.fill(block.array(), (byte) i);
                                        body.write(block.clear());
                                        written.addAndGet(1000);
                                    }
                                }));
        try (RawClient raw = new RawClient(at.port(), 64 * 1024)) {
            raw.get("/");
            assertThat(raw.head().header("Transfer-Encoding")).contains("chunked");
            long before = -1;
            while (written.get() != before || before < 1000) {
                before = written.get();
                LockSupport.parkNanos(100_000_000);
            }
            // What the kernel takes for itself is all that goes ahead.
            assertThat(before).isLessThan(12_000_000);
            long received = 0;
            for (byte[] chunk = raw.chunk(); chunk.length > 0; chunk = raw.chunk()) {
                for (byte b : chunk) {
                    if (b != (byte) (received++ / 1000)) {
                        throw new AssertionError("Wrong byte at " + (received - 1));
                    }
                }
            }
            assertThat(received).isEqualTo(size);
        }
    }

    @Test
    void bodies_manyAtOnce_comeWhole() throws Exception {
        Running at =
                start(b ->
                        b.get(
                                "/{n}",
                                x -> {
                                    ResponseBody body = x.body("application/x");
                                    byte[] block = new byte[777];
                                    Arrays.fill(
                                            block, (byte) Integer.parseInt(x.pathParameter("n")));
                                    for (int i = 0; i < 1000; i++) {
                                        body.write(ByteBuffer.wrap(block));
                                        if (i % 100 == 0) {
                                            body.flush();
                                        }
                                    }
                                }));
        List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            all.add(
                    client.sendAsync(
                            HttpRequest.newBuilder(URI.create(at.url("/" + i))).build(),
                            BodyHandlers.ofByteArray()));
        }
        for (int i = 0; i < 64; i++) {
            byte[] expected = new byte[777_000];
            Arrays.fill(expected, (byte) i);
            assertThat(all.get(i).get().body()).isEqualTo(expected);
        }
    }

    @Test
    void flush_inTheMiddle_bringsOutWhatWasWritten() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    ResponseBody body = x.body("text/plain");
                                    body.write(UTF_8.encode("one"));
                                    body.flush();
                                    assertThat(seen.await(10, TimeUnit.SECONDS)).isTrue();
                                    body.write(UTF_8.encode("two"));
                                }));
        try (RawClient raw = new RawClient(at.port())) {
            raw.get("/").head();
            assertThat(new String(raw.chunk(), UTF_8)).isEqualTo("one");
            seen.countDown();
            assertThat(new String(raw.chunk(), UTF_8)).isEqualTo("two");
            assertThat(raw.chunk()).isEmpty();
        }
    }

    @Test
    void failure_inTheMiddle_breaksTheResponseOff() throws Exception {
        Running at =
                start(b ->
                        b.get(
                                "/{bytes}",
                                x -> {
                                    ResponseBody body = x.body("text/plain");
                                    int count = Integer.parseInt(x.pathParameter("bytes"));
                                    body.write(ByteBuffer.wrap(new byte[count]));
                                    body.flush();
                                    throw new IllegalStateException("in the middle");
                                }));
        for (int bytes : new int[] {1, 40_000, 3_000_000}) {
            try (RawClient raw = new RawClient(at.port())) {
                raw.get("/" + bytes);
                assertThat(isHonest(raw::reply)).as("%d bytes", bytes).isTrue();
            }
            assertThatThrownBy(() -> checked(get(at, "/" + bytes))).isInstanceOf(IOException.class);
        }
        try (RawClient raw = new RawClient(at.port())) {
            assertThat(raw.get("/no/such").reply().status()).isEqualTo(404);
        }
    }

    /** A container that has not sent the head yet may still answer with an error. */
    private static boolean isHonest(Callable<Reply> reply) throws Exception {
        try {
            return reply.call().status() == 500;
        } catch (IOException _) {
            return true;
        }
    }

    private static void checked(HttpResponse<String> response) throws IOException {
        if (response.statusCode() == 500) {
            throw new IOException("an error before the head was sent");
        }
    }

    @Test
    void length_thatTheHandlerDoesNotKeep_breaksTheResponseOff() throws Exception {
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    x.header("Content-Length", "50000");
                                    x.body("text/plain").write(ByteBuffer.wrap(new byte[40_000]));
                                }));
        try (RawClient raw = new RawClient(at.port())) {
            raw.get("/");
            assertThat(isHonest(raw::reply)).isTrue();
        }
    }

    @Test
    void client_thatLeavesInTheMiddle_endsTheHandlerAndIsTold() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    x.onDisconnect(told::countDown);
                                    try {
                                        endless(x.body("text/plain"));
                                    } finally {
                                        failed.countDown();
                                    }
                                }));
        RawClient raw = new RawClient(at.port());
        raw.get("/").head();
        raw.abort();
        assertThat(told.await(15, TimeUnit.SECONDS)).isTrue();
        assertThat(failed.await(15, TimeUnit.SECONDS)).isTrue();
    }

    // Waiting.

    @Test
    void wait_longerThanTheContainersIdleTime_goesOn() throws Exception {
        Running at =
                start(
                        "/*",
                        300,
                        b ->
                                b.get(
                                        "/{millis}",
                                        x ->
                                                x.suspend(LONG)
                                                        .resumeAfter(
                                                                Duration.ofMillis(
                                                                        Long.parseLong(
                                                                                x.pathParameter(
                                                                                        "millis"))),
                                                                y ->
                                                                        y.respond(
                                                                                200, "a/b",
                                                                                "waited"))));
        long begin = System.nanoTime();
        assertThat(get(at, "/1000").body()).isEqualTo("waited");
        assertThat(System.nanoTime() - begin)
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(1000));
        assertThat(get(at, "/0").body()).isEqualTo("waited");
    }

    @Test
    void waits_fiveHundred_holdNoThread() throws Exception {
        BlockingQueue<Suspension> waits = new LinkedBlockingQueue<>();
        Running at = start(b -> b.maxConnections(2000).get("/", x -> waits.add(x.suspend(LONG))));
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 500; i++) {
                clients.add(new RawClient(at.port()).get("/"));
            }
            await(() -> waits.size() == 500 && at.server().running() == 0);
            await(() -> at.server().waiting() == 500);
            assertThat(Thread.getAllStackTraces())
                    .as("platform threads, those that carry virtual ones among them")
                    .hasSizeLessThan(60 + Runtime.getRuntime().availableProcessors());
            waits.forEach(wait -> wait.respond(200, "text/plain", "done"));
            for (RawClient each : clients) {
                assertThat(each.reply().body()).isEqualTo("done");
            }
        } finally {
            for (RawClient each : clients) {
                each.close();
            }
        }
    }

    @Test
    void wait_whoseTimeoutComes_is503OrTheHandlersChoice() throws Exception {
        Duration soon = Duration.ofMillis(50);
        Running at =
                start(b ->
                        b.get("/plain", x -> x.suspend(soon))
                                .get(
                                        "/own",
                                        x ->
                                                x.suspend(soon)
                                                        .onTimeout(y ->
                                                                y.respond(200, "a/b", "own"))));
        HttpResponse<String> plain = get(at, "/plain");
        assertThat(plain.statusCode()).isEqualTo(503);
        assertThat(plain.headers().firstValue("Retry-After")).contains("5");
        assertThat(get(at, "/own").body()).isEqualTo("own");
    }

    @Test
    void wait_forAStage_goesOnWithItsValueOrFailure() throws Exception {
        BlockingQueue<CompletableFuture<String>> stages = new LinkedBlockingQueue<>();
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    CompletableFuture<String> stage = new CompletableFuture<>();
                                    x.suspend(LONG)
                                            .resumeWhen(stage, (y, v) -> y.respond(200, "a/b", v));
                                    stages.add(stage);
                                }));
        var first =
                client.sendAsync(
                        HttpRequest.newBuilder(URI.create(at.url("/"))).build(),
                        BodyHandlers.ofString());
        stages.take().complete("value");
        assertThat(first.get().body()).isEqualTo("value");
        var second =
                client.sendAsync(
                        HttpRequest.newBuilder(URI.create(at.url("/"))).build(),
                        BodyHandlers.ofString());
        stages.take().completeExceptionally(new HttpException(418, "no coffee"));
        assertThat(second.get().statusCode()).isEqualTo(418);
    }

    @Test
    void waits_beyondTheLimit_are503() throws Exception {
        BlockingQueue<Suspension> waits = new LinkedBlockingQueue<>();
        Running at = start(b -> b.maxSuspended(1, LONG).get("/", x -> waits.add(x.suspend(LONG))));
        try (RawClient raw = new RawClient(at.port())) {
            raw.get("/");
            Suspension wait = waits.take();
            HttpResponse<String> refused = get(at, "/");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            wait.respond(200, "a/b", "first");
            assertThat(raw.reply().body()).isEqualTo("first");
        }
    }

    @Test
    void admission_thatIsFull_queuesAndRefuses() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Admission admission = new Admission(1, 1, Duration.ofMinutes(1));
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    begun.incrementAndGet();
                                    go.await();
                                    x.respond(200, "a/b", "ran");
                                },
                                _ -> admission));
        try (RawClient first = new RawClient(at.port());
                RawClient second = new RawClient(at.port());
                RawClient third = new RawClient(at.port())) {
            first.get("/");
            await(() -> begun.get() == 1);
            second.get("/");
            await(() -> admission.waitingNow() == 1);
            Reply refused = third.get("/").reply();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).contains("60");
            go.countDown();
            assertThat(first.reply().body()).isEqualTo("ran");
            assertThat(second.reply().body()).isEqualTo("ran");
        }
    }

    @Test
    void admission_thatIsFullForLong_refusesWhatWaits() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Admission admission = new Admission(1, 1, Duration.ofMillis(100));
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    go.await();
                                    x.respond(200, "a/b", "ran");
                                },
                                _ -> admission));
        try (RawClient first = new RawClient(at.port());
                RawClient second = new RawClient(at.port())) {
            first.get("/");
            await(() -> admission.runningNow() == 1);
            assertThat(second.get("/").reply().status()).isEqualTo(503);
            go.countDown();
            assertThat(first.reply().body()).isEqualTo("ran");
        }
    }

    @Test
    void stop_whileRequestsWait_answers503() throws Exception {
        BlockingQueue<Suspension> waits = new LinkedBlockingQueue<>();
        AtomicInteger cancelled = new AtomicInteger();
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x ->
                                        waits.add(
                                                x.suspend(LONG)
                                                        .onCancel(cancelled::incrementAndGet))));
        Server server = at.server();
        try (RawClient raw = new RawClient(at.port())) {
            raw.get("/");
            waits.take();
            await(() -> server.running() == 0);
            Thread stopping =
                    Thread.startVirtualThread(() -> {
                        try {
                            at.stop();
                        } catch (Exception failure) {
                            throw new IllegalStateException(failure);
                        }
                    });
            Reply reply = raw.reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.body()).contains("The server is stopping");
            stopping.join();
        }
        await(() -> cancelled.get() == 1);
        running.remove(at);
        at.stopAll();
    }

    // Events, topics, processes.

    @Test
    void events_ofATopic_comeOneByOneAndGoOnAfterTheLastSeen() throws Exception {
        Topic topic = new Topic(100, 1_000_000, 10);
        Running at = start(b -> b.get("/events", topic::stream));
        topic.publish("before");
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(at.url("/events")))
                        .header("Last-Event-ID", "0")
                        .build();
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            assertThat(event(lines)).containsExactly("data: before", "id: 1");
            topic.publish("two\nlines");
            assertThat(event(lines)).containsExactly("data: two", "data: lines", "id: 2");
            topic.publish("x".repeat(200_000));
            assertThat(event(lines).getFirst()).hasSize(200_006);
            // Written to a client that has gone, some are lost; then the container notices.
        }
        await(() -> {
            topic.publish("x".repeat(1000));
            return topic.waiting() == 0;
        });
    }

    private static List<String> event(BufferedReader lines) throws IOException {
        List<String> event = new ArrayList<>();
        for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
            event.add(line);
        }
        return event;
    }

    @Test
    void events_toASlowReader_areBoundedAndEndWhenClosed() throws Exception {
        CompletableFuture<EventStream> opened = new CompletableFuture<>();
        Running at = start(b -> b.get("/", x -> opened.complete(EventStream.open(x))));
        try (RawClient raw = new RawClient(at.port(), 64 * 1024)) {
            raw.get("/").head();
            EventStream stream = opened.get();
            Event large = Event.of("x".repeat(10_000));
            long accepted = 0;
            while (stream.dropped() < 100) {
                accepted += stream.send(large) ? 1 : 0;
                LockSupport.parkNanos(10_000);
            }
            long bytes = 0;
            stream.close();
            for (byte[] chunk = raw.chunk(); chunk.length > 0; chunk = raw.chunk()) {
                bytes += chunk.length;
            }
            assertThat(bytes).isEqualTo(accepted * 10_008);
        }
    }

    @Test
    void poll_forAMessage_isAnsweredWhenThereIsOne() throws Exception {
        Topic topic = new Topic(10, 10_000, 10);
        Running at =
                start(b ->
                        b.get(
                                "/poll",
                                x ->
                                        topic.poll(
                                                x,
                                                Long.parseLong(x.parameter("after").orElse("0")),
                                                LONG,
                                                (y, batch) ->
                                                        y.respond(
                                                                200,
                                                                "text/plain",
                                                                batch.messages().toString()))));
        var waiting =
                client.sendAsync(
                        HttpRequest.newBuilder(URI.create(at.url("/poll?after=0"))).build(),
                        BodyHandlers.ofString());
        await(() -> topic.waiting() == 1);
        topic.publish("hello");
        assertThat(waiting.get().body()).contains("hello");
        assertThat(get(at, "/poll?after=0").body()).contains("hello");
    }

    @Test
    void process_thatWritesAndEnds_isTheResponse() throws Exception {
        Processes processes = new Processes(4);
        Running at =
                start(b ->
                        b.get(
                                "/{script}",
                                x ->
                                        processes.run(
                                                x,
                                                new ProcessBuilder(
                                                        "sh", "-c", x.pathParameter("script")),
                                                LONG,
                                                "text/plain")));
        assertThat(get(at, "/echo%20one;sleep%200.2;echo%20two".replace(";", "%3B")).body())
                .isEqualTo("one\ntwo\n");
        assertThat(get(at, "/exit%203").statusCode()).isEqualTo(500);
        assertThatThrownBy(() -> get(at, "/echo%20half%3Bsleep%200.2%3Bexit%203"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void webSocket_thatCannotBe_isRefused() throws Exception {
        Running at = start(b -> b.get("/", x -> WebSocket.open(x, new WebSocket.Listener() {})));
        HttpResponse<String> refused = get(at, "/");
        assertThat(refused.statusCode()).isEqualTo(container == Container.OWN ? 426 : 501);
        assertThat(refused.body()).contains("WebSocket");
    }

    // Bodies of requests.

    private static ServerBuilder bodies(ServerBuilder b) {
        return b.maxBody(6_000_000)
                .route(
                        "POST",
                        "/echo",
                        x -> {
                            InputStream in = Channels.newInputStream(x.requestBody());
                            x.respond(200, "application/x", in.readAllBytes());
                        })
                .route(
                        "POST",
                        "/count",
                        x -> {
                            AtomicLong count = new AtomicLong();
                            x.suspend(LONG)
                                    .onBody(
                                            chunk -> count.addAndGet(chunk.remaining()),
                                            y -> y.respond(200, "a/b", count.toString()));
                        })
                .route("POST", "/ignore", x -> x.respond(200, "a/b", "ignored"));
    }

    private HttpResponse<byte[]> post(Running at, String path, byte[] body, boolean chunked)
            throws Exception {
        return post(client, at, path, body, chunked);
    }

    private static HttpResponse<byte[]> post(
            HttpClient client, Running at, String path, byte[] body, boolean chunked)
            throws Exception {
        HttpRequest.BodyPublisher publisher = BodyPublishers.ofByteArray(body);
        return client.send(
                HttpRequest.newBuilder(URI.create(at.url(path)))
                        .POST(chunked ? BodyPublishers.fromPublisher(publisher) : publisher)
                        .build(),
                BodyHandlers.ofByteArray());
    }

    @Test
    void body_readByAHandlerOrTakenByCallback_comesWhole() throws Exception {
        Running at = start(ContainersConformanceTest::bodies);
        byte[] large = new byte[5_000_000];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) ((i * 31) >> 3);
        }
        for (boolean chunked : new boolean[] {false, true}) {
            assertThat(post(at, "/echo", large, chunked).body()).isEqualTo(large);
            assertThat(post(at, "/echo", new byte[] {7}, chunked).body()).containsExactly(7);
            assertThat(post(at, "/echo", new byte[0], chunked).body()).isEmpty();
            assertThat(new String(post(at, "/count", large, chunked).body(), UTF_8))
                    .isEqualTo("5000000");
            assertThat(new String(post(at, "/count", new byte[0], chunked).body(), UTF_8))
                    .isEqualTo("0");
            // A container may close a connection whose request it has not read to its end.
            try (HttpClient other =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
                assertThat(post(other, at, "/ignore", new byte[1000], chunked).body())
                        .asString(UTF_8)
                        .isEqualTo("ignored");
            }
        }
    }

    @Test
    void bodies_manyAtOnce_areEchoedWhole() throws Exception {
        Running at = start(ContainersConformanceTest::bodies);
        List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            byte[] body = new byte[300_000 + i * 1000];
            Arrays.fill(body, (byte) i);
            sent.add(body);
            all.add(
                    client.sendAsync(
                            HttpRequest.newBuilder(URI.create(at.url("/echo")))
                                    .POST(BodyPublishers.ofByteArray(body))
                                    .build(),
                            BodyHandlers.ofByteArray()));
        }
        for (int i = 0; i < all.size(); i++) {
            assertThat(all.get(i).get().body()).isEqualTo(sent.get(i));
        }
    }

    @Test
    void body_beyondTheLimit_is413() throws Exception {
        Running at = start(ContainersConformanceTest::bodies);
        for (String path : List.of("/echo", "/count")) {
            try (RawClient raw = new RawClient(at.port())) {
                raw.send(
                        "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 6000001\r\n\r\n");
                assertThat(raw.reply().status()).as(path).isEqualTo(413);
            }
        }
        try (RawClient raw = new RawClient(at.port())) {
            raw.send(
                    "POST /count HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5b8d81\r\n");
            try {
                raw.send(new byte[6_000_001]);
            } catch (SocketException answeredBefore) {
                // What was answered is asserted below.
            }
            assertThat(raw.reply().status()).isEqualTo(413);
        }
    }

    @Test
    void body_thatTheHandlerReadsSlowly_isHeldBack() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Running at =
                start(b ->
                        b.maxBody(100_000_000)
                                .route(
                                        "POST",
                                        "/",
                                        x -> {
                                            InputStream in =
                                                    Channels.newInputStream(x.requestBody());
                                            int first = in.read();
                                            go.await();
                                            long count = first < 0 ? 0 : 1;
                                            byte[] block = new byte[100_000];
                                            for (int n = in.read(block);
                                                    n >= 0;
                                                    n = in.read(block)) {
                                                count += n;
                                            }
                                            x.respond(200, "a/b", Long.toString(count));
                                        }));
        AtomicLong sent = new AtomicLong();
        try (RawClient raw = new RawClient(at.port())) {
            raw.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n");
            Thread sender =
                    Thread.startVirtualThread(() -> {
                        try {
                            for (int i = 0; i < 500; i++) {
                                raw.send(new byte[100_000]);
                                sent.addAndGet(100_000);
                            }
                        } catch (IOException failure) {
                            throw new IllegalStateException(failure);
                        }
                    });
            long before = -1;
            while (sent.get() != before || before == 0) {
                before = sent.get();
                LockSupport.parkNanos(100_000_000);
            }
            assertThat(before).isLessThan(20_000_000);
            go.countDown();
            assertThat(raw.reply().body()).isEqualTo("50000000");
            sender.join();
        }
    }

    @Test
    void body_cutOffByTheClient_failsTheHandler() throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Running at =
                start(b ->
                        b.route(
                                "POST",
                                "/",
                                x -> {
                                    try {
                                        Channels.newInputStream(x.requestBody()).readAllBytes();
                                        failure.complete(null);
                                    } catch (IOException | HttpException cut) {
                                        failure.complete(cut);
                                    }
                                }));
        try (RawClient raw = new RawClient(at.port())) {
            raw.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nhalf");
        }
        assertThat(failure.get(20, TimeUnit.SECONDS)).isNotNull();
    }
}
