package dev.penstock.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options that the documentation names are those that the commands have. */
class DocumentedOptionsIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");

    @ParameterizedTest
    @ValueSource(strings = {"serve", "generate", "schema"})
    void options_ofExamples_areOfTheCommand(String command) throws Exception {
        Pattern example =
                Pattern.compile(
                        "penstock " + command + "((?: |\\\\\\n)[^\\n`]*(?:\\\\\\n[^\\n`]*)*)");
        Set<String> named = new TreeSet<>();
        for (Page page : Site.of(ROOT).pages()) {
            if (!page.path().endsWith("CHANGELOG.md")) {
                Matcher found = example.matcher(Files.readString(ROOT.resolve(page.path())));
                while (found.find()) {
                    named.addAll(options(found.group(1)));
                }
            }
        }
        assertThat(named).isNotEmpty();
        assertThat(options(help(command))).containsAll(named);
    }

    private static Set<String> options(String text) {
        return OPTION.matcher(text)
                .results()
                .map(found -> found.group())
                .collect(Collectors.toSet());
    }

    private static String help(String command) throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.penstock.server.command.Penstock",
                                command,
                                "--help")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
