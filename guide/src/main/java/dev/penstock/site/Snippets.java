package dev.penstock.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The programs in the README and in the guide's pages. A block of code below a line {@code <!-- source: PATH#REGION
 * -->} has the lines of that file between {@code // region REGION} and {@code // end}; without a region it has the
 * whole file.
 */
final class Snippets {
    private static final Pattern BLOCK =
            Pattern.compile(
                    "(<!-- source: ([^ #]+)(?:#(\\w+))? -->\\n```(\\w+)\\n)(.*?)(?=```)",
                    Pattern.DOTALL);

    private final Path root;

    Snippets(Path root) {
        this.root = root;
    }

    /** The pages as they should be, by their paths. */
    Map<Path, String> expected() throws IOException {
        List<Path> files = new ArrayList<>(List.of(root.resolve("README.md")));
        try (Stream<Path> guide = Files.list(root.resolve("docs/guide"))) {
            guide.filter(path -> path.toString().endsWith(".md")).sorted().forEach(files::add);
        }
        Map<Path, String> pages = new LinkedHashMap<>();
        for (Path file : files) {
            pages.put(root.relativize(file), withSources(Files.readString(file)));
        }
        return pages;
    }

    /** Brings the pages up to date, and returns those that have changed. */
    List<Path> update() throws IOException {
        List<Path> changed = new ArrayList<>();
        for (Map.Entry<Path, String> page : expected().entrySet()) {
            Path file = root.resolve(page.getKey());
            if (!Files.readString(file).equals(page.getValue())) {
                Files.writeString(file, page.getValue());
                changed.add(page.getKey());
            }
        }
        return changed;
    }

    private String withSources(String page) throws IOException {
        Matcher block = BLOCK.matcher(page);
        StringBuilder text = new StringBuilder();
        while (block.find()) {
            MatchResult found = block.toMatchResult();
            String code = code(found.group(2), found.group(3));
            block.appendReplacement(text, Matcher.quoteReplacement(found.group(1) + code));
        }
        return block.appendTail(text).toString();
    }

    private String code(String path, @Nullable String region) throws IOException {
        String source = Files.readString(root.resolve(path));
        if (region == null) {
            return source;
        }
        List<String> lines = new ArrayList<>();
        boolean inside = false;
        for (String line : source.split("\n", -1)) {
            String mark = line.strip();
            if (mark.equals("// region " + region)) {
                inside = true;
            } else if (mark.equals("// end")) {
                inside = false;
            } else if (inside) {
                lines.add(line);
            }
        }
        if (lines.isEmpty()) {
            throw new IllegalStateException(path + " has no \"// region " + region + "\"");
        }
        return String.join("\n", lines).stripTrailing().stripIndent() + "\n";
    }
}
