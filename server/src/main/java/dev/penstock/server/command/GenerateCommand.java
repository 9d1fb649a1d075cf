package dev.penstock.server.command;

import dev.penstock.codegen.Generator;
import dev.penstock.codegen.Project;
import dev.penstock.codegen.SchemaFile;
import dev.penstock.codegen.SourceFolder;
import dev.penstock.server.config.DatabaseOptions;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.PenstockVersion;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.database.ConnectionProbe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code penstock generate}: Java sources of a database's tables, and a project around them. */
@Command(
        name = "generate",
        description =
                "Writes a Java file for each table and view of a database: a record with its typed fields, ready for"
                        + " java.util.stream. Files that were changed by hand are left as they are.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  penstock generate --jdbc jdbc:postgresql://localhost/shop --user me \\",
            "      --package com.example.shop --out src/main/java",
            "  penstock generate --from shop.schema --package com.example.shop --out src/main/java",
            "  penstock generate --jdbc jdbc:mariadb://localhost/sakila --user me \\",
            "      --package com.example.films --project films"
        })
final class GenerateCommand implements Callable<Integer> {
    @ArgGroup(exclusive = false)
    private @Nullable DatabaseOptions database;

    @Option(
            names = "--schema",
            paramLabel = "S",
            description =
                    "The schema that is read (on MariaDB and MySQL, the database). Default: the connection's own.")
    private @Nullable String schema;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "A schema file (see penstock schema). With --jdbc as well, the database is read and the choices in"
                            + " the file are kept. Default with --project: its penstock.schema, if that is there.")
    private @Nullable Path from;

    @Option(
            names = "--package",
            paramLabel = "P",
            required = true,
            description = "The package of the classes.")
    private String packageName = "";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "The folder where packages begin, such as src/main/java. Default with --project: that of the"
                            + " project.")
    private @Nullable Path out;

    @Option(
            names = "--project",
            paramLabel = "DIR",
            description =
                    "Also makes a Maven project there, with a program that runs the first streams on the database;"
                            + " needs --jdbc. A pom.xml and a Main that are there stay as they are.")
    private @Nullable Path project;

    @Override
    public Integer call() {
        if (out == null && project == null) {
            throw new StartupException(
                    "generate needs --out DIR for the sources, or --project DIR for a whole project");
        }
        if (project != null && database == null) {
            throw new StartupException(
                    "--project needs --jdbc URL, since its program connects to that database");
        }
        Generator generator = new Generator(schemaFile(), packageName);
        Path sources =
                out != null ? out : Project.sources(java.util.Objects.requireNonNull(project));
        say(new SourceFolder(sources).write(generator), sources);
        if (project != null && database != null) {
            JdbcTarget target = database.target();
            Project.Connection connection =
                    new Project.Connection(target.urlWithoutPassword(), target.user(), schema);
            Project made = new Project(generator, connection);
            made.write(project).forEach(file -> System.out.println("Wrote " + file));
            System.out.println(
                    "It takes Penstock from the local Maven repository, where ./penstock install puts it.");
            System.out.println(
                    "To run it, with Java 25 and the password in "
                            + DatabaseOptions.PASSWORD_VARIABLE
                            + ": cd "
                            + quoted(project)
                            + " && mvn -q package && java -jar "
                            + made.jar());
        }
        return 0;
    }

    /** Returns a path as a shell takes it. */
    private static String quoted(Path path) {
        String text = path.toString();
        return text.matches("[\\w./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private SchemaFile schemaFile() {
        if (from == null && project != null && Files.exists(Project.schema(project))) {
            from = Project.schema(project);
        }
        if (from == null) {
            if (database == null) {
                throw new StartupException(
                        "generate needs --jdbc URL for the database, or --from FILE for a schema file");
            }
            return read(database, schema);
        }
        SchemaFile file = SchemaFile.read(from);
        return database == null ? file : read(database, schema).withChoicesOf(file);
    }

    /** Reads the schema of the database. */
    static SchemaFile read(DatabaseOptions database, @Nullable String schema) {
        ConnectionProbe probe = ConnectionProbe.of(database.target(), schema);
        SchemaFile read = SchemaFile.of(probe.source(), schema);
        read.leftOut().forEach(what -> System.err.println("penstock: left out " + what));
        return read;
    }

    private static void say(SourceFolder.Outcome outcome, Path sources) {
        System.out.printf(
                "%s: %d files written, %d as they were, %d removed.%n",
                sources,
                outcome.written().size(),
                outcome.unchanged().size(),
                outcome.removed().size());
        for (Path kept : outcome.kept()) {
            System.err.println(
                    "penstock: left "
                            + kept
                            + " as it is, since it was changed by hand: move the changes elsewhere and delete it to"
                            + " have it generated");
        }
    }
}
