package dev.penstock.transfer.client;

import dev.penstock.http.Exchange;
import dev.penstock.http.server.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** A server of uploads in memory, by tus, by the draft or plain, as small as a test can have it, and as unkind. */
final class TinyUploads implements AutoCloseable {
    /** The protocols that it can speak. */
    enum Speech {
        TUS,
        TUS_OF_KNOWN_LENGTH,
        DRAFT,
        DRAFT_3,
        PLAIN
    }

    /** An answer instead of the plain one. */
    interface Fault {
        void answer(Exchange exchange) throws IOException;
    }

    /** One upload. */
    static final class Stored {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final ReentrantLock lock = new ReentrantLock();
        volatile long length = -1;
        volatile boolean isComplete;
        volatile String metadata = "";

        byte[] content() {
            lock.lock();
            try {
                return bytes.toByteArray();
            } finally {
                lock.unlock();
            }
        }
    }

    final List<String> requests = new CopyOnWriteArrayList<>();
    final Map<String, Stored> uploads = new ConcurrentHashMap<>();
    final Queue<Fault> patches = new ConcurrentLinkedDeque<>();
    final Queue<Fault> posts = new ConcurrentLinkedDeque<>();
    volatile Optional<String> token = Optional.empty();
    private final AtomicInteger ids = new AtomicInteger();
    private final Speech speech;
    private final Server server;

    TinyUploads(Speech speech) {
        this.speech = speech;
        server =
                Server.builder()
                        .port(0)
                        .eventLoops(2)
                        .accessLog(false)
                        .route("OPTIONS", "/uploads", this::options)
                        .post("/uploads", this::create)
                        .route("HEAD", "/uploads/{id}", this::head)
                        .route("PATCH", "/uploads/{id}", this::patch)
                        .put("/plain/{id}", this::put)
                        .start();
    }

    int port() {
        return server.port();
    }

    URI uri() {
        return uri(port());
    }

    static URI uri(int port) {
        return URI.create("http://127.0.0.1:" + port + "/uploads");
    }

    Stored only() {
        if (uploads.size() != 1) {
            throw new AssertionError(uploads.size() + " uploads");
        }
        return uploads.values().iterator().next();
    }

    Stored stored(String id) {
        return java.util.Objects.requireNonNull(uploads.get(id), "There is no upload " + id);
    }

    private boolean isTus() {
        return speech == Speech.TUS || speech == Speech.TUS_OF_KNOWN_LENGTH;
    }

    private boolean isAllowed(Exchange exchange) {
        requests.add(exchange.method() + " " + exchange.header("upload-offset").orElse("-"));
        if (token.isPresent()
                && !exchange.header("authorization").equals(token.map(t -> "Bearer " + t))) {
            exchange.respond(401, "text/plain", "no token");
            return false;
        }
        return true;
    }

    private void options(Exchange exchange) {
        if (!isAllowed(exchange)) {
            return;
        }
        switch (speech) {
            case TUS ->
                    exchange.header("Tus-Version", "1.0.0")
                            .header("Tus-Extension", "creation,creation-defer-length");
            case TUS_OF_KNOWN_LENGTH ->
                    exchange.header("Tus-Version", "1.0.0").header("Tus-Extension", "creation");
            case DRAFT ->
                    exchange.header("Accept-Patch", "application/partial-upload")
                            .header("Upload-Limit", "min-size=0");
            case DRAFT_3 -> exchange.header("Upload-Draft-Interop-Version", "3");
            case PLAIN -> exchange.header("Allow", "PUT");
        }
        exchange.status(204);
    }

    private void create(Exchange exchange) throws IOException {
        if (!isAllowed(exchange)) {
            return;
        }
        Fault fault = posts.poll();
        if (fault != null) {
            fault.answer(exchange);
            return;
        }
        String id = Integer.toString(ids.incrementAndGet());
        Stored stored = new Stored();
        stored.length = exchange.header("upload-length").map(Long::parseLong).orElse(-1L);
        stored.metadata =
                exchange.header("upload-metadata")
                        .or(() -> exchange.header("content-disposition"))
                        .orElse("");
        stored.isComplete = isTus() && stored.length == 0;
        uploads.put(id, stored);
        exchange.header("Location", "/uploads/" + id).status(201);
    }

    private void head(Exchange exchange) {
        if (isAllowed(exchange)) {
            Stored stored = uploads.get(exchange.pathParameter("id"));
            if (stored == null) {
                exchange.status(404);
            } else {
                describe(exchange, stored);
                exchange.status(204);
            }
        }
    }

    private void describe(Exchange exchange, Stored stored) {
        exchange.header("Upload-Offset", Integer.toString(stored.content().length));
        switch (speech) {
            case DRAFT -> exchange.header("Upload-Complete", stored.isComplete ? "?1" : "?0");
            case DRAFT_3 -> exchange.header("Upload-Incomplete", stored.isComplete ? "?0" : "?1");
            case TUS, TUS_OF_KNOWN_LENGTH, PLAIN -> {
                if (stored.length >= 0) {
                    exchange.header("Upload-Length", Long.toString(stored.length));
                }
            }
        }
    }

    private void patch(Exchange exchange) throws IOException {
        if (!isAllowed(exchange)) {
            return;
        }
        Fault fault = patches.poll();
        if (fault != null) {
            fault.answer(exchange);
            return;
        }
        Stored stored = uploads.get(exchange.pathParameter("id"));
        if (stored == null) {
            exchange.respond(404, "text/plain", "unknown");
            return;
        }
        long offset = Long.parseLong(exchange.header("upload-offset").orElse("-1"));
        if (offset != stored.content().length) {
            exchange.respond(409, "text/plain", "wrong offset");
            return;
        }
        exchange.header("upload-length")
                .ifPresent(length -> stored.length = Long.parseLong(length));
        append(exchange.requestBody(), stored, offset);
        stored.isComplete |=
                switch (speech) {
                    case DRAFT -> exchange.header("upload-complete").orElse("").equals("?1");
                    case DRAFT_3 -> exchange.header("upload-incomplete").orElse("").equals("?0");
                    case TUS, TUS_OF_KNOWN_LENGTH, PLAIN ->
                            stored.content().length == stored.length;
                };
        describe(exchange, stored);
        exchange.status(204);
    }

    /** Adds what comes; an append that another has overtaken adds nothing more. */
    private static void append(ReadableByteChannel body, Stored stored, long offset)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(16 * 1024);
        long at = offset;
        while (body.read(buffer.clear()) >= 0) {
            buffer.flip();
            stored.lock.lock();
            try {
                if (stored.bytes.size() != at) {
                    throw new IOException("A newer request appends");
                }
                stored.bytes.write(buffer.array(), 0, buffer.limit());
                at += buffer.limit();
            } finally {
                stored.lock.unlock();
            }
        }
    }

    private void put(Exchange exchange) throws IOException {
        if (!isAllowed(exchange)) {
            return;
        }
        Fault fault = posts.poll();
        if (fault != null) {
            fault.answer(exchange);
            return;
        }
        Stored stored = new Stored();
        append(exchange.requestBody(), stored, 0);
        stored.isComplete = true;
        uploads.put(exchange.pathParameter("id"), stored);
        exchange.status(201);
    }

    @Override
    public void close() {
        server.close();
    }
}
