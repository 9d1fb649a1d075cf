package dev.penstock.http;

import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A key under which filters and handlers keep something with an exchange, such as the user who has signed in. Two keys
 * are equal only if they are the same object, so that no two parts of a program meet under one name. Immutable.
 *
 * @param <T> what is kept under it
 */
public final class AttributeKey<T> {
    private static final Set<String> TAKEN =
            Set.of(
                    "time",
                    "client",
                    "method",
                    "path",
                    "route",
                    "protocol",
                    "status",
                    "bytes",
                    "millis",
                    "queuedMillis",
                    "ending",
                    "userAgent");

    private final String name;
    private final @Nullable Function<? super T, String> logged;

    private AttributeKey(String name, @Nullable Function<? super T, String> logged) {
        this.name = name;
        this.logged = logged;
    }

    /**
     * A new key.
     *
     * @param name for messages
     */
    public static <T> AttributeKey<T> of(String name) {
        return new AttributeKey<>(name, null);
    }

    /**
     * A new key of what the access log says of a request.
     *
     * @param name of the member in the log: a letter, and up to 63 letters, digits, dots and underscores
     * @param text what is logged of the value; called on an event loop or a handler's thread, so it must take
     *     microseconds
     * @throws IllegalArgumentException if it is no such name, or one that the log has already
     */
    public static <T> AttributeKey<T> logged(String name, Function<? super T, String> text) {
        if (!name.matches("[A-Za-z][A-Za-z0-9._]{0,63}")) {
            throw new IllegalArgumentException(
                    "'"
                            + name
                            + "' can't be a member of the access log: it must be a letter, and up to 63"
                            + " letters, digits, dots and underscores");
        }
        if (TAKEN.contains(name)) {
            throw new IllegalArgumentException(
                    "The access log has a member '" + name + "' already: choose another name");
        }
        return new AttributeKey<>(name, text);
    }

    /** Returns what the access log says of a value; null where it says nothing. */
    public @Nullable String logText(T value) {
        return logged == null ? null : logged.apply(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
