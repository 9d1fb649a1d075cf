package dev.penstock.demo;

import dev.penstock.server.page.PageText;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The HTML of the demo's pages, which have one head; what is below it lies in a file of each page's own. */
final class DemoPage {
    private DemoPage() {}

    /**
     * Returns a page.
     *
     * @param name of the file with its content, without {@code .html}; other markers in it are left for the caller
     * @param lead the sentence below the title, as HTML
     * @param files the paths of styles and scripts that it loads, in this order
     */
    static String of(String name, String title, String lead, String... files) {
        return PageText.resource(DemoPage.class, "page.html")
                .replace("{{title}}", PageText.escape(title))
                .replace("{{lead}}", lead)
                .replace(
                        "{{files}}",
                        Stream.of(files).map(DemoPage::element).collect(Collectors.joining("\n")))
                .replace(
                        "{{content}}",
                        PageText.resource(DemoPage.class, name + ".html").stripTrailing());
    }

    private static String element(String file) {
        return (file.endsWith(".css")
                        ? "<link rel=\"stylesheet\" href=\"%s\">"
                        : "<script src=\"%s\" defer></script>")
                .formatted(file);
    }
}
