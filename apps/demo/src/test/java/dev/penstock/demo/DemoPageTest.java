package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.server.page.PageText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DemoPageTest {
    @Test
    void page_ofAContent_isOneDocumentWithItsFilesInOrder() {
        assertThat(DemoPage.of("waits", "A & b", "<b>Lead</b>", "/a.css", "/b.js", "/c.css"))
                .startsWith("<!DOCTYPE html>\n")
                .contains("<title>A &amp; b – Penstock</title>", "<h1>A &amp; b</h1>")
                .contains("<p class=\"lead\"><b>Lead</b></p>")
                .contains(
                        """
                        <link rel="stylesheet" href="/home.css">
                        <link rel="stylesheet" href="/a.css">
                        <script src="/b.js" defer></script>
                        <link rel="stylesheet" href="/c.css">
                        </head>
                        """)
                .containsSubsequence("</header>\n<main>", "</footer>\n</body>\n</html>\n")
                .doesNotContain("{{");
    }

    /** The head of all pages is in the common page alone. */
    @ParameterizedTest
    @ValueSource(strings = {"waits", "pools", "generate"})
    void content_ofAPage_hasNoHead(String name) {
        assertThat(PageText.resource(DemoPage.class, name + ".html"))
                .startsWith("<main>")
                .doesNotContain("<head", "<header", "<h1", "stylesheet");
    }

    @ParameterizedTest
    @ValueSource(strings = {"waits", "pools"})
    void style_ofPlots_isInNoOtherFile(String name) {
        assertThat(PageText.resource(DemoPage.class, "live.css")).contains(".plot .line");
        assertThat(PageText.resource(DemoPage.class, name + ".html")).doesNotContain("<style");
        assertThat(DemoPage.class.getResource("waits.css")).isNull();
        assertThat(PageText.resource(DemoPage.class, "pools.css")).doesNotContain(".plot");
    }
}
