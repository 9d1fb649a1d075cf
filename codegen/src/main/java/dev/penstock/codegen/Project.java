package dev.penstock.codegen;

import dev.penstock.codegen.problem.CodegenException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A Maven project around generated sources: a pom.xml, and a program that runs the first streams. It takes Penstock
 * from the local Maven repository, where {@code ./penstock install} puts it, and its build says so where it is not
 * there. Immutable.
 */
public final class Project {
    private static final String SCHEMA = "penstock.schema";

    private final Generator generator;
    private final Connection connection;
    private final Properties versions = new Properties();

    /**
     * The program's way to reach its database. It takes the password from the environment variable {@code
     * PENSTOCK_PASSWORD}.
     *
     * @param url the JDBC URL, without a password
     * @param user whom to connect as; null where the URL says it
     * @param schema the schema that was read; null for the connection's own
     */
    public record Connection(String url, @Nullable String user, @Nullable String schema) {}

    /**
     * A project for what a generator makes.
     *
     * @throws CodegenException if no project can be made for such a database
     */
    public Project(Generator generator, Connection connection) {
        this.generator = generator;
        this.connection = connection;
        Driver.of(connection.url());
        try {
            versions.load(resource("versions.properties"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the sources of a project are. */
    public static Path sources(Path project) {
        return project.resolve("src").resolve("main").resolve("java");
    }

    /** Where the schema file of a project is, which is written with the sources. */
    public static Path schema(Path project) {
        return project.resolve(SCHEMA);
    }

    /** The jar that a build of the project makes, from the project's folder. */
    public String jar() {
        return "target/" + artifact() + ".jar";
    }

    private String artifact() {
        String name = generator.packageName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Every file but the generated sources, by its path in the project. */
    public Map<String, byte[]> files() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("pom.xml", bytes(pom()));
        String main =
                new MainSource(generator.schema().schema(), connection)
                        .text(generator.packageName());
        files.put(mainPath(), bytes(main));
        files.put(SCHEMA, bytes(generator.schema().text()));
        files.put(".gitignore", bytes("target/\n"));
        return files;
    }

    private String mainPath() {
        return "src/main/java/" + generator.packageName().replace('.', '/') + "/Main.java";
    }

    /**
     * Writes the project, and its schema file again. What else the user may have changed is left as it is, if it is
     * there: the program, the pom.xml but for the version of Penstock, and the settings.
     *
     * @return the files that were written
     * @throws CodegenException if the folder can't be written
     */
    public List<Path> write(Path project) {
        List<Path> written = new ArrayList<>();
        try {
            for (Map.Entry<String, byte[]> file : files().entrySet()) {
                Path path = project.resolve(file.getKey());
                byte[] text = file.getValue();
                if (Files.exists(path)) {
                    text =
                            switch (file.getKey()) {
                                case "pom.xml" -> withVersion(path, text);
                                case SCHEMA -> text;
                                default -> null;
                            };
                }
                if (text != null) {
                    Path folder = path.getParent();
                    if (folder != null) {
                        Files.createDirectories(folder);
                    }
                    Files.write(path, text);
                    written.add(path);
                }
            }
            return written;
        } catch (IOException e) {
            throw new CodegenException(
                    "can't write to "
                            + project
                            + " ("
                            + e
                            + "): check the path and its permissions",
                    e);
        }
    }

    /** A pom.xml that is there, with the version of Penstock that a new one has; null where it has that. */
    private static byte @Nullable [] withVersion(Path pom, byte[] fresh) throws IOException {
        String pattern = "<penstock\\.version>[^<]*</penstock\\.version>";
        String before = Files.readString(pom);
        String line =
                new String(fresh, StandardCharsets.UTF_8)
                        .replaceAll("(?s).*(" + pattern + ").*", "$1");
        String after = before.replaceFirst(pattern, line);
        return after.equals(before) ? null : bytes(after);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String pom() {
        Driver driver = Driver.of(connection.url());
        Map<String, String> values = new LinkedHashMap<>();
        values.put("group", generator.packageName());
        values.put("package", generator.packageName());
        values.put("artifact", artifact());
        values.put("driver.group", driver.group);
        values.put("driver.artifact", driver.artifact);
        values.put("driver.version", versions.getProperty(driver.scheme));
        versions.stringPropertyNames().forEach(key -> values.put(key, versions.getProperty(key)));
        String pom;
        try (InputStream in = resource("project.xml")) {
            pom = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Map.Entry<String, String> value : values.entrySet()) {
            pom = pom.replace("{{" + value.getKey() + "}}", value.getValue());
        }
        return pom;
    }

    private static InputStream resource(String name) {
        InputStream in = Project.class.getResourceAsStream(name);
        if (in == null) {
            throw new IllegalStateException("the resource " + name + " is not in the jar");
        }
        return in;
    }
}
