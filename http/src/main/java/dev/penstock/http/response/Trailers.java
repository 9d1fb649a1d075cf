package dev.penstock.http.response;

import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.TrailerNames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The trailers of a response: their names, which its head announces, and what gives their values when its body was
 * written. Filled by the handler's thread; the values are read by whoever sends them.
 */
public final class Trailers {
    private static final int MOST = 32;
    private static final int MOST_CHARACTERS = 8 * 1024;

    private final List<String> names = new ArrayList<>(2);
    private final List<Supplier<@Nullable String>> values = new ArrayList<>(2);
    private volatile ResponseHeaders fields = new ResponseHeaders();

    /**
     * Adds a trailer.
     *
     * @throws IllegalArgumentException if it can't be one, or there are as many as may be
     */
    public void add(String name, Supplier<@Nullable String> value) {
        TrailerNames.checkForResponse(name);
        if (names.size() >= MOST) {
            throw new IllegalArgumentException(
                    "A response can have "
                            + MOST
                            + " trailers at the most: "
                            + name
                            + " is too many");
        }
        names.add(name);
        values.add(value);
    }

    /** The value of {@code Trailer}. */
    String announcement() {
        return String.join(", ", names);
    }

    /**
     * Asks for the values, now that the body was written.
     *
     * @throws IllegalArgumentException if one can't be sent, or they are too long
     */
    void evaluate() {
        ResponseHeaders given = new ResponseHeaders();
        int characters = 0;
        for (int i = 0; i < names.size(); i++) {
            String value = values.get(i).get();
            if (value != null) {
                given.add(names.get(i), value);
                characters += names.get(i).length() + value.length();
            }
        }
        if (characters > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "The trailers have %d characters, of which %d can be sent: make their values shorter"
                            .formatted(characters, MOST_CHARACTERS));
        }
        fields = given;
    }

    /** Names and values; empty until the body was written. On any thread. */
    public ResponseHeaders fields() {
        return fields;
    }
}
