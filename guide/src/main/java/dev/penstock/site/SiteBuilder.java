package dev.penstock.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The command that builds the site: {@code SiteBuilder ROOT TARGET}, or {@code SiteBuilder ROOT --snippets}. */
public final class SiteBuilder {
    private SiteBuilder() {}

    /**
     * Writes the site of the working copy {@code ROOT} to the folder {@code TARGET}; exits with 1 where a link is
     * broken.
     */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
        if (arguments[1].equals("--snippets")) {
            new Snippets(root).update().forEach(page -> System.out.println("Changed " + page));
            return;
        }
        Path target = Path.of(arguments[1]).toAbsolutePath().normalize();
        Site site = Site.of(root);
        List<String> problems = site.problems();
        if (!problems.isEmpty()) {
            problems.forEach(System.err::println);
            System.exit(1);
        }
        site.write(target);
        ApiDocumentation.write(root, target.resolve("api"));
        System.out.println(target.resolve("index.html"));
    }
}
