package com.example.shop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.http.AttributeKey;
import dev.penstock.http.Cookie;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.files.StaticFiles;
import dev.penstock.http.filter.Cors;
import dev.penstock.http.filter.RequestId;
import dev.penstock.http.form.Form;
import dev.penstock.http.form.Multipart;
import dev.penstock.http.form.Part;
import dev.penstock.http.server.Routes;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.text.Html;
import dev.penstock.http.websocket.WebSocket;
import dev.penstock.http.websocket.WebSocketGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Page 6 of the guide: a whole application in one file. */
public final class Board {
    /** A note on the board. */
    public record Note(int id, String author, String text) {}

    /** A new note, as a client sends it. */
    public record NewNote(String text) {}

    private static final AttributeKey<String> USER = AttributeKey.of("user");
    private static final WebSocket.Options CHAT =
            WebSocket.Options.DEFAULT.withMaxMessageBytes(10_000);
    private static final int MOST = 1_000;
    private static final Map<String, String> PASSWORDS =
            Map.of("ada", "engine", "grace", "compiler");
    private final Map<String, String> sessions = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Integer, Note> notes = new ConcurrentSkipListMap<>();
    private final AtomicInteger ids = new AtomicInteger();
    private final WebSocketGroup chat = new WebSocketGroup();
    private final Path pages;
    private final Path uploads;

    Board(Path pages, Path uploads) {
        this.pages = pages;
        this.uploads = uploads;
    }

    // region main
    public static void main(String[] arguments) throws IOException {
        Path uploads = Files.createTempDirectory("board");
        Server server = new Board(Path.of("board"), uploads).routes().port(8080).start();
        System.out.println("http://127.0.0.1:" + server.port() + "/board/");
    }

    // end

    // region routes
    ServerBuilder routes() {
        Cors www = Cors.of("https://www.shop.example").requestHeaders("Content-Type").credentials();
        return Server.builder()
                .maxBody(100_000_000)
                .filter(RequestId.made())
                .onError(HttpException.class, Board::errorPage)
                .get("/board/{path...}", StaticFiles.of(pages))
                .post("/sign-in", this::signIn)
                .group("/api", api -> forUsers(api.filter(www).before(this::requireUser)));
    }

    private void forUsers(Routes.Group api) {
        api.get("/notes", exchange -> exchange.json(200, notes.values()))
                .post("/notes", this::addNote)
                .post("/files", this::upload)
                .get("/chat", this::chat);
    }

    // end

    // region signin
    private void signIn(Exchange exchange) throws IOException {
        Form form = Form.of(exchange);
        String user = form.field("user").orElse("");
        byte[] sent = form.field("password").orElse("").getBytes(UTF_8);
        byte[] known = PASSWORDS.getOrDefault(user, "").getBytes(UTF_8);
        if (known.length == 0 || !MessageDigest.isEqual(sent, known)) {
            throw new HttpException(403, "Wrong user or password");
        }
        String session = UUID.randomUUID().toString();
        sessions.values().remove(user); // one session a user
        sessions.put(session, user);
        exchange.cookie(Cookie.of("session", session)).redirect(303, "/board/");
    }

    private void requireUser(Exchange exchange) {
        String user = exchange.cookie("session").map(sessions::get).orElse(null);
        if (user == null) {
            throw new HttpException(403, "Sign in first: POST user and password to /sign-in");
        }
        exchange.attribute(USER, user);
    }

    private static String user(Exchange exchange) {
        return exchange.attribute(USER).orElseThrow();
    }

    // end

    // region api
    private void addNote(Exchange exchange) throws IOException {
        NewNote sent = exchange.readJson(NewNote.class, 10_000);
        exchange.json(201, add(ids.incrementAndGet(), user(exchange), sent.text()));
    }

    private Note add(int id, String user, String text) throws IOException {
        Note note = new Note(id, user, text);
        notes.put(id, note);
        while (notes.size() > MOST) { // the board has the latest thousand
            Files.deleteIfExists(file(notes.pollFirstEntry().getKey()));
        }
        return note;
    }

    // end

    // region errors
    private static void errorPage(HttpException error, Exchange exchange) {
        exchange.addHeader("Vary", "Accept");
        if (!exchange.header("Accept").orElse("").contains("text/html")) {
            throw error; // programs get the problem document, as without this method
        }
        String reason = Html.escape(String.valueOf(error.getMessage()));
        String page = "<!doctype html><title>Sorry</title><h1>That did not work</h1><p>" + reason;
        error.headers().forEach(exchange::header);
        exchange.respond(error.status(), "text/html; charset=utf-8", page);
    }

    // end

    // region upload
    private void upload(Exchange exchange) throws IOException {
        Multipart.of(exchange).forEach(part -> keep(part, user(exchange)));
        exchange.redirect(303, "/board/");
    }

    private void keep(Part part, String user) throws IOException {
        String name = part.fileName().orElse("");
        if (!name.isEmpty()) {
            int id = ids.incrementAndGet();
            add(id, user, "file %s, %,d bytes".formatted(name, part.saveAs(file(id))));
        }
    }

    private Path file(int note) {
        return uploads.resolve("file-" + note); // never a client's name
    }

    // end

    // region chat
    private void chat(Exchange exchange) {
        String name = user(exchange);
        chat.open(exchange, CHAT, (_, text) -> chat.offer(name + ": " + text));
    }
    // end
}
