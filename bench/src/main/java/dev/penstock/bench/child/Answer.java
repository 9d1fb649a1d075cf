package dev.penstock.bench.child;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Named values in one line of text, as parent and child JVMs tell them to each other. Immutable. */
public record Answer(Map<String, String> values) {
    public Answer {
        values = Map.copyOf(values);
    }

    public static Answer parse(String line) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : line.strip().split(" ", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("no name=value: " + pair);
                }
                values.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), UTF_8));
            }
        }
        return new Answer(values);
    }

    /** The values as one line; values may hold anything, names are words. */
    public String line() {
        StringBuilder line = new StringBuilder();
        values.forEach((name, value) -> {
            if (!line.isEmpty()) {
                line.append(' ');
            }
            line.append(name).append('=').append(URLEncoder.encode(value, UTF_8));
        });
        return line.toString();
    }

    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no value " + name + " in " + values.keySet());
        }
        return value;
    }

    public String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    public double number(String name) {
        return Double.parseDouble(text(name));
    }

    public long whole(String name) {
        return Long.parseLong(text(name));
    }
}
