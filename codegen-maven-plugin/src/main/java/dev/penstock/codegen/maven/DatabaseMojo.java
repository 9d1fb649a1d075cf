package dev.penstock.codegen.maven;

import dev.penstock.codegen.SchemaFile;
import java.io.File;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** A goal that reads a database, or a schema file of one. */
abstract class DatabaseMojo extends AbstractMojo {
    /** A schema file. With {@code jdbc} as well, the database is read and the choices in the file are kept. */
    @Parameter(property = "penstock.schemaFile")
    @Nullable File schemaFile;

    /** The JDBC URL of the database; its driver is a dependency of this plugin. */
    @Parameter(property = "penstock.jdbc")
    @Nullable String jdbc;

    /** The database user; by default the URL's, else the driver's. */
    @Parameter(property = "penstock.user")
    private @Nullable String user;

    /** The user's password; by default the environment variable {@code PENSTOCK_PASSWORD}, else the URL's. */
    @Parameter(property = "penstock.password")
    private @Nullable String password;

    /** The schema that is read (on MariaDB and MySQL, the database); by default the connection's own. */
    @Parameter(property = "penstock.schema")
    private @Nullable String schema;

    /** Whether to do nothing. */
    @Parameter(property = "penstock.skip", defaultValue = "false")
    boolean skip;

    /** The schema of the database at that URL. */
    final SchemaFile read(String url) {
        String secret = password != null ? password : System.getenv("PENSTOCK_PASSWORD");
        SchemaFile read = SchemaFile.of(new DriverDataSource(url, user, secret), schema);
        read.leftOut().forEach(what -> getLog().warn("left out " + what));
        return read;
    }
}
