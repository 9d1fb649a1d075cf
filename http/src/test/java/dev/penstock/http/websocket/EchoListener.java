package dev.penstock.http.websocket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A listener that sends messages back, and tells in order that it was opened and how it was closed. */
class EchoListener implements WebSocket.Listener {
    final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Override
    public void opened(WebSocket socket) throws Exception {
        told.add("opened");
    }

    @Override
    public void text(WebSocket socket, String text, boolean last) throws Exception {
        socket.send(text);
    }

    @Override
    public void binary(WebSocket socket, ByteBuffer bytes, boolean last) throws IOException {
        socket.send(bytes);
    }

    @Override
    public void closed(WebSocket socket, int code, String reason) {
        told.add("closed " + code + " " + reason);
    }

    String next() throws InterruptedException {
        String next = told.poll(15, TimeUnit.SECONDS);
        return next == null ? "nothing" : next;
    }
}
