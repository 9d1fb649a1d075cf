package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page that shows a service pool at work, and what can be done there. */
@Timeout(120)
class PoolsPageIT {
    private final PoolsPage page = new PoolsPage();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Server server;

    @BeforeEach
    void start() {
        ServerBuilder builder =
                Server.builder()
                        .port(0)
                        .eventLoops(Integer.getInteger("penstock.eventLoops", 2))
                        .accessLog(false);
        page.mount(builder);
        server = builder.stopWithin(Duration.ofSeconds(5)).start();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        page.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> post(String path) throws IOException, InterruptedException {
        return client.send(
                request(path).POST(HttpRequest.BodyPublishers.noBody()).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The events of the page, which is looked at as long as this is open. */
    private final class Events implements AutoCloseable {
        private final BufferedReader lines;

        Events() throws IOException, InterruptedException {
            HttpResponse<InputStream> response =
                    client.send(
                            request(PoolsPage.PATH + "/events").build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
            lines =
                    new BufferedReader(
                            new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        /** Returns the next event in which this is found. */
        String with(String pattern) throws IOException {
            Pattern wanted = Pattern.compile(pattern);
            while (true) {
                String line = lines.readLine();
                assertThat(line).isNotNull();
                if (line.startsWith("data: {") && wanted.matcher(line).find()) {
                    return line;
                }
            }
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    @Test
    void events_whileSomebodyLooks_showCallsThatEndWithTheLook() throws Exception {
        assertThat(page.callers()).isZero();
        try (Events events = new Events()) {
            assertThat(events.with("\"calls\":[1-9]"))
                    .contains("\"settings\":{\"instances\":4,\"callers\":24,\"millis\":100}")
                    .containsPattern("\"index\":3,\"state\":\"(idle|busy)\"");
            assertThat(page.callers()).isEqualTo(24);
        }
        while (page.callers() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void settings_withinTheirBounds_areThoseOfThePool() throws Exception {
        try (Events events = new Events()) {
            assertThat(post("/pools/settings?instances=16&callers=300&millis=5").statusCode())
                    .isEqualTo(200);
            events.with("\"callers\":300,\"millis\":5}.*\"size\":16,.*\"index\":15,");
            events.with("\"rejections\":[1-9]");

            post("/pools/settings?instances=1&callers=50&millis=1000");
            assertThat(events.with("\"size\":1,.*\"timeouts\":[1-9]")).contains("\"callers\":50");
        }
    }

    private static int figure(String name, String event) {
        Matcher matcher = Pattern.compile("\"" + name + "\":(\\d+),").matcher(event);
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    @Test
    void fail_andHang_restartAndReplaceInstances() throws Exception {
        try (Events events = new Events()) {
            post("/pools/settings?instances=2&callers=0&millis=5");
            // On a busy machine, calls of the page's callers have failed and timed out before.
            String calm = "\"waiting\":0,.*\"busy\":0,\"size\":2,.*\"idle\".*\"idle\"";
            String before = events.with(calm);
            int restarts = figure("restarts", before) + 1;
            int failures = figure("failures", before) + 1;
            assertThat(post("/pools/fail").statusCode()).isEqualTo(200);
            events.with("\"restarts\":" + restarts + ",\"failures\":" + failures + ",");
            int timeouts = figure("timeouts", events.with(calm)) + 1;

            assertThat(post("/pools/hang").statusCode()).isEqualTo(200);
            // The figures of an event may be older than the states of its instances.
            events.with("\"timeouts\":" + timeouts + ",.*\"state\":\"quarantined\"");
            events.with("\"idle\".*\"idle\"");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "instances=0&callers=1&millis=5",
                "instances=17&callers=1&millis=5",
                "instances=4&callers=301&millis=5",
                "instances=4&callers=-1&millis=5",
                "instances=4&callers=1&millis=4",
                "instances=4&callers=1&millis=1001",
                "instances=4&callers=1",
                "instances=many&callers=1&millis=5"
            })
    void settings_outOfBounds_are400AndChangeNothing(String settings) throws Exception {
        HttpResponse<String> refused = post("/pools/settings?" + settings);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("it must be a whole number of");
        try (Events events = new Events()) {
            events.with("\"settings\":\\{\"instances\":4,\"callers\":24,\"millis\":100}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/settings?instances=4&callers=1&millis=5", "/fail", "/hang"})
    void actions_askedForByAPageOfAnotherSite_areRefused(String action) throws Exception {
        HttpResponse<String> refused =
                client.send(
                        request(PoolsPage.PATH + action)
                                .header("Origin", "http://evil.example")
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("changes the load of this machine");
        HttpResponse<String> read =
                client.send(
                        request(PoolsPage.PATH + action).build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(read.statusCode()).isEqualTo(405);
    }

    @Test
    void page_everyFile_isThereAndNothingIsFromElsewhere() throws Exception {
        String text =
                client.send(request(PoolsPage.PATH).build(), HttpResponse.BodyHandlers.ofString())
                        .body();
        Matcher links = Pattern.compile("(?:href|src)=\"(/pools\\.[^\"]*)\"").matcher(text);
        int count = 0;
        while (links.find()) {
            assertThat(
                            client.send(
                                            request(links.group(1)).build(),
                                            HttpResponse.BodyHandlers.discarding())
                                    .statusCode())
                    .as(links.group(1))
                    .isEqualTo(200);
            count++;
        }
        assertThat(count).as("two style sheets and two scripts").isEqualTo(4);
        assertThat(text).doesNotContain("https://").doesNotContain("{{");
    }
}
