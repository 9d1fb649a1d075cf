package dev.penstock.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The headers of a response, in order, checked so that none can split it. */
public final class ResponseHeaders {
    /** Each name is followed by its value. */
    private final List<String> pairs = new ArrayList<>(8);

    public void set(String name, String value) {
        check(name, value);
        remove(name);
        pairs.add(name);
        pairs.add(value);
    }

    /**
     * Refuses what can't be sent.
     *
     * @throws IllegalArgumentException that says why
     */
    public static void check(String name, String value) {
        if (isOwn(name)) {
            throw new IllegalArgumentException("Header " + name + " is set by the server");
        }
        Syntax.checkName(name);
        Syntax.checkValue(name, value);
    }

    /** Whether it follows from the response itself. */
    private static boolean isOwn(String name) {
        String own =
                switch (name.length()) {
                    case 4 -> "date";
                    case 7 -> "trailer";
                    case 10 -> "keep-alive";
                    case 14 -> "content-length";
                    case 17 -> "transfer-encoding";
                    default -> null;
                };
        return name.equalsIgnoreCase(own);
    }

    void remove(String name) {
        for (int i = pairs.size() - 2; i >= 0; i -= 2) {
            if (pairs.get(i).equalsIgnoreCase(name)) {
                pairs.remove(i + 1);
                pairs.remove(i);
            }
        }
    }

    public @Nullable String get(String name) {
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).equalsIgnoreCase(name)) {
                return pairs.get(i + 1);
            }
        }
        return null;
    }

    /** Adds to a list such as that of {@code Vary}. */
    public void append(String name, String value) {
        String there = get(name);
        if (there == null) {
            set(name, value);
        } else if (!there.toLowerCase(Locale.ROOT).contains(value.toLowerCase(Locale.ROOT))
                && !there.trim().equals("*")) {
            set(name, there + ", " + value);
        }
    }

    public void clear() {
        pairs.clear();
    }

    public void forEach(BiConsumer<String, String> action) {
        for (int i = 0; i < pairs.size(); i += 2) {
            action.accept(pairs.get(i), pairs.get(i + 1));
        }
    }
}
