package dev.penstock.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The headers of a response, in order, checked so that none can split it. */
final class Fields {
    private final List<String> names = new ArrayList<>(8);
    private final List<String> values = new ArrayList<>(8);

    void set(String name, String value) {
        if (isOwn(name)) {
            throw new IllegalArgumentException("Header " + name + " is set by the server");
        }
        Syntax.checkName(name);
        Syntax.checkValue(name, value);
        remove(name);
        names.add(name);
        values.add(value);
    }

    /** Whether it follows from the response itself. */
    private static boolean isOwn(String name) {
        String own =
                switch (name.length()) {
                    case 4 -> "date";
                    case 7 -> "trailer";
                    case 10 -> "keep-alive";
                    case 17 -> "transfer-encoding";
                    default -> null;
                };
        return name.equalsIgnoreCase(own);
    }

    void remove(String name) {
        for (int i = names.size() - 1; i >= 0; i--) {
            if (names.get(i).equalsIgnoreCase(name)) {
                names.remove(i);
                values.remove(i);
            }
        }
    }

    @Nullable String get(String name) {
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(name)) {
                return values.get(i);
            }
        }
        return null;
    }

    /** Adds to a list such as that of {@code Vary}. */
    void append(String name, String value) {
        String there = get(name);
        if (there == null) {
            set(name, value);
        } else if (!there.toLowerCase(Locale.ROOT).contains(value.toLowerCase(Locale.ROOT))
                && !there.trim().equals("*")) {
            set(name, there + ", " + value);
        }
    }

    void clear() {
        names.clear();
        values.clear();
    }

    void forEach(BiConsumer<String, String> action) {
        for (int i = 0; i < names.size(); i++) {
            action.accept(names.get(i), values.get(i));
        }
    }
}
