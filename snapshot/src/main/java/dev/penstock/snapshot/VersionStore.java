package dev.penstock.snapshot;

import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.VersionLoader.Source;
import dev.penstock.snapshot.column.HeldPart;
import dev.penstock.snapshot.file.RefusedFileException;
import dev.penstock.snapshot.file.SchemaFingerprint;
import dev.penstock.snapshot.file.VersionFile;
import dev.penstock.snapshot.index.IndexedTable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The file in which a snapshot keeps one of its versions. Thread-safe.
 *
 * @param file where it is, or will be
 * @param loader makes versions
 */
record VersionStore(Path file, VersionLoader loader) {
    private static final System.Logger LOG = System.getLogger("dev.penstock.snapshot");

    /**
     * Returns the version in the file; null where there is no file, and where it is refused, which is logged.
     *
     * @throws QueryException of kind {@code MEMORY_LIMIT} if there is no memory for a declared index that the file has
     *     not, of kind {@code CANCELLED} if this thread is interrupted before the checksums are compared
     */
    @Nullable LoadedVersion read() {
        Map<String, Table> wanted = new LinkedHashMap<>();
        for (Source source : loader.sources()) {
            wanted.put(fingerprint(source.part()), source.part().held());
        }
        try {
            return loader.restored(VersionFile.open(file, wanted));
        } catch (NoSuchFileException _) {
            return null;
        } catch (RefusedFileException e) {
            refused(e.getMessage());
        } catch (ClosedByInterruptException e) {
            throw new QueryException(
                    QueryException.Kind.CANCELLED,
                    "the start from the file " + file + " was interrupted",
                    e);
        } catch (IOException e) {
            refused("can't be read: " + e);
        }
        return null;
    }

    private void refused(@Nullable String reason) {
        LOG.log(
                System.Logger.Level.WARNING,
                "the file {0} {1}: the tables are loaded from the database instead",
                file,
                reason);
    }

    /** Writes a version in the place of what the file holds. */
    void write(LoadedVersion version) throws IOException {
        Map<String, IndexedTable> tables = new LinkedHashMap<>();
        for (Source source : loader.sources()) {
            tables.put(fingerprint(source.part()), version.engine().indexed(source.part().held()));
        }
        Version facts = version.version();
        VersionFile.write(
                file,
                new VersionFile.Head(
                        facts.number(), facts.loaded(), facts.took(), version.position()),
                tables);
    }

    private String fingerprint(HeldPart part) {
        return SchemaFingerprint.of(loader.database().fingerprint(), part);
    }
}
