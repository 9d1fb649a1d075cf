package dev.penstock.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The sources of what a server serves; at least one of database, files, uploads and documents.
 *
 * @param database whose tables are served; null for none
 * @param schema of the database; null for the connection's own
 * @param memory the tables that are answered from memory; null for none
 * @param files the directory whose files are handed out; null for none
 * @param uploads that are taken; null for none
 * @param documents the collections of XML documents; null for none
 */
public record ServedSources(
        @Nullable JdbcTarget database,
        @Nullable String schema,
        @Nullable MemorySettings memory,
        @Nullable Path files,
        @Nullable UploadSettings uploads,
        @Nullable DocumentSettings documents) {
    public ServedSources {
        if (database == null && files == null && uploads == null && documents == null) {
            throw new StartupException(
                    "there is nothing to serve: give --jdbc URL for the tables of a database, --files DIR for files,"
                            + " --uploads DIR to take uploads, or --mongodb URL with --documents NAME for XML"
                            + " documents");
        }
        Path tables = memory == null ? null : memory.directory();
        if (tables != null) {
            requireApart(tables, "--files", files);
            requireApart(tables, "--uploads", uploads == null ? null : uploads.directory());
        }
    }

    /** The tables would be handed out, or an upload could take their file's place. */
    private static void requireApart(Path tables, String option, @Nullable Path directory) {
        if (directory == null) {
            return;
        }
        Path one = tables.toAbsolutePath().normalize();
        Path other = directory.toAbsolutePath().normalize();
        if (one.startsWith(other) || other.startsWith(one)) {
            throw new StartupException(
                    "--memory-file %s and %s %s would share a directory: name one of its own for the tables"
                            .formatted(tables, option, directory));
        }
    }

    /** The sources without collections of documents. */
    public ServedSources(
            @Nullable JdbcTarget database,
            @Nullable String schema,
            @Nullable MemorySettings memory,
            @Nullable Path files,
            @Nullable UploadSettings uploads) {
        this(database, schema, memory, files, uploads, null);
    }
}
