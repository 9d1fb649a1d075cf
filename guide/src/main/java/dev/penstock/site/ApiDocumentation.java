package dev.penstock.site;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The API documentation of all modules, made by the JDK's javadoc. Anything but a missing comment is an error. */
final class ApiDocumentation {
    private static final List<String> MODULES =
            List.of(
                    "query",
                    "snapshot",
                    "follow",
                    "format",
                    "http",
                    "http-servlet",
                    "http-jackson",
                    "http-compression",
                    "http-opentelemetry",
                    "http-test",
                    "transfer",
                    "service",
                    "gateway",
                    "codegen");

    private static final Pattern REQUIRES =
            Pattern.compile("requires\\s+(?:static\\s+|transitive\\s+)*([\\w.]+)\\s*;");

    private ApiDocumentation() {}

    /**
     * Writes it into a folder. The libraries that the modules use must be on this JVM's class path.
     *
     * @throws IllegalStateException if javadoc finds an error, with what it says
     */
    static void write(Path root, Path target) throws IOException {
        List<String> arguments = new ArrayList<>();
        for (String module : MODULES) {
            arguments.add("--module-source-path");
            arguments.add(name(module) + "=" + sources(root.resolve(module)));
        }
        arguments.addAll(
                List.of(
                        "--module",
                        MODULES.stream()
                                .map(ApiDocumentation::name)
                                .collect(Collectors.joining(",")),
                        "--module-path",
                        libraries(root),
                        "-d",
                        target.toString(),
                        "-quiet",
                        "-Werror",
                        "-Xdoclint:all,-missing",
                        "-notimestamp",
                        "-windowtitle",
                        "Penstock",
                        "-doctitle",
                        "Penstock"));
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        ToolProvider javadoc = ToolProvider.findFirst("javadoc").orElseThrow();
        if (javadoc.run(out, out, arguments.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("javadoc found errors:\n" + said);
        }
    }

    private static String name(String module) {
        return "dev.penstock." + module.replace('-', '.');
    }

    /** A module's folders of sources: its own, and those that its build has generated. */
    private static String sources(Path module) throws IOException {
        List<Path> folders = new ArrayList<>();
        folders.add(module.resolve("src/main/java"));
        Path generated = module.resolve("target/generated-sources");
        if (Files.isDirectory(generated)) {
            try (Stream<Path> inside = Files.list(generated)) {
                inside.filter(Files::isDirectory).sorted().forEach(folders::add);
            }
        }
        return folders.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** The libraries on the class path that the modules require, and those that these require. */
    private static String libraries(Path root) throws IOException {
        Map<String, ModuleReference> found = new HashMap<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (entry.endsWith(".jar")) {
                modulesOf(Path.of(entry))
                        .forEach(module -> found.putIfAbsent(module.descriptor().name(), module));
            }
        }
        Deque<String> required = new ArrayDeque<>();
        for (String module : MODULES) {
            REQUIRES.matcher(
                            Files.readString(
                                    root.resolve(module).resolve("src/main/java/module-info.java")))
                    .results()
                    .map(result -> result.group(1))
                    .filter(name -> !name.startsWith("dev.penstock."))
                    .forEach(required::add);
        }
        Set<String> paths = new LinkedHashSet<>();
        while (!required.isEmpty()) {
            ModuleReference module = found.remove(required.pop());
            if (module != null) {
                module.location().ifPresent(location -> paths.add(Path.of(location).toString()));
                module.descriptor().requires().stream()
                        .map(ModuleDescriptor.Requires::name)
                        .forEach(required::add);
            }
        }
        return String.join(File.pathSeparator, paths);
    }

    private static Set<ModuleReference> modulesOf(Path jar) {
        try {
            return ModuleFinder.of(jar).findAll();
        } catch (FindException e) {
            return Set.of(); // a jar whose name makes no name of a module: none of ours requires it
        }
    }
}
