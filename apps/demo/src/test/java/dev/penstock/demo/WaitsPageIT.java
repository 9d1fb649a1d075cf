package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that wait, and the page that shows them. */
@Timeout(180)
class WaitsPageIT {
    private final WaitsPage page = new WaitsPage();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Server server;

    private static ServerBuilder builder() {
        return Server.builder()
                .port(0)
                .eventLoops(Integer.getInteger("penstock.eventLoops", 2))
                .accessLog(false);
    }

    @BeforeEach
    void start() {
        ServerBuilder builder = builder();
        page.mount(builder);
        server = builder.stopWithin(Duration.ofSeconds(5)).start();
        page.watch(server::waiting);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        page.close();
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .build();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void hi_withAWait_isAnsweredAfterIt() throws Exception {
        for (int millis : new int[] {0, 1, 100}) {
            long started = System.nanoTime();
            HttpResponse<String> response = get("/hi?wait=" + millis);
            assertThat(response.body()).isEqualTo("waited " + millis + "ms");
            assertThat(response.headers().firstValue("Content-Type")).contains("text/plain");
            assertThat(Duration.ofNanos(System.nanoTime() - started))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(millis));
        }
    }

    @Test
    void hi_fiveHundredAtOnce_areAllAnswered() {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            answers.add(
                    client.sendAsync(request("/hi?wait=200"), HttpResponse.BodyHandlers.ofString())
                            .thenApply(HttpResponse::body));
        }
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join()).isEqualTo("waited 200ms"));
        assertThat(server.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/hi?wait=-1",
                "/hi?wait=60001",
                "/hi?wait=soon",
                "/hi?wait=",
                "/hi",
                "/hi?wait=99999999999999999999",
                "/hi?wait=1.5"
            })
    void hi_withAWaitThatCantBe_is400ThatSaysTheLimit(String path) throws Exception {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body())
                .contains("it must be a whole number of milliseconds from 0 to 60000")
                .contains("\"parameter\":\"wait\"");
    }

    @Test
    void process_ofASecond_isAnsweredWithItsOutput() throws Exception {
        long started = System.nanoTime();
        assertThat(get("/process?seconds=1").body()).isEqualTo("second 1\nran 1s\n");
        assertThat(Duration.ofNanos(System.nanoTime() - started))
                .isGreaterThan(Duration.ofMillis(900));
        HttpResponse<String> refused = get("/process?seconds=61");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("whole number of seconds from 0 to 60");
    }

    @Test
    void process_askedForByAPageOfAnotherSite_isRefused() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(request("/process?seconds=0"), (_, _) -> true)
                        .header("Origin", "http://evil.example")
                        .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("runs a process");
    }

    @Test
    void page_everyLinkAndFile_isThereAndNothingIsFromElsewhere() throws Exception {
        String text = get(WaitsPage.PATH).body();
        Matcher links = Pattern.compile("(?:href|src)=\"(/waits\\.[^\"]*)\"").matcher(text);
        int count = 0;
        while (links.find()) {
            assertThat(get(links.group(1)).statusCode()).as(links.group(1)).isEqualTo(200);
            count++;
        }
        assertThat(count).as("the style sheet and two scripts").isEqualTo(3);
        assertThat(text).doesNotContain("https://").doesNotContain("{{");
    }

    @Test
    void echo_overAWebSocket_sendsMessagesBack() throws Exception {
        assertThat(get(WaitsPage.PATH + "/echo").statusCode()).isEqualTo(426);
        URI address = request(WaitsPage.PATH + "/echo").uri();
        CompletableFuture<String> back = new CompletableFuture<>();
        WebSocket socket =
                client.newWebSocketBuilder()
                        .buildAsync(
                                URI.create("ws://" + address.getAuthority() + address.getPath()),
                                new WebSocket.Listener() {
                                    @Override
                                    public @Nullable CompletionStage<?> onText(
                                            WebSocket socket, CharSequence text, boolean last) {
                                        back.complete(text.toString());
                                        return null;
                                    }
                                })
                        .get();
        socket.sendText("there and back", true).get();
        assertThat(back.get(60, TimeUnit.SECONDS)).isEqualTo("there and back");
        socket.abort();
    }

    @Test
    @SuppressWarnings("try") // The client that waits leaves in the middle of the test.
    void events_whileRequestsWait_tellOfThem() throws Exception {
        HttpResponse<InputStream> events =
                client.send(
                        request(WaitsPage.PATH + "/events"),
                        HttpResponse.BodyHandlers.ofInputStream());
        assertThat(events.headers().firstValue("Content-Type")).contains("text/event-stream");
        try (Socket waiting = new Socket(InetAddress.getLoopbackAddress(), server.port());
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
            waiting.getOutputStream()
                    .write(
                            "GET /hi?wait=60000 HTTP/1.0\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            String line = lines.readLine();
            while (!line.contains("\"suspended\":1,")) {
                line = lines.readLine();
            }
            assertThat(line).startsWith("data: {").contains("\"threads\":", "\"heap\":{\"used\":");
            waiting.close();
            HttpResponse<String> answer =
                    client.send(request("/hi?wait=1"), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("waited 1ms");
            while (!line.contains("\"answers\":1,")) {
                line = lines.readLine();
            }
            assertThat(line).containsPattern("\"lateMillis\":\\{\"p50\":\\d+\\.\\d{3},");
        }
    }

    @Test
    void events_afterOneThatFailed_goOn() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        ServerBuilder builder = builder();
        try (WaitsPage other = new WaitsPage()) {
            other.mount(builder);
            try (Server second = builder.stopWithin(Duration.ofSeconds(5)).start();
                    Socket viewer = new Socket(InetAddress.getLoopbackAddress(), second.port())) {
                other.watch(() -> {
                    if (tries.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("for an event");
                    }
                    return 1;
                });
                viewer.setSoTimeout(60_000);
                String request = "GET /waits/events HTTP/1.0\r\n\r\n";
                viewer.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(
                                        viewer.getInputStream(), StandardCharsets.UTF_8));
                String line = lines.readLine();
                while (!line.startsWith("data: ")) {
                    line = lines.readLine();
                }
                assertThat(tries).hasValueGreaterThan(1);
            }
        }
    }
}
