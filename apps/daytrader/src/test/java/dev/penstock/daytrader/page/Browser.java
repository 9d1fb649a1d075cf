package dev.penstock.daytrader.page;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A headless Chromium with one page, driven by its DevTools protocol. For one thread. */
final class Browser implements AutoCloseable {
    private static final int LIMIT_SECONDS = 120;
    private static final Pattern LISTENS = Pattern.compile("DevTools listening on ws://([^/]+)/");
    private static final Pattern PAGE =
            Pattern.compile("\"webSocketDebuggerUrl\":\\s*\"(ws://[^\"]+)\"");
    private static final Pattern ID = Pattern.compile("^\\{\"id\":(\\d+)");

    /** The value of an evaluation that gave a text. */
    private static final Pattern VALUE =
            Pattern.compile("\"type\":\"string\",\"value\":\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern DATA = Pattern.compile("\"data\":\"([^\"]+)\"");

    private final Path profile;
    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();

    /** The path of Chromium; nothing if it is not installed. */
    static Optional<Path> installed() {
        return Stream.of(
                        "/usr/bin/chromium",
                        "/usr/bin/chromium-browser",
                        "/usr/bin/google-chrome",
                        "/snap/bin/chromium")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    Browser(Path chromium) throws Exception {
        profile = Files.createTempDirectory("penstock-chromium");
        process =
                new ProcessBuilder(
                                List.of(
                                        chromium.toString(),
                                        "--headless=new",
                                        "--no-sandbox",
                                        "--disable-gpu",
                                        "--disable-dev-shm-usage",
                                        "--no-first-run",
                                        "--disable-background-networking",
                                        "--user-data-dir=" + profile,
                                        "--remote-debugging-port=0",
                                        "about:blank"))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String authority = authority();
        HttpResponse<String> page =
                http.send(
                        HttpRequest.newBuilder(URI.create("http://" + authority + "/json/new"))
                                .PUT(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        Matcher url = PAGE.matcher(page.body());
        if (!url.find()) {
            throw new IOException("Chromium opens no page: " + page.body());
        }
        socket =
                http.newWebSocketBuilder()
                        .buildAsync(URI.create(url.group(1)), new Answers())
                        .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        var _ = command("Page.enable", "");
    }

    /** Reads what it says until it has said where it listens; the rest is read and dropped. */
    private String authority() throws Exception {
        CompletableFuture<String> found = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try (BufferedReader lines =
                            new BufferedReader(
                                    new InputStreamReader(
                                            process.getErrorStream(), StandardCharsets.UTF_8))) {
                        for (String line = lines.readLine();
                                line != null;
                                line = lines.readLine()) {
                            Matcher matcher = LISTENS.matcher(line);
                            if (matcher.find()) {
                                found.complete(matcher.group(1));
                            }
                        }
                    } catch (IOException e) {
                        found.completeExceptionally(e);
                    }
                    found.completeExceptionally(new IOException("Chromium has ended"));
                });
        return found.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                String message = text.toString();
                text.setLength(0);
                Matcher id = ID.matcher(message);
                if (id.find()) {
                    CompletableFuture<String> answer =
                            answers.remove(Integer.parseInt(id.group(1)));
                    if (answer != null) {
                        answer.complete(message);
                    }
                }
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }

    private String command(String method, String parameters) throws Exception {
        int id = ids.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText(
                        "{\"id\":%d,\"method\":\"%s\",\"params\":{%s}}"
                                .formatted(id, method, parameters),
                        true)
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        return answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    void open(URI page) throws Exception {
        var _ = command("Page.navigate", "\"url\":\"" + page + "\"");
        await("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /** Runs an expression of JavaScript, whose value is taken as text. */
    String evaluate(String expression) throws Exception {
        String quoted = expression.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ");
        String answer = command("Runtime.evaluate", "\"expression\":\"String(" + quoted + ")\"");
        Matcher value = VALUE.matcher(answer);
        return value.find() ? value.group(1) : answer;
    }

    /** Waits until a condition holds. */
    void await(String condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!evaluate(condition).equals("true")) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(
                        condition + " does not hold on: " + evaluate("document.body.innerText"));
            }
            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
        }
    }

    /** Fills a field of the page in. */
    void type(String name, String value) throws Exception {
        evaluate("document.querySelector('[name=\"%s\"]').value = '%s'".formatted(name, value));
    }

    /** Sends the form that a selector finds, as its button does, and waits for the next page. */
    void submit(String form) throws Exception {
        evaluate("window.old = true");
        evaluate("document.querySelector('%s').requestSubmit()".formatted(form));
        await("!window.old && document.readyState === 'complete'");
    }

    void size(int width, int height) throws Exception {
        var _ =
                command(
                        "Emulation.setDeviceMetricsOverride",
                        "\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":%s"
                                .formatted(width, height, width < 600));
    }

    void screenshot(Path file) throws Exception {
        String answer = command("Page.captureScreenshot", "\"captureBeyondViewport\":true");
        Matcher data = DATA.matcher(answer);
        if (data.find()) {
            Files.createDirectories(file.getParent());
            Files.write(file, Base64.getDecoder().decode(data.group(1)));
        }
    }

    @Override
    public void close() throws IOException {
        socket.abort();
        http.shutdownNow();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                var _ = file.toFile().delete();
            }
        }
    }
}
