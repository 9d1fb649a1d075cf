package dev.penstock.codegen;

import dev.penstock.query.sql.Database;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A Maven project around generated sources: a pom.xml, a program that runs the first streams, and a file repository with Penstock's
 * query engine, so that it builds on a machine where nothing of Penstock is installed. Immutable.
 */
public final class Project {
    /** Where Penstock's own jars are in a project. */
    private static final String REPOSITORY = "repository/dev/penstock/penstock-query/";

    private final Generator generator;
    private final Connection connection;
    private final Properties versions = new Properties();

    /**
     * How the program reaches its database. It takes the password from the environment variable {@code PENSTOCK_PASSWORD}.
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

    /** The jar that a build of the project makes, from the project's folder. */
    public String jar() {
        return "target/" + artifact() + ".jar";
    }

    private String artifact() {
        String name = generator.packageName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /**
     * Every file but the generated sources, by its path in the project.
     *
     * @throws CodegenException if Penstock does not run from its jars
     */
    public Map<String, byte[]> files() {
        Path jar = queryJar();
        try {
            byte[] query = Files.readAllBytes(jar);
            String version = version(query);
            Map<String, byte[]> files = new LinkedHashMap<>();
            files.put("pom.xml", bytes(pom(version)));
            files.put(
                    mainPath(),
                    bytes(
                            new MainSource(generator.schema(), connection)
                                    .text(generator.packageName())));
            files.put(".gitignore", bytes("target/\n"));
            // A repository that is a folder is there, even when Maven is told to be offline.
            files.put(".mvn/maven.config", bytes("-Daether.offline.protocols=file\n"));
            String base = REPOSITORY + version + "/penstock-query-" + version;
            files.put(base + ".jar", query);
            files.put(base + ".pom", bytes(queryPom(version)));
            return files;
        } catch (IOException e) {
            throw new CodegenException("can't read " + jar + " (" + e + ")", e);
        }
    }

    private String mainPath() {
        return "src/main/java/" + generator.packageName().replace('.', '/') + "/Main.java";
    }

    /**
     * Writes the project. What the user may have changed is left as it is, if it is there: the program, the pom.xml but for the version
     * of Penstock, and the settings.
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
                    text = file.getKey().equals("pom.xml") ? withVersion(path, text) : null;
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

    /**
     * The version under which the engine is in the project's repository. A snapshot is named by what is in it, so that no older one
     * that Maven has seen is taken for it.
     */
    private String version(byte[] jar) {
        String version = versions.getProperty("penstock");
        CRC32 sum = new CRC32();
        sum.update(jar);
        return version.replace("SNAPSHOT", HexFormat.of().toHexDigits((int) sum.getValue()));
    }

    private String pom(String version) throws IOException {
        Driver driver = Driver.of(connection.url());
        Map<String, String> values = new LinkedHashMap<>();
        values.put("group", generator.packageName());
        values.put("package", generator.packageName());
        values.put("artifact", artifact());
        values.put("driver.group", driver.group);
        values.put("driver.artifact", driver.artifact);
        values.put("driver.version", versions.getProperty(driver.scheme));
        versions.stringPropertyNames().forEach(key -> values.put(key, versions.getProperty(key)));
        values.put("penstock", version);
        String pom;
        try (InputStream in = resource("project.xml")) {
            pom = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (Map.Entry<String, String> value : values.entrySet()) {
            pom = pom.replace("{{" + value.getKey() + "}}", value.getValue());
        }
        return pom;
    }

    private static String queryPom(String version) {
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>dev.penstock</groupId>
          <artifactId>penstock-query</artifactId>
          <version>%s</version>
          <licenses>
            <license>
              <name>Apache-2.0</name>
              <url>https://www.apache.org/licenses/LICENSE-2.0</url>
            </license>
          </licenses>
        </project>
        """
                .formatted(version);
    }

    private static InputStream resource(String name) {
        InputStream in = Project.class.getResourceAsStream(name);
        if (in == null) {
            throw new IllegalStateException("the resource " + name + " is not in the jar");
        }
        return in;
    }

    private static Path queryJar() {
        CodeSource source = Database.class.getProtectionDomain().getCodeSource();
        try {
            Path jar = source == null ? null : Path.of(URI.create(source.getLocation().toString()));
            if (jar != null && Files.isRegularFile(jar)) {
                return jar;
            }
            throw new CodegenException(
                    "Penstock does not run from its jars ("
                            + jar
                            + "), so there is none to put into the project: build it, and run it by ./penstock");
        } catch (IllegalArgumentException e) {
            throw new CodegenException("Penstock's own jar can't be found", e);
        }
    }
}
