package dev.penstock.bench.films;

import com.speedment.common.logger.Level;
import com.speedment.common.logger.LoggerManager;
import com.speedment.generator.core.GeneratorBundle;
import com.speedment.generator.translator.TranslatorManager;
import com.speedment.runtime.application.ApplicationBuilders;
import com.speedment.runtime.config.Dbms;
import com.speedment.runtime.config.Project;
import com.speedment.runtime.connector.mariadb.MariaDbBundle;
import com.speedment.runtime.connector.postgres.PostgresBundle;
import com.speedment.runtime.core.ApplicationBuilder;
import com.speedment.runtime.core.Speedment;
import com.speedment.runtime.core.component.DbmsHandlerComponent;
import com.speedment.runtime.core.component.PasswordComponent;
import com.speedment.runtime.core.component.ProjectComponent;
import com.speedment.runtime.core.db.DbmsType;
import com.speedment.runtime.core.util.ProgressMeasure;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The questions by Speedment, open edition. What it needs generated is generated from the database and compiled when
 * this is made, with Speedment's own generator, into a directory below {@code target}.
 */
final class SpeedmentFilms implements AutoCloseable {
    /**
     * It looks tables up in the catalogue that is called as the schema is. PostgreSQL's driver has only one
     * catalogue, the database; so the database is called as its schema.
     */
    static final String POSTGRESQL_DATABASE = "public";

    private static final Set<String> TABLES = Set.of("film", "rental", "language");

    private final Path directory;
    private final URLClassLoader loader;
    private final Function<String, Object> queries;

    /** Generates, compiles and connects, which takes some seconds. */
    SpeedmentFilms(TestDatabase database) throws Exception {
        directory =
                Files.createTempDirectory(
                        Files.createDirectories(Path.of("target")), "penstock-speedment-");
        Path sources = directory.resolve("java");
        LoggerManager.getFactory().setLevel("com.speedment", Level.ERROR);
        PrintStream out = System.out;
        // It says at length what it generates.
        System.setOut(
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        try {
            generate(database, sources);
        } finally {
            System.setOut(out);
        }
        loader = new URLClassLoader(new URL[] {compile(sources).toUri().toURL()});
        queries = connect(database);
    }

    private void generate(TestDatabase database, Path sources) throws Exception {
        boolean postgres = database.kind() == TestDatabase.Kind.POSTGRESQL;
        URI url = URI.create(database.url().substring("jdbc:".length()));
        String name = url.getPath().substring(1);
        Path configuration = directory.resolve("speedment.json");
        Files.writeString(
                configuration,
                """
                {"config": {"id": "films", "name": "films", "companyName": "penstock", "packageName": "films",
                  "packageLocation": "%s", "enabled": true,
                  "dbmses": [{"id": "db", "name": "%s", "typeName": "%s", "ipAddress": "127.0.0.1", "port": %d,
                    "username": "%s", "enabled": true}]}}
                """
                        .formatted(
                                sources,
                                name,
                                postgres ? "PostgreSQL" : "MariaDB",
                                url.getPort(),
                                database.user()));
        Speedment generator = generator(configuration);
        try {
            Project project = generator.getOrThrow(ProjectComponent.class).getProject();
            Dbms dbms = project.dbmses().findFirst().orElseThrow();
            DbmsType type =
                    generator
                            .getOrThrow(DbmsHandlerComponent.class)
                            .findByName(dbms.getTypeName())
                            .orElseThrow();
            generator
                    .getOrThrow(PasswordComponent.class)
                    .put(dbms, database.password().toCharArray());
            Project read =
                    type.getMetadataHandler()
                            .readSchemaMetadata(dbms, ProgressMeasure.create(), name::equals)
                            .get();
            read.dbmses()
                    .flatMap(Dbms::schemas)
                    .flatMap(schema -> schema.tables())
                    .forEach(table ->
                            table.getData().put("enabled", TABLES.contains(table.getName())));
            generator.getOrThrow(ProjectComponent.class).setProject(read);
            generator.getOrThrow(TranslatorManager.class).accept(read);
        } finally {
            generator.stop();
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // its builder's type refers to itself
    private static Speedment generator(Path configuration) {
        ApplicationBuilder builder =
                ApplicationBuilders.standard(SpeedmentFilms.class.getClassLoader());
        builder.withParam("metadata_location", configuration.toString());
        builder.withBundle(GeneratorBundle.class);
        builder.withBundle(MariaDbBundle.class);
        builder.withBundle(PostgresBundle.class);
        builder.withSkipCheckDatabaseConnectivity();
        builder.withSkipValidateRuntimeConfig();
        builder.withSkipLogoPrintout();
        return builder.build();
    }

    /** Compiles what was generated, and the queries with it. */
    private Path compile(Path sources) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = new ArrayList<>(all.filter(file -> file.toString().endsWith(".java")).toList());
        }
        Path manager =
                files.stream()
                        .filter(file -> file.endsWith(Path.of("film", "FilmManager.java")))
                        .findFirst()
                        .orElseThrow(() -> new IOException("Speedment generated no FilmManager"));
        Path tables = manager.resolve("../..").normalize();
        Path queriesFile = sources.resolve("films/SpeedmentQueries.java");
        Files.writeString(
                queriesFile,
                template()
                        .replace(
                                "{{package}}",
                                sources.relativize(tables).toString().replace('/', '.')));
        files.add(queriesFile);
        Path classes = Files.createDirectories(directory.resolve("classes"));
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("-proc:none", "-nowarn", "-d", classes.toString()));
        files.forEach(file -> arguments.add(file.toString()));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IOException("what Speedment generated does not compile: " + sources);
        }
        return classes;
    }

    private static String template() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        SpeedmentFilms.class.getResourceAsStream("SpeedmentQueries.java.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @SuppressWarnings("unchecked") // it is what the template says
    private Function<String, Object> connect(TestDatabase database)
            throws ReflectiveOperationException {
        return (Function<String, Object>)
                loader.loadClass("films.SpeedmentQueries")
                        .getConstructor(String.class, String.class, String.class)
                        .newInstance(url(database), database.user(), database.password());
    }

    /**
     * What makes it run: PostgreSQL compares its enum with a text only if that is bound untyped; and Speedment asks
     * for a fetch size that MariaDB's driver of today refuses, and MySQL's takes.
     */
    private static String url(TestDatabase database) {
        return database.kind() == TestDatabase.Kind.POSTGRESQL
                ? database.url() + "?stringtype=unspecified"
                : database.url()
                        .replace("jdbc:mariadb:", "jdbc:mysql:")
                        .replace(
                                "sslMode=disable", "sslMode=DISABLED&allowPublicKeyRetrieval=true");
    }

    /** Returns the answer to a question. */
    Object answer(FilmQuestion question) {
        return queries.apply(question.name());
    }

    /** Reads every film into an object of all its columns. Returns the sum of their minutes. */
    long readAll() {
        return (long) queries.apply("ALL");
    }

    @Override
    public void close() {
        try {
            ((AutoCloseable) queries).close();
            loader.close();
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException("ending Speedment failed", e);
        }
    }
}
