package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.servlet.PenstockServlet;
import dev.penstock.http.test.TestClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application of page 6 over a network: on its own port, and in Jetty. */
class BoardIT {
    private static final String BOUNDARY = "b-7";

    @TempDir private Path uploads;

    private final HttpClient client = HttpClient.newHttpClient();

    private Board board() {
        return new Board(Path.of("board"), uploads);
    }

    private HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** What both do alike. Returns the cookie of who has signed in. */
    private String checkBoard(URI home) throws Exception {
        HttpResponse<String> page = send(HttpRequest.newBuilder(home.resolve("/board/")));
        assertThat(page.body()).contains("<h1>The board</h1>");
        assertThat(page.headers().firstValue("X-Request-Id")).isPresent();
        String tag = page.headers().firstValue("ETag").orElseThrow();
        HttpRequest.Builder again =
                HttpRequest.newBuilder(home.resolve("/board/")).header("If-None-Match", tag);
        assertThat(send(again).statusCode()).isEqualTo(304);

        HttpRequest.Builder refused =
                HttpRequest.newBuilder(home.resolve("/api/notes")).header("Accept", "text/html");
        HttpResponse<String> errorPage = send(refused);
        assertThat(errorPage.statusCode()).isEqualTo(403);
        assertThat(errorPage.body()).contains("<h1>That did not work</h1>", "Sign in first");
        assertThat(String.join(", ", errorPage.headers().allValues("Vary")).split(", ", -1))
                .contains("Accept");

        HttpRequest.Builder signIn =
                HttpRequest.newBuilder(home.resolve("/sign-in"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("user=ada&password=engine"));
        HttpResponse<String> signedIn = send(signIn);
        assertThat(signedIn.statusCode()).isEqualTo(303);
        String set = signedIn.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(set).contains("HttpOnly", "SameSite=Lax");
        String cookie = set.split(";", 2)[0];
        checkNotes(home, cookie);
        checkUpload(home, cookie);
        return cookie;
    }

    private void checkNotes(URI home, String cookie) throws Exception {
        HttpRequest.Builder add =
                HttpRequest.newBuilder(home.resolve("/api/notes"))
                        .header("Cookie", cookie)
                        .header("Origin", "https://www.shop.example")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"text\":\"hello\"}"));
        HttpResponse<String> added = send(add);
        assertThat(added.statusCode()).isEqualTo(201);
        assertThat(added.headers().firstValue("Access-Control-Allow-Origin"))
                .contains("https://www.shop.example");
        HttpRequest.Builder notes =
                HttpRequest.newBuilder(home.resolve("/api/notes")).header("Cookie", cookie);
        assertThat(send(notes).body()).contains("\"author\":\"ada\"", "\"text\":\"hello\"");
    }

    private void checkUpload(URI home, String cookie) throws Exception {
        String file = "x".repeat(200_000);
        String form =
                "--%s\r\nContent-Disposition: form-data; name=file; filename=x\r\n\r\n%s\r\n--%s--\r\n"
                        .formatted(BOUNDARY, file, BOUNDARY);
        HttpRequest.Builder upload =
                HttpRequest.newBuilder(home.resolve("/api/files"))
                        .header("Cookie", cookie)
                        .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                        .POST(BodyPublishers.ofString(form));
        assertThat(send(upload).statusCode()).isEqualTo(303);
        try (Stream<Path> kept = Files.list(uploads)) {
            assertThat(kept).singleElement().satisfies(one -> assertThat(one).hasContent(file));
        }
    }

    @Test
    void board_onItsOwnPort_alsoHasAChat() throws Exception {
        try (TestClient server = TestClient.overSocket(board().routes())) {
            String cookie = checkBoard(server.uri("/"));
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            URI chat = URI.create(server.uri("/api/chat").toString().replace("http:", "ws:"));
            WebSocket socket =
                    client.newWebSocketBuilder()
                            .header("Cookie", cookie)
                            .buildAsync(chat, new Hearing(heard))
                            .get(1, TimeUnit.MINUTES);
            socket.sendText("good morning", true).get(1, TimeUnit.MINUTES);
            assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo("ada: good morning");
            socket.abort();
        }
    }

    private record Hearing(BlockingQueue<String> heard) implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            heard.add(text.toString());
            return WebSocket.Listener.super.onText(socket, text, last);
        }
    }

    @Test
    void board_inJetty_isTheSameWithoutTheChat() throws Exception {
        Server jetty = new Server();
        ServerConnector connector = new ServerConnector(jetty);
        connector.setHost("127.0.0.1");
        jetty.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        ServletHolder holder = new ServletHolder(new PenstockServlet(board().routes()));
        holder.setAsyncSupported(true);
        context.addServlet(holder, "/*");
        jetty.setHandler(context);
        jetty.start();
        try {
            checkBoard(URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/"));
        } finally {
            jetty.stop();
        }
    }
}
