package dev.penstock.codegen;

import dev.penstock.query.sql.Database;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Penstock's own jars as a Maven repository in a folder: the query engine, and the Maven plugin, where that is on the class path.
 *
 * <p>A snapshot gets a version that names its content, so that no older one that Maven has seen is taken for it.
 */
final class FileRepository {
    private static final String GROUP = "dev/penstock/";
    private static final String QUERY = "penstock-query";
    private static final String CODEGEN = "penstock-codegen";
    private static final String PLUGIN = "penstock-codegen-maven-plugin";

    private static final String MOJO = "dev/penstock/codegen/maven/GenerateMojo.class";

    private final Map<String, byte[]> jars = new LinkedHashMap<>();
    private final String built;
    private final String version;

    /**
     * Reads the jars.
     *
     * @param built the version that they were built as
     * @throws CodegenException if Penstock does not run from its jars
     */
    FileRepository(String built) {
        this.built = built;
        Path query = jarOf(Database.class);
        Path codegen = jarOf(Project.class);
        try {
            jars.put(QUERY, Files.readAllBytes(query));
            Path plugin = pluginJar();
            if (plugin != null) {
                jars.put(CODEGEN, Files.readAllBytes(codegen));
                jars.put(PLUGIN, Files.readAllBytes(plugin));
            }
        } catch (IOException e) {
            throw new CodegenException("can't read Penstock's own jars (" + e + ")", e);
        }
        CRC32 sum = new CRC32();
        jars.values().forEach(sum::update);
        version = built.replace("SNAPSHOT", HexFormat.of().toHexDigits((int) sum.getValue()));
    }

    private static Path jarOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
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

    /** The Maven plugin's jar, where that is on the class path; its classes can't be loaded outside of Maven. */
    private static @Nullable Path pluginJar() throws IOException {
        URL found = Project.class.getClassLoader().getResource(MOJO);
        return found != null && found.openConnection() instanceof JarURLConnection connection
                ? Path.of(URI.create(connection.getJarFileURL().toString()))
                : null;
    }

    /** The version that everything has in this repository. */
    String version() {
        return version;
    }

    boolean hasPlugin() {
        return jars.containsKey(PLUGIN);
    }

    /** The files, by their paths below {@code folder}. */
    Map<String, byte[]> files(String folder) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (Map.Entry<String, byte[]> jar : jars.entrySet()) {
            String name = jar.getKey();
            String base = folder + GROUP + name + "/" + version + "/" + name + "-" + version;
            boolean plugin = name.equals(PLUGIN);
            put(files, base + ".jar", plugin ? asVersion(jar.getValue()) : jar.getValue());
            String needs = plugin ? CODEGEN : name.equals(CODEGEN) ? QUERY : "";
            put(files, base + ".pom", pom(name, needs).getBytes(StandardCharsets.UTF_8));
        }
        return files;
    }

    /** A file with its sum beside it, which Maven asks for. */
    private static void put(Map<String, byte[]> files, String name, byte[] content) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-1").digest(content);
            files.put(name, content);
            files.put(
                    name + ".sha1", HexFormat.of().formatHex(sum).getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    /** A plugin says in its descriptor which version it is, and Maven compares. */
    private byte[] asVersion(byte[] jar) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                byte[] content = in.readAllBytes();
                if (entry.getName().equals("META-INF/maven/plugin.xml")) {
                    content =
                            new String(content, StandardCharsets.UTF_8)
                                    .replace(
                                            "<version>" + built + "</version>",
                                            "<version>" + version + "</version>")
                                    .getBytes(StandardCharsets.UTF_8);
                }
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTime(entry.getTime());
                zip.putNextEntry(copy);
                zip.write(content);
                zip.closeEntry();
            }
        }
        return out.toByteArray();
    }

    private String pom(String name, String needs) {
        String dependencies =
                needs.isEmpty()
                        ? ""
                        : """
                          <dependencies>
                            <dependency>
                              <groupId>dev.penstock</groupId>
                              <artifactId>%s</artifactId>
                              <version>%s</version>
                            </dependency>
                          </dependencies>
                        """
                                .formatted(needs, version);
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>dev.penstock</groupId>
          <artifactId>%s</artifactId>
          <version>%s</version>
          <packaging>%s</packaging>
          <licenses>
            <license>
              <name>Apache-2.0</name>
              <url>https://www.apache.org/licenses/LICENSE-2.0</url>
            </license>
          </licenses>
        %s</project>
        """
                .formatted(
                        name, version, name.equals(PLUGIN) ? "maven-plugin" : "jar", dependencies);
    }
}
