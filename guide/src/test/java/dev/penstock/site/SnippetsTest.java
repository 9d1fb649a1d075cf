package dev.penstock.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The programs in the README and in the guide's pages are those that the tests compile and run. */
class SnippetsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void pages_withPrograms_haveTheSourcesAsTheyAre() throws IOException {
        Map<Path, String> expected = new Snippets(ROOT).expected();
        assertThat(expected).hasSize(10);
        for (Map.Entry<Path, String> page : expected.entrySet()) {
            assertThat(Files.readString(ROOT.resolve(page.getKey())))
                    .as(page.getKey() + ": bring it up to date with ./penstock docs --snippets")
                    .isEqualTo(page.getValue());
        }
    }

    @Test
    void javaBlocks_ofThesePages_areAllMadeFromSources() throws IOException {
        for (Path page : new Snippets(ROOT).expected().keySet()) {
            List<String> lines = Files.readAllLines(ROOT.resolve(page));
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).equals("```java") || lines.get(i).equals("```xml")) {
                    assertThat(lines.get(i - 1)).as(page.toString()).startsWith("<!-- source: ");
                }
            }
        }
    }
}
