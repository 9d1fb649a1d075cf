package dev.penstock.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Writes the head of an HTTP/1 response. */
final class ResponseHead {
    private static final int ROOM = 256;

    private ResponseHead() {}

    static byte[] encode(Wire.Head head, boolean http10, boolean persistent, String date) {
        StringBuilder out = new StringBuilder(ROOM);
        out.append("HTTP/1.1 ");
        out.append(head.status());
        out.append(" ");
        out.append(Status.phrase(head.status()));
        out.append("\r\nDate: ");
        out.append(date);
        head.fields()
                .forEach((name, value) -> {
                    if (name.equalsIgnoreCase("Connection")) {
                        return;
                    }
                    out.append("\r\n");
                    out.append(name);
                    out.append(": ");
                    out.append(value);
                });
        if (head.status() != 204 && !(head.status() == 304 && head.length() <= 0)) {
            if (head.length() >= 0) {
                out.append("\r\nContent-Length: ");
                out.append(head.length());
            } else if (!http10) {
                out.append("\r\nTransfer-Encoding: chunked");
            }
        }
        if (head.fields().get("Upgrade") != null) {
            out.append("\r\nConnection: upgrade");
        }
        if (!persistent) {
            out.append("\r\nConnection: close");
        } else if (http10) {
            out.append("\r\nConnection: keep-alive");
        }
        out.append("\r\n\r\n");
        return out.toString().getBytes(US_ASCII);
    }
}
