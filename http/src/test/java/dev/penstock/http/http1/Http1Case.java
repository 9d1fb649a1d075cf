package dev.penstock.http.http1;

import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.websocket.WebSocket;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of {@code http1-cases.txt}: what a client sends over HTTP/1, and what may come of it.
 *
 * @param own what this server answers
 * @param others what another server may answer besides
 * @param clause where a specification says so
 * @param partial whether the client sends no more afterwards
 */
@SuppressWarnings("ArrayRecordComponent")
public record Http1Case(
        String name,
        List<Expected> own,
        List<List<Expected>> others,
        String clause,
        byte[] bytes,
        boolean partial) {
    private static final String HOST = " HTTP/1.1\r\nHost: x\r\n";

    private static final Map<String, String> WORDS =
            Map.of(
                    "get", "GET /" + HOST,
                    "post", "POST /" + HOST,
                    "chunked", "POST /" + HOST + "Transfer-Encoding: chunked\r\n\r\n",
                    "end", "");

    private static final String NEXT = "GET /" + HOST + "Connection: close\r\n\r\n";

    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\{(?:([^{}]+?)\\*([0-9]+)|([a-z]+))\\}");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:x([0-9a-f]{2})|(.))");

    /** All of them. */
    public static List<Http1Case> all() {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        Http1Case.class.getResourceAsStream("http1-cases.txt")),
                                StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(Http1Case::parse)
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** What the cases ask for. */
    public static ServerBuilder routes(ServerBuilder builder) {
        return builder.get("/", x -> x.respond(200, "text/plain; charset=utf-8", "OK"))
                .route(
                        "POST",
                        "/",
                        x ->
                                x.respond(
                                        200,
                                        "text/plain; charset=utf-8",
                                        Bodies.readAll(x.requestBody())))
                .get(
                        "/cookie",
                        x ->
                                x.respond(
                                        200,
                                        "text/plain; charset=utf-8",
                                        String.join("+", x.headers("Cookie"))))
                .get("/socket", x -> WebSocket.open(x, new WebSocket.Listener() {}));
    }

    private static Http1Case parse(String line) {
        String[] parts = line.split(" \\| ", 5);
        if (parts.length < 5) {
            throw new IllegalArgumentException("Five parts are expected in: " + line);
        }
        boolean partial = parts[4].endsWith("{end}");
        String text = parts[4] + (partial ? "" : "{next}");
        return new Http1Case(
                parts[0],
                Expected.sequence(parts[1]),
                Arrays.stream(parts[2].split(";")).map(Expected::sequence).toList(),
                parts[3],
                bytes(text),
                partial);
    }

    private static byte[] bytes(String text) {
        String words =
                PLACEHOLDER
                        .matcher(text)
                        .replaceAll(found -> Matcher.quoteReplacement(placeholder(found.group())));
        Matcher escapes = ESCAPE.matcher(words);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        while (escapes.find()) {
            out.writeBytes(
                    words.substring(at, escapes.start()).getBytes(StandardCharsets.US_ASCII));
            out.write(escape(escapes));
            at = escapes.end();
        }
        out.writeBytes(words.substring(at).getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }

    private static String placeholder(String placeholder) {
        Matcher found = PLACEHOLDER.matcher(placeholder);
        if (!found.matches()) {
            throw new IllegalArgumentException(placeholder);
        }
        if (found.group(1) != null) {
            return found.group(1).repeat(Integer.parseInt(found.group(2)));
        }
        return found.group(3).equals("next")
                ? NEXT
                : Objects.requireNonNull(WORDS.get(found.group(3)), placeholder);
    }

    private static int escape(Matcher escape) {
        if (escape.group(1) != null) {
            return Integer.parseInt(escape.group(1), 16);
        }
        return switch (escape.group(2).charAt(0)) {
            case 'r' -> '\r';
            case 'n' -> '\n';
            case 't' -> '\t';
            case '0' -> 0;
            default -> escape.group(2).charAt(0);
        };
    }

    /** Returns whether the request that it is about comes by HTTP/1.0. */
    public boolean isHttp10() {
        return new String(bytes, StandardCharsets.ISO_8859_1).contains(" HTTP/1.0\r\n");
    }

    /** Returns whether an outcome is one of those that this server has. */
    public boolean isOwn(Http1Outcome outcome) {
        return isAny(own) || Expected.matches(own, outcome);
    }

    private static boolean isAny(List<Expected> expected) {
        return expected.size() == 1 && expected.getFirst().statuses().contains("any");
    }

    /** Returns whether an outcome is one that the specifications let another server have. */
    public boolean isAllowed(Http1Outcome outcome) {
        boolean refusal = own.getFirst().isRefusal() || own.getFirst().statuses().contains("close");
        return isOwn(outcome)
                || others.stream()
                        .anyMatch(other -> isAny(other) || Expected.matches(other, outcome))
                || (refusal && (outcome.answers().isEmpty() || outcome.isRefusal()));
    }

    @Override
    public String toString() {
        return name + " (" + clause + ")";
    }

    /**
     * An answer that is expected.
     *
     * @param statuses alternatives, or {@code close}
     * @param body what it has to be; null for whatever it is
     */
    public record Expected(List<String> statuses, String body) {
        private static final String WHATEVER = "\0";

        static List<Expected> sequence(String text) {
            return text.equals("none")
                    ? List.of()
                    : Arrays.stream(text.split(",")).map(Expected::of).toList();
        }

        private static Expected of(String text) {
            int equals = text.indexOf('=');
            return new Expected(
                    List.of((equals < 0 ? text : text.substring(0, equals)).split("/")),
                    equals < 0 ? WHATEVER : text.substring(equals + 1));
        }

        boolean isRefusal() {
            return statuses.getFirst().startsWith("4") || statuses.getFirst().startsWith("5");
        }

        static boolean matches(List<Expected> sequence, Http1Outcome outcome) {
            if (sequence.isEmpty()) {
                return false;
            }
            if (outcome.answers().isEmpty()) {
                return sequence.getFirst().statuses().contains("close");
            }
            boolean same = sequence.size() == outcome.answers().size();
            for (int i = 0; same && i < sequence.size(); i++) {
                same = sequence.get(i).matches(outcome.answers().get(i));
            }
            return same;
        }

        private boolean matches(Http1Outcome.Answer answer) {
            return statuses.contains(Integer.toString(answer.status()))
                    && (body.equals(WHATEVER) || body.equals(answer.body()));
        }
    }
}
