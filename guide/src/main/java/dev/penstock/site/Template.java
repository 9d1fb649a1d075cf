package dev.penstock.site;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The frame of the site's pages: head, navigation, and the page's own text. */
final class Template {
    private final Map<String, List<Entry>> navigation;

    /** A line of the navigation: what it says, and the page's path in the site. */
    record Entry(String title, Path address) {}

    Template(Map<String, List<Entry>> navigation) {
        this.navigation = navigation;
    }

    /** A whole page, for a path in the site. */
    String html(String title, Path address, String body) {
        StringBuilder links = new StringBuilder();
        navigation.forEach((section, entries) -> {
            links.append("<h2>%s</h2>%n<ul>%n".formatted(escape(section)));
            for (Entry entry : entries) {
                boolean here = entry.address().equals(address);
                links.append(
                        "<li><a href=\"%s\"%s>%s</a></li>%n"
                                .formatted(
                                        relative(address, entry.address()),
                                        here ? " aria-current=\"page\"" : "",
                                        escape(entry.title())));
            }
            links.append("</ul>\n");
        });
        return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%s</title>
        <link rel="stylesheet" href="%s">
        </head>
        <body>
        <nav>
        %s</nav>
        <main>
        %s</main>
        </body>
        </html>
        """
                .formatted(escape(title), relative(address, Path.of("site.css")), links, body);
    }

    /** The relative link from one path in the site to another. */
    static String relative(Path from, Path to) {
        Path folder = from.getParent();
        String link = (folder == null ? to : folder.relativize(to)).toString();
        return link.replace('\\', '/');
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
