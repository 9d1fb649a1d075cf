package dev.penstock.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A test that the server needs nothing to run that only demonstrations use. */
@Tag("any-loops")
class ServerModulesIT {
    private static final String DESKTOP = "java.desktop";

    @Test
    void server_modules_haveNoDemoTemplatesParserGeneratorOrDesktop() {
        String classPath = requireNonNull(System.getProperty("java.class.path"));
        ModuleFinder finder =
                ModuleFinder.of(
                        Arrays.stream(classPath.split(File.pathSeparator, -1))
                                .map(Path::of)
                                .toArray(Path[]::new));
        Set<String> needed = new TreeSet<>();
        Deque<String> pending = new ArrayDeque<>(List.of("dev.penstock.server"));
        while (!pending.isEmpty()) {
            String name = pending.remove();
            if (needed.add(name)) {
                finder.find(name).map(ModuleReference::descriptor).stream()
                        .map(ModuleDescriptor::requires)
                        .flatMap(Set::stream)
                        .filter(required ->
                                !required.modifiers().contains(Requires.Modifier.STATIC))
                        .forEach(required -> pending.add(required.name()));
            }
        }
        assertThat(needed)
                .contains("dev.penstock.http", "dev.penstock.codegen")
                .doesNotContain(
                        "dev.penstock.demo",
                        "dev.penstock.films",
                        "dev.penstock.presidents",
                        "dev.penstock.databases",
                        DESKTOP)
                .noneMatch(name ->
                        name.matches("(?i)(gg\\.jte|st4|.*stringtemplate|.*antlr|.*xchart).*"));
    }

    @Test
    void serve_withoutDesktopModule_answers() throws Exception {
        String modules =
                ModuleFinder.ofSystem().findAll().stream()
                        .map(module -> module.descriptor().name())
                        .filter(name -> !needsDesktop(name))
                        .collect(Collectors.joining(","));
        Map<String, String> environment = Map.of("JDK_JAVA_OPTIONS", "--limit-modules=" + modules);
        try (PenstockProcess server =
                PenstockProcess.serving(
                        "64m", environment, List.of("serve", "--jdbc", "jdbc:h2:mem:a;USER=sa"))) {
            assertThat(server.status("/")).isEqualTo(200);
            assertThat(server.status("/api")).isEqualTo(200);
            assertThat(server.status("/metrics")).isEqualTo(200);
        }
    }

    private static boolean needsDesktop(String module) {
        return Configuration.empty()
                .resolve(ModuleFinder.ofSystem(), ModuleFinder.of(), Set.of(module))
                .findModule(DESKTOP)
                .isPresent();
    }
}
