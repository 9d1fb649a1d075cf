package dev.penstock.codegen.naming;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The words of a database's name, and the Java names that they make. */
public final class Words {
    private static final Set<String> KEYWORDS =
            Set.of(
                    """
                    abstract assert boolean break byte case catch char class const continue default do double else enum
                    extends final finally float for goto if implements import instanceof int interface long native new
                    package private protected public return short static strictfp super switch synchronized this throw
                    throws transient try void volatile while true false null yield _\
                    """
                            .split("\\s+"));

    /** A file can be called by 255 bytes, and has the names of two classes where one is in the other. */
    private static final int MAX_CLASS_NAME = 100;

    private static final Pattern MARKS = Pattern.compile("\\p{M}+");

    /** Latin letters that no decomposition makes plain. */
    private static final Map<Integer, String> PLAIN =
            Map.ofEntries(
                    Map.entry((int) 'ß', "ss"),
                    Map.entry((int) 'ẞ', "SS"),
                    Map.entry((int) 'æ', "ae"),
                    Map.entry((int) 'Æ', "AE"),
                    Map.entry((int) 'œ', "oe"),
                    Map.entry((int) 'Œ', "OE"),
                    Map.entry((int) 'ø', "o"),
                    Map.entry((int) 'Ø', "O"),
                    Map.entry((int) 'ł', "l"),
                    Map.entry((int) 'Ł', "L"),
                    Map.entry((int) 'đ', "d"),
                    Map.entry((int) 'Đ', "D"),
                    Map.entry((int) 'ð', "d"),
                    Map.entry((int) 'þ', "th"),
                    Map.entry((int) 'ı', "i"));

    private final List<String> words;

    private Words(List<String> words) {
        this.words = words;
    }

    /**
     * The words of a name: parts between other characters than letters and digits, and humps of mixed case. May be
     * none.
     */
    public static Words of(String name) {
        String text = Normalizer.normalize(name, Normalizer.Form.NFC);
        boolean mixed =
                text.codePoints().anyMatch(Character::isLowerCase)
                        && text.codePoints().anyMatch(Character::isUpperCase);
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        int[] points = text.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            boolean part = isPart(points[i]);
            if (!part || (mixed && isHump(points, i))) {
                end(word, words);
            }
            if (part) {
                word.appendCodePoint(points[i]);
            }
        }
        end(word, words);
        return new Words(words);
    }

    private static void end(StringBuilder word, List<String> words) {
        if (!word.isEmpty()) {
            words.add(word.toString().toLowerCase(Locale.ROOT));
            word.setLength(0);
        }
    }

    /** Invisible characters, currency signs and connectors are parts of Java's identifiers, but of no name's words. */
    private static boolean isPart(int point) {
        return (Character.isLetterOrDigit(point) && Character.isJavaIdentifierPart(point))
                || Character.getType(point) == Character.NON_SPACING_MARK
                || Character.getType(point) == Character.COMBINING_SPACING_MARK;
    }

    private static boolean isHump(int[] points, int i) {
        if (i == 0 || !Character.isUpperCase(points[i])) {
            return false;
        }
        boolean afterUpper = Character.isUpperCase(points[i - 1]);
        boolean beforeLower = i + 1 < points.length && Character.isLowerCase(points[i + 1]);
        return !afterUpper || beforeLower;
    }

    public boolean isEmpty() {
        return words.isEmpty();
    }

    /** The words without the last, where it is one of these and not alone. */
    public Words without(Set<String> last) {
        return words.size() > 1 && last.contains(words.getLast())
                ? new Words(words.subList(0, words.size() - 1))
                : this;
    }

    /** The words with the last in the plural. */
    public Words plural() {
        List<String> plural = new ArrayList<>(words);
        plural.addLast(plural(plural.removeLast()));
        return new Words(plural);
    }

    private static String plural(String word) {
        if (word.matches(".*[^aeiou]y")) {
            return word.substring(0, word.length() - 1) + "ies";
        }
        if (word.matches(".*(ss|us|is|x|z|ch|sh)")) {
            return word + "es";
        }
        return word.endsWith("s") ? word : word + "s";
    }

    /** These words and then others. */
    Words and(Words more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(more.words);
        return new Words(all);
    }

    /** {@code filmId}. */
    public String camel() {
        String upper = pascal(words);
        String first = words.getFirst();
        return started(first + upper.substring(capital(first).length()));
    }

    /** {@code FilmText}, of ASCII alone: classes are files, whose names not every system can hold. */
    public String className() {
        String name = started(pascal(words.stream().map(Words::ascii).toList()));
        return name.substring(0, Math.min(name.length(), MAX_CLASS_NAME));
    }

    private static String pascal(List<String> words) {
        return words.stream().map(Words::capital).collect(Collectors.joining());
    }

    private static String capital(String word) {
        int first = word.codePointAt(0);
        return Character.toString(Character.toUpperCase(first))
                + word.substring(Character.charCount(first));
    }

    private static String ascii(String word) {
        String plain =
                MARKS.matcher(Normalizer.normalize(word, Normalizer.Form.NFD)).replaceAll("");
        StringBuilder ascii = new StringBuilder();
        plain.codePoints()
                .forEach(point -> {
                    if (point < 128) {
                        ascii.appendCodePoint(point);
                    } else {
                        ascii.append(
                                PLAIN.getOrDefault(
                                        point,
                                        "U" + Integer.toHexString(point).toUpperCase(Locale.ROOT)));
                    }
                });
        return ascii.isEmpty() ? "U" : ascii.toString();
    }

    /** {@code FILM_ID}. */
    public String constant() {
        return started(String.join("_", words).toUpperCase(Locale.ROOT));
    }

    /** {@code PG13} of {@code PG-13}: as {@link #constant}, with a number right behind its word. */
    public String label() {
        StringBuilder label = new StringBuilder();
        for (String word : words) {
            boolean behind =
                    !label.isEmpty()
                            && Character.isLetter(label.charAt(label.length() - 1))
                            && Character.isDigit(word.codePointAt(0));
            label.append(label.isEmpty() || behind ? "" : "_").append(word);
        }
        return started(label.toString().toUpperCase(Locale.ROOT));
    }

    private static String started(String name) {
        return Character.isJavaIdentifierStart(name.codePointAt(0)) ? name : "_" + name;
    }

    public static boolean isKeyword(String name) {
        return KEYWORDS.contains(name);
    }

    /** Returns whether it can be the name of something in Java. */
    public static boolean isIdentifier(String name) {
        return !name.isEmpty()
                && !isKeyword(name)
                && Character.isJavaIdentifierStart(name.codePointAt(0))
                && name.codePoints()
                        .allMatch(p ->
                                Character.isJavaIdentifierPart(p)
                                        && !Character.isIdentifierIgnorable(p));
    }
}
