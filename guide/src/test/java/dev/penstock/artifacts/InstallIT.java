package dev.penstock.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.shop.Shop;
import dev.penstock.databases.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of {@code ./penstock install}, and of projects outside of this one that use what it installs. */
class InstallIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> COMPILED =
            Set.of("classes", "generated-sources", "maven-status");
    private static final int LIMIT_MINUTES = 30;
    private static final String PASSWORD = "PENSTOCK_PASSWORD";

    @TempDir private static Path shared;
    private static LocalRepository repository;
    private static String version;

    @TempDir private Path folder;

    @BeforeAll
    static void install() throws Exception {
        Assumptions.assumeTrue(hasMaven(), "there is no Maven on the PATH");
        Path copy = shared.resolve("penstock");
        copyWorkingCopy(copy);
        repository = LocalRepository.create(Files.createDirectory(shared.resolve("repository")));
        // What the outer build has compiled is not compiled again.
        String said =
                execute(
                        copy,
                        copy.resolve("penstock").toString(),
                        "install",
                        "-Dmaven.compiler.useIncrementalCompilation=false",
                        repository.option());
        assertThat(said).contains("Installed in ");
        version = said.replaceAll("(?s).*as dev\\.penstock (\\S+)\\..*", "$1");
    }

    @AfterAll
    static void removeLinks() throws IOException {
        if (repository != null) {
            repository.close();
        }
    }

    private static boolean hasMaven() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(part -> Files.isExecutable(Path.of(part, "mvn")));
    }

    /**
     * Copies the sources, and what was compiled from them, with their times. The modules that are not installed may be
     * built at this moment: what was compiled of them is left out.
     */
    private static void copyWorkingCopy(Path copy) throws IOException {
        Files.walkFileTree(
                ROOT,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path directory, BasicFileAttributes attributes) throws IOException {
                        Path parent = directory.getParent();
                        Path module = ROOT.relativize(directory);
                        boolean unwanted =
                                directory.endsWith(".git")
                                        || (directory.endsWith("target")
                                                && (module.startsWith("apps")
                                                        || module.startsWith("bench")))
                                        || (parent != null
                                                && parent.endsWith("target")
                                                && !COMPILED.contains(
                                                        directory.getFileName().toString()));
                        if (unwanted) {
                            return FileVisitResult.SKIP_SUBTREE;
                        }
                        Files.createDirectories(copy.resolve(ROOT.relativize(directory)));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Path parent = file.getParent();
                        if (parent == null || !parent.endsWith("target")) {
                            Files.copy(
                                    file,
                                    copy.resolve(ROOT.relativize(file)),
                                    StandardCopyOption.COPY_ATTRIBUTES);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    @Test
    void artifacts_thatAreInstalled_areThoseOfTheBomWithSourcesAndJavadoc() throws IOException {
        List<String> inBom =
                Pattern.compile("<artifactId>(penstock-(?!bom).*)</artifactId>")
                        .matcher(Files.readString(ROOT.resolve("bom/pom.xml")))
                        .results()
                        .map(result -> result.group(1))
                        .toList();
        List<String> expected = new ArrayList<>(inBom);
        expected.addAll(List.of("penstock", "penstock-bom", "penstock-codegen-maven-plugin"));
        assertThat(repository.artifacts()).containsExactlyInAnyOrderElementsOf(expected);
        for (String artifact : inBom) {
            String name = artifact + "-" + version;
            assertThat(repository.files(artifact, version))
                    .contains(
                            name + ".pom",
                            name + ".jar",
                            name + "-sources.jar",
                            name + "-javadoc.jar");
        }
    }

    @Test
    void project_ofTheGuide_isBuiltOutsideAndRuns() throws Exception {
        Path sources = Files.createDirectories(folder.resolve("src/main/java/com/example/shop"));
        for (String name :
                List.of("Shop", "RowsOverHttp", "Customer", "Purchase", "TypedStreams")) {
            Path file = Path.of("com/example/shop", name + ".java");
            Files.copy(Path.of("src/main/java").resolve(file), sources.resolve(name + ".java"));
        }
        Files.copy(Path.of("src/main/outside/pom.xml"), folder.resolve("pom.xml"));
        execute(folder, "mvn", "-B", "-o", "-q", repository.option(), "package");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = "target/shop.jar" + File.pathSeparator + "target/lib/*";
        execute(folder, java, "-Xmx64m", "-cp", classPath, Shop.class.getName());
        assertThat(
                        execute(
                                folder,
                                java,
                                "-Xmx64m",
                                "-cp",
                                classPath,
                                "com.example.shop.TypedStreams"))
                .contains("10000 purchases are open");
    }

    @Test
    void generatedProject_withPenstockInstalled_buildsAndRuns() throws Exception {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            fill(database);
            Path project = folder.resolve("a project");
            assertThat(generate(database, project))
                    .contains("where ./penstock install puts it")
                    .contains(
                            "cd '" + project + "' && mvn -q package && java -jar target/films.jar");
            assertThat(execute(project, "mvn", "-B", "-o", "-C", repository.option(), "package"))
                    .doesNotContain("[WARNING]");
            String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            ProcessBuilder films = builder(project, java, "-Xmx64m", "-jar", "target/films.jar");
            films.environment().put(PASSWORD, database.password());
            assertThat(finished(films.start(), project))
                    .contains(
                            "Film[filmId=1, title=FILM 1, languageId=1, rentalDuration=1, length=1, rating=null]")
                    .contains("40 rows have length above 60.")
                    .contains("33 rows have rating PG13.")
                    .contains(
                            "IntSummaryStatistics{count=5, sum=10, min=0, average=2.000000, max=4}")
                    .containsIgnoringCase("select count(*)");
            Path program = project.resolve("src/main/java/com/example/films/Main.java");
            Files.writeString(program, "// mine\n");
            generate(database, project);
            assertThat(program).hasContent("// mine\n");
            Path schema = project.resolve("penstock.schema");
            Files.writeString(schema, Files.readString(schema).replace("as: Film", "as: Movie"));
            assertThat(
                            execute(
                                    project,
                                    "mvn",
                                    "-B",
                                    "-q",
                                    "-o",
                                    repository.option(),
                                    "penstock:generate"))
                    .doesNotContain("[WARNING]");
            assertThat(program.resolveSibling("Movie.java")).exists();
            assertThat(program.resolveSibling("Film.java")).doesNotExist();
        }
    }

    @Test
    void generatedProject_withoutPenstock_saysWhatToRun() throws Exception {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            fill(database);
            Path project = folder.resolve("films");
            generate(database, project);
            try (LocalRepository empty =
                    LocalRepository.create(Files.createDirectory(folder.resolve("repository")))) {
                Process maven = start(project, "mvn", "-B", "-o", empty.option(), "package");
                assertThat(maven.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).isTrue();
                assertThat(maven.exitValue()).isNotZero();
            }
            assertThat(project.resolve("out"))
                    .content()
                    .contains("missing-run-penstock-install")
                    .contains("dev.penstock:penstock-query:jar:" + version);
        }
    }

    private static void fill(TestDatabase database) {
        database.execute(
                "create type rating as enum ('G', 'PG-13')",
                "create table language (language_id int primary key, name varchar(20) not null)",
                "create table film (film_id int primary key, title text not null, language_id int references language,"
                        + " rental_duration int not null, length int, rating rating)",
                "insert into language values (1, 'English')",
                "insert into film select i, 'FILM ' || i, 1, i % 5, i, case when i % 3 = 0 then 'PG-13' end::rating"
                        + " from generate_series(1, 100) i");
    }

    /** Runs {@code penstock generate --project}. */
    private String generate(TestDatabase database, Path project) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx96m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.penstock.server.command.Penstock",
                                "generate",
                                "--package",
                                "com.example.films",
                                "--project",
                                project.toString(),
                                "--jdbc",
                                database.url(),
                                "--user",
                                database.user()));
        ProcessBuilder builder = builder(folder, command.toArray(String[]::new));
        builder.environment().put(PASSWORD, database.password());
        return finished(builder.start(), folder);
    }

    private static String execute(Path directory, String... command)
            throws IOException, InterruptedException {
        return finished(start(directory, command), directory);
    }

    private static Process start(Path directory, String... command) throws IOException {
        return builder(directory, command).start();
    }

    private static ProcessBuilder builder(Path directory, String... command) {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("out").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // What this test's own Maven was told is not for that one.
        builder.environment().keySet().removeIf(name -> name.startsWith("MAVEN_"));
        return builder;
    }

    private static String finished(Process process, Path directory)
            throws IOException, InterruptedException {
        assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).isTrue();
        String said = Files.readString(directory.resolve("out"));
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
