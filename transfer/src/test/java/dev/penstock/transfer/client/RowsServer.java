package dev.penstock.transfer.client;

import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Server;
import dev.penstock.transfer.client.rows.Export;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server of an export of rows, which breaks off where a test tells it. */
final class RowsServer implements AutoCloseable {
    final List<String> queries = new CopyOnWriteArrayList<>();
    final Queue<Integer> cuts = new ConcurrentLinkedDeque<>();
    volatile boolean isResumable = true;
    private final String mediaType;
    private final int rows;
    private final Server server;

    RowsServer(String mediaType, int rows) {
        this.mediaType = mediaType;
        this.rows = rows;
        server =
                Server.builder()
                        .port(0)
                        .eventLoops(2)
                        .accessLog(false)
                        .get("/api/film", this::handle)
                        .start();
    }

    int port() {
        return server.port();
    }

    URI uri(String query) {
        return uri(port(), query);
    }

    static URI uri(int port, String query) {
        return URI.create("http://127.0.0.1:" + port + "/api/film" + query);
    }

    private void handle(Exchange exchange) throws IOException {
        queries.add(exchange.query());
        int first = exchange.parameter("offset").map(Integer::parseInt).orElse(0);
        var after = exchange.parameter("after");
        if (after.isPresent()) {
            String values = after.get();
            first =
                    1
                            + Integer.parseInt(
                                    values.substring(
                                            values.lastIndexOf(',') + 1, values.length() - 1));
            String expected =
                    Export.title(first - 1)
                            .map(title -> title.equals("plain") ? "plain" : quoted(title))
                            .orElse("null");
            if (!values.equals("(" + expected + "," + (first - 1) + ")")) {
                exchange.respond(400, "text/plain", "not the row " + (first - 1) + ": " + values);
                return;
            }
        }
        int end = exchange.parameter("limit").map(Integer::parseInt).orElse(rows);
        byte[] all = Export.response(mediaType, first, Math.min(rows, first + end));
        if (isResumable) {
            exchange.header("Penstock-Resume-After", "the%20title,id");
        }
        ResponseBody body = exchange.body(mediaType);
        Integer cut = cuts.poll();
        int sent = cut == null ? all.length : Math.min(cut, all.length);
        body.write(ByteBuffer.wrap(all, 0, sent));
        body.flush();
        if (sent < all.length) {
            throw new IOException("The test breaks off here");
        }
        body.close();
    }

    private static String quoted(String title) {
        return "\"" + title.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    @Override
    public void close() {
        server.close();
    }
}
