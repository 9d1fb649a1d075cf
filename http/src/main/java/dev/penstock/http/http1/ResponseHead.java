package dev.penstock.http.http1;

import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Status;
import dev.penstock.http.response.ResponseTransport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/** The head of an HTTP/1 response, as bytes. */
final class ResponseHead {
    private static final int ROOM = 160;

    private byte[] bytes = new byte[ROOM];
    private int length;

    /**
     * Writes a head.
     *
     * @param persistent whether another request may follow on the connection
     * @param date the time now
     */
    ResponseHead(ResponseTransport.Head head, boolean http10, boolean persistent, String date) {
        int status = head.status();
        put(Status.line(status));
        put("\r\nDate: ");
        put(date);
        head.fields().forEach(this::field);
        if (status != 204 && !(status == 304 && head.length() <= 0)) {
            if (head.length() >= 0) {
                put("\r\nContent-Length: ");
                put(head.length());
            } else if (!http10) {
                put("\r\nTransfer-Encoding: chunked");
            }
        }
        if (head.fields().get("Upgrade") != null) {
            put("\r\nConnection: upgrade");
        }
        if (!persistent) {
            put("\r\nConnection: close");
        } else if (http10) {
            put("\r\nConnection: keep-alive");
        }
        put("\r\n\r\n");
    }

    private ResponseHead() {}

    /** A head before that of a response. */
    static ByteBuf interim(int status, ResponseHeaders fields) {
        ResponseHead head = new ResponseHead();
        head.put(Status.line(status));
        fields.forEach(head::field);
        head.put("\r\n\r\n");
        return head.toBuffer();
    }

    /** The end of a body in chunks, with its trailers. */
    static ByteBuf end(ResponseHeaders trailers) {
        ResponseHead end = new ResponseHead();
        end.put("0");
        trailers.forEach(end::field);
        end.put("\r\n\r\n");
        return end.toBuffer();
    }

    int length() {
        return length;
    }

    ByteBuf toBuffer() {
        return Unpooled.wrappedBuffer(bytes, 0, length);
    }

    /** Puts it right before what is readable. */
    ByteBuf prependTo(ByteBuf target) {
        int start = target.readerIndex() - length;
        return target.setBytes(start, bytes, 0, length).readerIndex(start);
    }

    private void field(String name, String value) {
        if (!name.equalsIgnoreCase("Connection")) {
            put('\r', '\n');
            put(name);
            put(':', ' ');
            put(value);
        }
    }

    private void put(char first, char second) {
        room(2);
        bytes[length++] = (byte) first;
        bytes[length++] = (byte) second;
    }

    private void put(long number) {
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        room(digits);
        length += digits;
        long rest = number;
        for (int at = length - 1; at >= length - digits; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private void room(int count) {
        if (count > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
    }

    /** All of it is ASCII, the fields' part because they were checked. */
    // The one way from a string into an array without another in between.
    @SuppressWarnings("deprecation")
    private void put(String ascii) {
        int count = ascii.length();
        room(count);
        ascii.getBytes(0, count, bytes, length);
        length += count;
    }
}
