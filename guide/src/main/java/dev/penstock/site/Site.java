package dev.penstock.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The documentation of a working copy as a static site: every page, and every source file and folder that a page links
 * to.
 */
final class Site {
    private static final Path DOCS = Path.of("docs");
    private static final Set<String> PICTURES = Set.of("svg", "png", "jpg");

    private final Path root;
    private final Map<Path, Page> pages = new LinkedHashMap<>();

    /** The files that pages show or link to, other than pages. */
    private final Set<Path> pictures = new TreeSet<>();

    private final Set<Path> sources = new TreeSet<>();
    private final Set<Path> folders = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();

    private Site(Path root) {
        this.root = root;
    }

    /** Reads the pages of a working copy, and follows their links. */
    static Site of(Path root) throws IOException {
        Site site = new Site(root);
        for (String name :
                List.of("README.md", "docs/architecture.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            if (Files.exists(root.resolve(name))) {
                site.read(Path.of(name));
            }
        }
        try (Stream<Path> files = Files.walk(root.resolve(DOCS))) {
            files.filter(file -> file.toString().endsWith(".md"))
                    .map(root::relativize)
                    .sorted()
                    .forEach(site::read);
        }
        for (Page page : site.pages.values()) {
            for (String name : page.undefined()) {
                site.problems.add(page.path() + ": the link " + name + " has no definition");
            }
            for (String link : page.links()) {
                String problem = site.follow(page, link);
                if (!problem.isEmpty()) {
                    site.problems.add(page.path() + ": the link to " + link + " " + problem);
                }
            }
        }
        return site;
    }

    private void read(Path path) {
        pages.computeIfAbsent(path, _ -> new Page(root, path));
    }

    List<Page> pages() {
        return List.copyOf(pages.values());
    }

    /** What is wrong with the links, one sentence each. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Notes what a link leads to, and says what is wrong with it; nothing if it is right. */
    private String follow(Page page, String link) {
        if (isExternal(link)) {
            return "";
        }
        Path path = target(page, link);
        String anchor = anchor(link);
        Page other = pages.get(path);
        if (other != null) {
            return anchor.isEmpty() || other.hasAnchor(anchor)
                    ? ""
                    : "names a heading that " + path + " does not have";
        }
        Path file = root.resolve(path);
        if (!file.startsWith(root) || !Files.exists(file)) {
            return "leads nowhere: there is no " + path;
        }
        if (Files.isDirectory(file)) {
            folders.add(path);
        } else {
            (isPicture(path) ? pictures : sources).add(path);
        }
        return "";
    }

    private static boolean isExternal(String link) {
        return link.matches("[a-z]+:.*");
    }

    private static boolean isPicture(Path path) {
        String name = path.toString();
        return PICTURES.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    private static String anchor(String link) {
        int hash = link.indexOf('#');
        return hash < 0 ? "" : link.substring(hash + 1);
    }

    /** The path in the working copy that a link of a page leads to. */
    private static Path target(Page page, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        return path.isEmpty() ? page.path() : page.path().resolveSibling(path).normalize();
    }

    /** The path in the site of what has a path in the working copy. */
    private Path address(Path path) {
        if (path.equals(Path.of("README.md"))) {
            return Path.of("index.html");
        }
        if (pages.containsKey(path)) {
            return Path.of(path.toString().replaceAll("\\.md$", ".html"));
        }
        if (folders.contains(path)) {
            return path.resolve("index.html");
        }
        return isPicture(path) ? path : Path.of("source").resolve(path + ".html");
    }

    /** Writes the site into a folder. */
    void write(Path target) throws IOException {
        Template template = new Template(navigation());
        for (Page page : pages.values()) {
            Path address = address(page.path());
            String body = page.html(link -> resolved(page, link));
            write(target, address, template.html(page.title(), address, body));
        }
        for (Path source : sources) {
            String text = Files.readString(root.resolve(source));
            String body =
                    "<h1>"
                            + source.getFileName()
                            + "</h1>\n<p><code>"
                            + source
                            + "</code></p>\n<pre><code>"
                            + Template.escape(text)
                            + "</code></pre>\n";
            Path address = address(source);
            write(target, address, template.html(source.toString(), address, body));
        }
        for (Path folder : folders) {
            Path address = address(folder);
            write(target, address, template.html(folder.toString(), address, listing(folder)));
        }
        for (Path picture : pictures) {
            Path copy = target.resolve(picture);
            Files.createDirectories(copy.getParent());
            Files.copy(root.resolve(picture), copy, StandardCopyOption.REPLACE_EXISTING);
        }
        try (InputStream css = Site.class.getResourceAsStream("site.css")) {
            Files.copy(
                    Objects.requireNonNull(css),
                    target.resolve("site.css"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private String resolved(Page page, String link) {
        if (isExternal(link) || link.startsWith("#")) {
            return link;
        }
        int hash = link.indexOf('#');
        Path from = address(page.path());
        return Template.relative(from, address(target(page, link)))
                + (hash < 0 ? "" : link.substring(hash));
    }

    /** The pages of a folder, as a list; where it has none, its files by name. */
    private String listing(Path folder) {
        StringBuilder list = new StringBuilder("<h1>" + folder + "</h1>\n<ul>\n");
        List<Page> inside =
                pages.values().stream().filter(page -> page.path().startsWith(folder)).toList();
        Path from = address(folder);
        for (Page page : inside) {
            list.append(
                    "<li><a href=\"%s\">%s</a></li>%n"
                            .formatted(
                                    Template.relative(from, address(page.path())),
                                    Template.escape(page.title())));
        }
        if (inside.isEmpty()) {
            try (Stream<Path> files = Files.list(root.resolve(folder))) {
                files.map(Path::getFileName)
                        .sorted()
                        .forEach(name -> list.append("<li><code>" + name + "</code></li>\n"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return list.append("</ul>\n").toString();
    }

    private Map<String, List<Template.Entry>> navigation() {
        Map<String, List<Template.Entry>> sections = new LinkedHashMap<>();
        for (String section : List.of("Penstock", "Guide", "Reference", "Results", "Decisions")) {
            sections.put(
                    section,
                    pages.values().stream()
                            .filter(page -> section(page.path()).equals(section))
                            .map(page -> new Template.Entry(page.title(), address(page.path())))
                            .collect(Collectors.toCollection(ArrayList::new)));
        }
        Objects.requireNonNull(sections.get("Reference"))
                .add(new Template.Entry("API documentation", Path.of("api/index.html")));
        sections.values().removeIf(List::isEmpty);
        return sections;
    }

    private static String section(Path path) {
        if (!path.startsWith(DOCS) || path.endsWith("architecture.md")) {
            return "Penstock";
        }
        return switch (path.getName(1).toString()) {
            case "guide" -> "Guide";
            case "results" -> "Results";
            case "decisions" -> "Decisions";
            default -> "Reference";
        };
    }

    private static void write(Path target, Path address, String html) throws IOException {
        Path file = target.resolve(address);
        Files.createDirectories(file.getParent());
        Files.write(file, html.getBytes(StandardCharsets.UTF_8));
    }
}
