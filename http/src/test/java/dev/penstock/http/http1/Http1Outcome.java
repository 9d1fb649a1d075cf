package dev.penstock.http.http1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of some bytes that a client has sent over HTTP/1.
 *
 * @param answers whole responses, without interim ones
 * @param interim statuses of those
 * @param ending how the connection ended
 * @param rest what came behind the last whole response
 */
public record Http1Outcome(
        List<Answer> answers, List<Integer> interim, Ending ending, String rest) {
    private static final int PATIENCE_MILLIS = 15_000;

    /** The end of a connection. */
    public enum Ending {
        END,
        RESET,
        /** Nothing came for long. */
        SILENCE
    }

    /** A response. */
    public record Answer(int status, List<String> headers, String body) {
        /** The value of a header. */
        public Optional<String> header(String name) {
            return headers.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst();
        }

        @Override
        public String toString() {
            return status + "=" + (body.length() > 60 ? body.substring(0, 60) + ".." : body);
        }
    }

    /** Sends bytes, in pieces of so many at the most, and reads until the connection ends. */
    public static Http1Outcome of(int port, byte[] bytes, int piece, boolean thenNoMore)
            throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Ending ending;
        Thread sender;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            sender = Thread.ofVirtual().start(() -> send(socket, bytes, piece, thenNoMore));
            ending = readAll(socket.getInputStream(), all);
        }
        try {
            sender.join();
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
        return parse(all.toString(StandardCharsets.ISO_8859_1), ending);
    }

    private static void send(Socket socket, byte[] bytes, int piece, boolean thenNoMore) {
        try {
            for (int at = 0; at < bytes.length; at += piece) {
                socket.getOutputStream().write(bytes, at, Math.min(piece, bytes.length - at));
            }
            if (thenNoMore) {
                socket.shutdownOutput();
            }
        } catch (IOException _) {
            // It was refused before all of it was sent.
        }
    }

    private static Ending readAll(InputStream in, ByteArrayOutputStream all) {
        byte[] bytes = new byte[8192];
        try {
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                all.write(bytes, 0, count);
            }
            return Ending.END;
        } catch (SocketTimeoutException _) {
            return Ending.SILENCE;
        } catch (IOException _) {
            return Ending.RESET;
        }
    }

    private static Http1Outcome parse(String text, Ending ending) {
        List<Answer> answers = new ArrayList<>();
        List<Integer> interim = new ArrayList<>();
        int at = 0;
        while (text.startsWith("HTTP/1.1 ", at)) {
            int end = text.indexOf("\r\n\r\n", at);
            if (end < 0) {
                break;
            }
            List<String> lines = List.of(text.substring(at, end).split("\r\n"));
            int status = Integer.parseInt(lines.getFirst().substring(9, 12));
            if (status < 200) {
                interim.add(status);
                at = end + 4;
                continue;
            }
            StringBuilder body = new StringBuilder();
            Answer head = new Answer(status, lines.subList(1, lines.size()), "");
            int next = body(text, end + 4, head, body);
            if (next < 0) {
                break;
            }
            answers.add(new Answer(status, head.headers(), body.toString()));
            at = next;
        }
        return new Http1Outcome(answers, interim, ending, text.substring(at));
    }

    /** Returns where the body ends; -1 if not all of it is there. */
    private static int body(String text, int from, Answer head, StringBuilder body) {
        // What answers a HEAD has a length and no body.
        if (head.status() == 204 || head.status() == 304 || text.startsWith("HTTP/1.1 ", from)) {
            return from;
        }
        if (head.header("Transfer-Encoding").isPresent()) {
            return chunks(text, from, body);
        }
        int length =
                head.header("Content-Length").map(Integer::parseInt).orElse(text.length() - from);
        if (text.length() < from + length) {
            return -1;
        }
        body.append(text, from, from + length);
        return from + length;
    }

    private static int chunks(String text, int from, StringBuilder body) {
        int at = from;
        while (true) {
            int line = text.indexOf("\r\n", at);
            if (line < 0) {
                return -1;
            }
            int size = Integer.parseInt(text.substring(at, line), 16);
            if (text.length() < line + 4 + size) {
                return -1;
            }
            body.append(text, line + 2, line + 2 + size);
            at = line + 4 + size;
            if (size == 0) {
                return at;
            }
        }
    }

    /** Returns whether it is one answer that says that the request is wrong, and nothing more. */
    boolean isRefusal() {
        if (answers.size() != 1) {
            return false;
        }
        int status = answers.getFirst().status();
        return status / 100 == 4 || status == 501 || status == 505;
    }

    @Override
    public String toString() {
        return answers
                + (interim.isEmpty() ? "" : " after " + interim)
                + ", then "
                + ending
                + (rest.isEmpty() ? "" : " behind " + rest.length() + " bytes");
    }
}
