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
import org.junit.jupiter.api.io.TempDir;

/** The documentation and its site: no link is broken, and pages keep to their form. */
class SiteTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

    @TempDir private Path folder;

    @Test
    void links_ofAllPages_leadSomewhere() throws IOException {
        assertThat(Site.of(ROOT).problems()).isEmpty();
    }

    @Test
    void links_toWhatIsNotThere_areProblems() throws IOException {
        Files.createDirectories(folder.resolve("docs"));
        Files.writeString(folder.resolve("CONTRIBUTING.md"), "# Two\n\n## A heading, `coded`\n");
        Files.writeString(folder.resolve("CHANGELOG.md"), "# Three\n");
        Files.writeString(
                folder.resolve("README.md"),
                "# One\n\n[a](CONTRIBUTING.md#a-heading-coded) [b](CONTRIBUTING.md#b) [c](docs/c.md)"
                        + " [d](https://example.com) [`E`]\n");
        assertThat(Site.of(folder).problems())
                .containsExactly(
                        "README.md: the link [`E`] has no definition",
                        "README.md: the link to CONTRIBUTING.md#b names a heading that CONTRIBUTING.md does not have",
                        "README.md: the link to docs/c.md leads nowhere: there is no docs/c.md");
    }

    @Test
    void site_withApiDocumentation_hasNoBrokenLink() throws IOException {
        Site.of(ROOT).write(folder);
        ApiDocumentation.write(ROOT, folder.resolve("api"));
        List<String> broken = new ArrayList<>();
        for (Path page : htmlPages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                String address = link.group(1).replaceAll("[#?].*", "");
                boolean external = address.matches("[a-z]+:.*");
                if (!external
                        && !address.isEmpty()
                        && !Files.exists(page.resolveSibling(address))) {
                    broken.add(folder.relativize(page) + ": " + link.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(folder.resolve("index.html")).content().contains("aria-current=\"page\"");
    }

    private List<Path> htmlPages() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".html")).toList();
        }
    }

    @Test
    void prose_ofAllPages_isAtMost120ColumnsWide() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Page page : Site.of(ROOT).pages()) {
            boolean code = false;
            for (String line : Files.readAllLines(ROOT.resolve(page.path()))) {
                if (line.startsWith("```")) {
                    code = !code;
                }
                boolean free = code || line.startsWith("|") || !line.strip().contains(" ");
                if (!free && line.codePointCount(0, line.length()) > 120) {
                    wide.add(page.path() + ": " + line);
                }
            }
        }
        assertThat(wide).isEmpty();
    }
}
