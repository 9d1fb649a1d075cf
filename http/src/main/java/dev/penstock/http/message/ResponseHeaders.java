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

    /** Adds one beside others of its name. */
    public void add(String name, String value) {
        check(name, value);
        pairs.add(name);
        pairs.add(value);
    }

    /** Says which trailers will follow the body; their names were checked. */
    public void announceTrailers(String names) {
        remove("Trailer");
        pairs.add("Trailer");
        pairs.add(names);
    }

    /** About how many bytes they are when they are sent. */
    public int size() {
        int size = 0;
        for (String text : pairs) {
            size += text.length() + 2;
        }
        return size;
    }

    public boolean isEmpty() {
        return pairs.isEmpty();
    }

    /**
     * Removes what says something about a body that is not sent after all, and about how long it may be kept. What
     * remains concerns the client, as cookies do, or the response as a whole.
     */
    public void removeRepresentation() {
        for (int i = pairs.size() - 2; i >= 0; i -= 2) {
            if (isRepresentation(pairs.get(i).toLowerCase(Locale.ROOT))) {
                pairs.remove(i + 1);
                pairs.remove(i);
            }
        }
    }

    private static boolean isRepresentation(String name) {
        return switch (name) {
            case "etag",
                    "last-modified",
                    "cache-control",
                    "expires",
                    "age",
                    "accept-ranges",
                    "location",
                    "link",
                    "preference-applied" ->
                    true;
            default -> name.startsWith("content-") && !name.startsWith("content-security-policy");
        };
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

    /** Returns whether it follows from the response itself. */
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

    /** Returns the first value of that name; null where there is none. */
    public @Nullable String get(String name) {
        int index = index(name);
        return index < 0 ? null : pairs.get(index + 1);
    }

    private int index(String name) {
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Adds an element to a list such as that of {@code Vary}, unless it is there in whatever case, or {@code *}, which
     * stands for all.
     */
    public void append(String name, String element) {
        int first = index(name);
        if (first < 0) {
            set(name, element);
            return;
        }
        for (int i = first; i < pairs.size(); i += 2) {
            if (pairs.get(i).equalsIgnoreCase(name) && lists(pairs.get(i + 1), element)) {
                return;
            }
        }
        pairs.set(first + 1, pairs.get(first + 1) + ", " + element);
    }

    private static boolean lists(String list, String element) {
        List<String> values = List.of(list);
        return Syntax.hasElement(values, element) || Syntax.hasElement(values, "*");
    }

    public void forEach(BiConsumer<String, String> action) {
        for (int i = 0; i < pairs.size(); i += 2) {
            action.accept(pairs.get(i), pairs.get(i + 1));
        }
    }
}
