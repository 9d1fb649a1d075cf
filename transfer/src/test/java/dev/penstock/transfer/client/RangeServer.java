package dev.penstock.transfer.client;

import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Server;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server of one file, which breaks off, lies and changes as a test tells it. */
final class RangeServer implements AutoCloseable {
    /** An answer to a request; a test may queue as many as it likes, and the plain answer follows. */
    interface Answer {
        void answer(RangeServer server, Exchange exchange) throws IOException;
    }

    final List<String> ranges = new CopyOnWriteArrayList<>();
    final Queue<Answer> answers = new ConcurrentLinkedDeque<>();
    volatile byte[] content;
    volatile Optional<String> tag = Optional.of("\"one\"");
    volatile Optional<String> digest = Optional.empty();
    private final Server server;

    RangeServer(byte[] content) {
        this.content = content;
        server =
                Server.builder()
                        .port(0)
                        .eventLoops(2)
                        .accessLog(false)
                        .get("/file", this::handle)
                        .start();
    }

    static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new java.util.Random(seed).nextBytes(bytes);
        return bytes;
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    int port() {
        return server.port();
    }

    URI uri() {
        return uri(port());
    }

    static URI uri(int port) {
        return URI.create("http://127.0.0.1:" + port + "/file");
    }

    private void handle(Exchange exchange) throws IOException {
        ranges.add(exchange.header("range").orElse("all"));
        Answer next = answers.poll();
        if (next == null) {
            send(exchange, Long.MAX_VALUE);
        } else {
            next.answer(this, exchange);
        }
    }

    /** Answers as a server does, and breaks off after so many bytes. */
    void send(Exchange exchange, long limit) throws IOException {
        digest.ifPresent(value -> exchange.header("Repr-Digest", value));
        new Sending(content, tag.orElse("")).send(exchange, limit);
    }

    /** A file that is sent, or a range of it. */
    static final class Sending {
        private final byte[] content;
        private final String tag;

        /** A file with an entity tag, which is empty for none. */
        Sending(byte[] content, String tag) {
            this.content = content;
            this.tag = tag;
        }

        /** Sends what a request asks for, and breaks off after so many bytes. */
        void send(Exchange exchange, long limit) throws IOException {
            int from = 0;
            int to = content.length;
            if (!tag.isEmpty()) {
                exchange.header("ETag", tag);
            }
            Optional<String> range = exchange.header("range");
            Optional<String> condition = exchange.header("if-range");
            if (range.isPresent() && condition.orElse(tag).equals(tag)) {
                String[] ends = range.get().substring("bytes=".length()).split("-", 2);
                from = Integer.parseInt(ends[0]);
                to = ends[1].isEmpty() ? to : Math.min(to, Integer.parseInt(ends[1]) + 1);
                if (from >= content.length) {
                    exchange.status(416).header("Content-Range", "bytes */" + content.length);
                    exchange.body("text/plain").close();
                    return;
                }
                exchange.status(206)
                        .header(
                                "Content-Range",
                                "bytes " + from + "-" + (to - 1) + "/" + content.length);
            }
            exchange.header("Content-Length", Integer.toString(to - from));
            ResponseBody body = exchange.body("application/octet-stream");
            int sent = (int) Math.min(limit, to - from);
            body.write(ByteBuffer.wrap(content, from, sent));
            if (sent < to - from) {
                body.flush();
                throw new IOException("The test breaks off here");
            }
            body.close();
        }
    }

    /** Queues a response that breaks off after so many bytes. */
    void breakAfter(long bytes) {
        answers.add((server, exchange) -> server.send(exchange, bytes));
    }

    @Override
    public void close() {
        server.close();
    }
}
