package dev.penstock.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The headers of a request that waits, in as few bytes as there can be: one array, of lines, name and value in turn. No header
 * has a line break in it; and none has characters beyond a byte each, as it came from the network.
 */
final class PackedFields {
    private final byte[] lines;

    PackedFields(HttpHeaders headers) {
        StringBuilder all = new StringBuilder(128);
        for (Map.Entry<String, String> header : headers) {
            all.append(header.getKey()).append('\n').append(header.getValue()).append('\n');
        }
        lines = all.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The values of all headers of a name, ignoring case, in order. */
    List<String> all(String name) {
        List<String> values = new ArrayList<>(2);
        for (int at = 0; at < lines.length; ) {
            int nameEnd = lineEnd(at);
            int valueEnd = lineEnd(nameEnd + 1);
            if (nameEnd - at == name.length() && text(at, nameEnd).equalsIgnoreCase(name)) {
                values.add(text(nameEnd + 1, valueEnd));
            }
            at = valueEnd + 1;
        }
        return values;
    }

    private int lineEnd(int from) {
        int at = from;
        while (lines[at] != '\n') {
            at++;
        }
        return at;
    }

    private String text(int from, int to) {
        return new String(lines, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
