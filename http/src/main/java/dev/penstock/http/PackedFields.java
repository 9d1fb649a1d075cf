package dev.penstock.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The headers of a request that waits, in as few bytes as there can be: one array, of lines, name and value in turn. No header
 * has a line break in it; and none has characters beyond a byte each, as it came from the network.
 */
final class PackedFields implements RequestFields {
    private final byte[] lines;

    private PackedFields(byte[] lines) {
        this.lines = lines;
    }

    /** Puts headers together. */
    static final class Packer {
        private final StringBuilder lines = new StringBuilder(192);

        void add(CharSequence name, CharSequence value) {
            lines.append(name).append('\n').append(value).append('\n');
        }

        PackedFields pack() {
            return new PackedFields(lines.toString().getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    @Override
    public PackedFields packed() {
        return this;
    }

    @Override
    public List<String> all(String name) {
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
