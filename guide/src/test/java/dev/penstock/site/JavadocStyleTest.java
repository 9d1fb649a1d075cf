package dev.penstock.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The form of comments in the code of all modules. */
class JavadocStyleTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** A comment, and the declaration of the type that it is about. */
    private static final Pattern TYPE =
            Pattern.compile(
                    "/\\*\\*((?:[^*]|\\*(?!/))*+)\\*/\\s*(?:@\\w+(?:\\([^()]*+\\))?\\s*)*+"
                            + "(?:(?:public|private|protected|static|final|abstract|sealed|non-sealed)\\s+)*+"
                            + "(?:class|interface|record|enum|@interface)\\s+(\\w++)");

    /** A comment, and what stands before the parenthesis of a method, or whatever else has one. */
    private static final Pattern METHOD =
            Pattern.compile(
                    "/\\*\\*((?:[^*]|\\*(?!/))*+)\\*/\\s*(?:@\\w+(?:\\([^()]*+\\))?\\s*)*+([^;{}=()/]*+)\\(");

    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("(?m)^public [a-z -]*(class|interface|record|enum) ");

    private static final Pattern QUESTION =
            Pattern.compile("(?:What|Who|How|Where|Whether|When|Why|Which)\\b");

    @Test
    void types_firstSentences_areNounPhrases() throws IOException {
        List<String> clauses = new ArrayList<>();
        for (Path file : sources()) {
            Matcher type = TYPE.matcher(Files.readString(file));
            while (type.find()) {
                String sentence = type.group(1).replaceFirst("^[\\s*]+", "");
                if (QUESTION.matcher(sentence).lookingAt()) {
                    String start = sentence.lines().findFirst().orElse("");
                    clauses.add(ROOT.relativize(file) + ", " + type.group(2) + ": " + start);
                }
            }
        }
        assertThat(clauses)
                .as("types whose first sentence does not say what they are, as a noun would")
                .isEmpty();
    }

    /** A setter sets, and a question's answer is returned: {@code Returns whether}. */
    @Test
    void publicMethods_firstSentences_doNotBeginWithWhether() throws IOException {
        List<String> clauses = new ArrayList<>();
        int methods = 0;
        for (Path file : sources()) {
            String source = Files.readString(file);
            Matcher type = PUBLIC_TYPE.matcher(source);
            if (!file.toString().contains("/src/main/") || !type.find()) {
                continue;
            }
            boolean isInterface = type.group(1).equals("interface");
            Matcher method = METHOD.matcher(source);
            while (method.find()) {
                String declaration = method.group(2);
                if (declaration.startsWith("public ")
                        || declaration.startsWith("protected ")
                        || isInterface) {
                    methods++;
                    String sentence = method.group(1).replaceFirst("^[\\s*]+", "");
                    if (sentence.startsWith("Whether ")) {
                        clauses.add(ROOT.relativize(file) + ": " + declaration);
                    }
                }
            }
        }
        assertThat(methods).isGreaterThan(1_000);
        assertThat(clauses).isEmpty();
    }

    @Test
    void comments_areAtMost120ColumnsWide() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path file : sources()) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                String text = line.strip();
                boolean comment = text.startsWith("*") || text.startsWith("/");
                if (comment && line.codePointCount(0, line.length()) > 120) {
                    wide.add(ROOT.relativize(file) + ":" + (i + 1));
                }
            }
        }
        assertThat(wide).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String depth : List.of("*/src/*/java", "apps/*/src/*/java")) {
            for (Path folder : folders(ROOT, List.of(depth.split("/")))) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        assertThat(sources).hasSizeGreaterThan(1_000);
        return sources;
    }

    /** The folders whose path below another has these names, where {@code *} is any. */
    private static List<Path> folders(Path above, List<String> names) throws IOException {
        if (names.isEmpty()) {
            return List.of(above);
        }
        List<Path> found = new ArrayList<>();
        try (Stream<Path> inside = Files.list(above)) {
            for (Path folder : inside.filter(Files::isDirectory).toList()) {
                String name = names.getFirst();
                if (name.equals("*") || folder.getFileName().toString().equals(name)) {
                    found.addAll(folders(folder, names.subList(1, names.size())));
                }
            }
        }
        return found;
    }
}
