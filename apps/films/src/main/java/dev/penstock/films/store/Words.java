package dev.penstock.films.store;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The lists of names and words of {@code words.txt}. */
final class Words {
    private static final Map<String, String[]> LISTS = read();

    private Words() {}

    private static Map<String, String[]> read() {
        Map<String, String[]> lists = new HashMap<>();
        for (String line : resource("words.txt").lines().toList()) {
            int colon = line.indexOf(": ");
            if (!line.startsWith("#") && colon > 0) {
                lists.put(line.substring(0, colon), line.substring(colon + 2).split(", ", -1));
            }
        }
        return lists;
    }

    /** The list of that name. */
    static String[] list(String name) {
        return requireNonNull(LISTS.get(name), name);
    }

    /** {@code a} or {@code an}, as the next word asks for, and the word. */
    static String withArticle(String article, String word) {
        return article + ("AEIOU".indexOf(word.charAt(0)) >= 0 ? "n " : " ") + word;
    }

    /** Returns a text that lies beside this class. */
    static String resource(String name) {
        try (InputStream in = requireNonNull(Words.class.getResourceAsStream(name), name);
                BufferedReader reader =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return reader.readAllAsString();
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the resource " + name, e);
        }
    }
}
