package dev.penstock.codegen.maven;

import dev.penstock.codegen.SchemaFile;
import dev.penstock.codegen.problem.CodegenException;
import java.nio.file.Path;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Mojo;

/**
 * Writes the schema of a database as a file to edit, which the goal {@code generate} takes without a database. Choices
 * and comments in a file that is there are kept.
 */
@Mojo(name = "schema", requiresProject = false, threadSafe = true)
public final class SchemaMojo extends DatabaseMojo {
    @Override
    public void execute() throws MojoFailureException {
        if (skip) {
            getLog().info("Penstock writes no schema file: skip is set");
            return;
        }
        if (jdbc == null || schemaFile == null) {
            throw new MojoFailureException(
                    "configure <jdbc> with the URL of a database, and <schemaFile> with the schema file to write");
        }
        try {
            boolean there = schemaFile.exists();
            SchemaFile read = read(jdbc);
            Path file = schemaFile.toPath();
            (there ? read.withChoicesOf(SchemaFile.read(file)) : read).write(file);
            getLog().info(
                            there
                                    ? schemaFile
                                            + " written again, with the choices that were in it"
                                    : schemaFile + " written");
        } catch (CodegenException e) {
            throw new MojoFailureException(e.getMessage(), e);
        }
    }
}
