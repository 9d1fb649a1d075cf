package dev.penstock.codegen.maven;

import dev.penstock.codegen.Generator;
import dev.penstock.codegen.SchemaFile;
import dev.penstock.codegen.SourceFolder;
import dev.penstock.codegen.problem.CodegenException;
import java.io.File;
import java.nio.file.Path;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Generates a Java file for each table and view of a database, or of a schema file: a record with its typed fields. The
 * folder becomes one of the project's sources. Files that were changed by hand are left as they are.
 */
@Mojo(name = "generate", defaultPhase = LifecyclePhase.GENERATE_SOURCES, threadSafe = true)
@SuppressWarnings("NullAway.Init") // Maven sets the fields
public final class GenerateMojo extends DatabaseMojo {
    /** The package of the classes. */
    @Parameter(property = "penstock.package", required = true)
    private String packageName;

    /** The folder where packages begin. */
    @Parameter(
            property = "penstock.outputDirectory",
            defaultValue = "${project.build.directory}/generated-sources/penstock")
    private File outputDirectory;

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    @Override
    public void execute() throws MojoFailureException {
        if (skip) {
            getLog().info("Penstock generates nothing: skip is set");
            return;
        }
        try {
            Generator generator = new Generator(schemaFile(), packageName);
            SourceFolder.Outcome outcome =
                    new SourceFolder(outputDirectory.toPath()).write(generator);
            getLog().info(
                            "%s: %d files written, %d as they were, %d removed"
                                    .formatted(
                                            outputDirectory,
                                            outcome.written().size(),
                                            outcome.unchanged().size(),
                                            outcome.removed().size()));
            for (Path kept : outcome.kept()) {
                getLog().warn(
                                kept
                                        + " was changed by hand and is left as it is: move the changes elsewhere"
                                        + " and delete it to have it generated");
            }
        } catch (CodegenException e) {
            throw new MojoFailureException(e.getMessage(), e);
        }
        project.addCompileSourceRoot(outputDirectory.getPath());
    }

    private SchemaFile schemaFile() throws MojoFailureException {
        SchemaFile read = jdbc == null ? null : read(jdbc);
        if (schemaFile == null) {
            if (read == null) {
                throw new MojoFailureException(
                        "configure <jdbc> with the URL of a database, or <schemaFile> with a schema file");
            }
            return read;
        }
        SchemaFile file = SchemaFile.read(schemaFile.toPath());
        return read == null ? file : read.withChoicesOf(file);
    }
}
