package dev.penstock.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** A page of Markdown: its title, the anchors of its headings, and its links. Immutable. */
final class Page {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    private static final Pattern REFERENCE = Pattern.compile("\\[`\\w+`](?![(:])");

    private final Path path;
    private final String markdown;
    private final String title;
    private final Set<String> anchors;
    private final List<String> links = new ArrayList<>();

    /** Reads a page, by its path in a working copy. */
    Page(Path root, Path path) {
        this.path = path;
        try {
            this.markdown = Files.readString(root.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Node document = PARSER.parse(markdown);
        Headings headings = new Headings();
        document.accept(headings);
        this.title = headings.title.isEmpty() ? path.toString() : headings.title;
        this.anchors = Set.copyOf(headings.anchors.values());
        forEachLink(
                document,
                link -> {
                    links.add(link);
                    return link;
                });
    }

    Path path() {
        return path;
    }

    String title() {
        return title;
    }

    /** The destinations of its links and pictures, as they are written. */
    List<String> links() {
        return List.copyOf(links);
    }

    /** The names that are written as links, such as {@code [`Name`]}, without a definition at the end of the page. */
    List<String> undefined() {
        return REFERENCE
                .matcher(markdown)
                .results()
                .map(MatchResult::group)
                .filter(reference -> !markdown.contains("\n" + reference + ": "))
                .distinct()
                .toList();
    }

    boolean hasAnchor(String anchor) {
        return anchors.contains(anchor);
    }

    /** Renders the page, with each link's destination replaced. */
    String html(UnaryOperator<String> destinations) {
        Node document = PARSER.parse(markdown);
        forEachLink(document, destinations);
        Headings headings = new Headings();
        document.accept(headings);
        return HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(_ ->
                        (node, _, attributes) -> {
                            String anchor = headings.anchors.get(node);
                            if (anchor != null) {
                                attributes.put("id", anchor);
                            }
                        })
                .build()
                .render(document);
    }

    private static void forEachLink(Node document, UnaryOperator<String> replace) {
        document.accept(
                new AbstractVisitor() {
                    @Override
                    public void visit(Link link) {
                        link.setDestination(replace.apply(link.getDestination()));
                        visitChildren(link);
                    }

                    @Override
                    public void visit(Image image) {
                        image.setDestination(replace.apply(image.getDestination()));
                        visitChildren(image);
                    }
                });
    }

    /** The text of a node, without markup. */
    private static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(
                new AbstractVisitor() {
                    @Override
                    public void visit(Text part) {
                        text.append(part.getLiteral());
                    }

                    @Override
                    public void visit(Code part) {
                        text.append(part.getLiteral());
                    }

                    @Override
                    public void visit(SoftLineBreak part) {
                        text.append(' ');
                    }
                });
        return text.toString();
    }

    /** The anchors of the headings, made as GitHub makes them. */
    private static final class Headings extends AbstractVisitor {
        private final IdentityHashMap<Node, String> anchors = new IdentityHashMap<>();
        private final Set<String> taken = new LinkedHashSet<>();
        private String title = "";

        @Override
        public void visit(Heading heading) {
            String text = text(heading);
            if (title.isEmpty()) {
                title = text;
            }
            String base =
                    text.toLowerCase(Locale.ROOT)
                            .replaceAll("[^\\p{L}\\p{N} _-]", "")
                            .replace(' ', '-');
            String anchor = base;
            for (int i = 1; !taken.add(anchor); i++) {
                anchor = base + "-" + i;
            }
            anchors.put(heading, anchor);
        }
    }
}
