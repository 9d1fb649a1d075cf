package dev.penstock.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;

/** Writes the head of an HTTP/1 response. */
final class ResponseHead {
    /** With room for a small body behind it, so that a small response is one buffer. */
    private static final int ROOM = 1024;

    private ResponseHead() {}

    static ByteBuf encode(
            ByteBufAllocator allocator,
            Wire.Head head,
            boolean http10,
            boolean persistent,
            String date) {
        ByteBuf out = allocator.directBuffer(ROOM);
        ascii(out, "HTTP/1.1 ");
        ascii(out, Integer.toString(head.status()));
        ascii(out, " ");
        ascii(out, Status.phrase(head.status()));
        ascii(out, "\r\nDate: ");
        ascii(out, date);
        head.fields()
                .forEach((name, value) -> {
                    if (name.equalsIgnoreCase("Connection")) {
                        return;
                    }
                    ascii(out, "\r\n");
                    ascii(out, name);
                    ascii(out, ": ");
                    ascii(out, value);
                });
        if (head.status() != 204 && !(head.status() == 304 && head.length() <= 0)) {
            if (head.length() >= 0) {
                ascii(out, "\r\nContent-Length: ");
                ascii(out, Long.toString(head.length()));
            } else if (!http10) {
                ascii(out, "\r\nTransfer-Encoding: chunked");
            }
        }
        if (head.fields().get("Upgrade") != null) {
            ascii(out, "\r\nConnection: upgrade");
        }
        if (!persistent) {
            ascii(out, "\r\nConnection: close");
        } else if (http10) {
            ascii(out, "\r\nConnection: keep-alive");
        }
        ascii(out, "\r\n\r\n");
        return out;
    }

    private static void ascii(ByteBuf out, String text) {
        ByteBufUtil.writeAscii(out, text);
    }
}
