package dev.penstock.server.command;

import dev.penstock.codegen.SchemaFile;
import dev.penstock.server.config.DatabaseOptions;
import dev.penstock.server.config.PenstockVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code penstock schema}: the schema of a database as a file to edit. */
@Command(
        name = "schema",
        description =
                "Writes the schema of a database as a file that one edits, to rename, leave out and map, and that"
                        + " generate takes without a database.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  penstock schema --jdbc jdbc:postgresql://localhost/shop --user me --out shop.schema"
        })
final class SchemaCommand implements Callable<Integer> {
    @Mixin private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--schema",
            paramLabel = "S",
            description =
                    "The schema that is read (on MariaDB and MySQL, the database). Default: the connection's own.")
    private @Nullable String schema;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description =
                    "The file to write. If it is there, the choices that were made in it are kept. Default: the"
                            + " standard output.")
    private @Nullable Path out;

    @Override
    public Integer call() {
        SchemaFile read = GenerateCommand.read(database, schema);
        if (out == null) {
            System.out.print(read.text());
            System.out.flush();
            return 0;
        }
        boolean there = Files.exists(out);
        SchemaFile written = there ? read.withChoicesOf(SchemaFile.read(out)) : read;
        written.write(out);
        System.out.println(
                there
                        ? "Wrote " + out + " again, with the choices that were in it."
                        : "Wrote " + out + ". Edit it, then: penstock generate --from " + out);
        return 0;
    }
}
