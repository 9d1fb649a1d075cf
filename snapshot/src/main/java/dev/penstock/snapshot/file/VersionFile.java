package dev.penstock.snapshot.file;

import dev.penstock.query.Table;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.index.StoredComposite;
import dev.penstock.snapshot.index.StoredIndexes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file of one version of some tables, with the indexes that they had. */
public final class VersionFile {
    /** A directory has no more bytes than this: some 4 for each block of the data, and some hundreds for a column. */
    private static final int MOST_DIRECTORY_BYTES = 1 << 28;

    private VersionFile() {}

    /**
     * The number and the times of a version.
     *
     * @param number counted from 1
     * @param loaded when its loading began
     * @param took how long that took
     * @param position where a feed goes on after all changes that the version has; null where none was followed
     */
    public record Head(long number, Instant loaded, Duration took, @Nullable String position) {}

    /**
     * A table of a file.
     *
     * @param table the table, in the file
     * @param indexes those of each of its columns
     * @param composites those of several columns
     */
    public record StoredPart(
            StoredTable table, List<StoredIndexes> indexes, List<StoredComposite> composites) {
        public StoredPart {
            indexes = List.copyOf(indexes);
            composites = List.copyOf(composites);
        }
    }

    /**
     * The content of a file.
     *
     * @param head the version
     * @param tables those that were asked for, in that order
     */
    public record Content(Head head, List<StoredPart> tables) {
        public Content {
            tables = List.copyOf(tables);
        }
    }

    /**
     * Writes a version in the place of what the file holds. Until all of it is on the disk, it is written beside it.
     *
     * @param tables by their fingerprints
     */
    public static void write(Path file, Head head, Map<String, IndexedTable> tables)
            throws IOException {
        ReplacedFile.write(file, channel -> write(channel, head, tables));
    }

    private static void write(FileChannel channel, Head head, Map<String, IndexedTable> tables)
            throws IOException {
        SegmentWriter segments = new SegmentWriter(channel);
        ByteArrayOutputStream described = new ByteArrayOutputStream();
        DataOutputStream all = new DataOutputStream(described);
        all.writeInt(tables.size());
        for (Map.Entry<String, IndexedTable> each : tables.entrySet()) {
            all.writeUTF(each.getKey());
            new TableWriter(all, segments).write(each.getValue());
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream directory = new DataOutputStream(bytes);
        directory.writeLong(head.number());
        Instant loaded = head.loaded();
        directory.writeLong(loaded.getEpochSecond());
        directory.writeInt(loaded.getNano());
        directory.writeLong(head.took().toNanos());
        String position = head.position();
        directory.writeBoolean(position != null);
        if (position != null) {
            directory.writeUTF(position);
        }
        List<Integer> checksums = segments.checksums();
        directory.writeInt(checksums.size());
        for (int checksum : checksums) {
            directory.writeInt(checksum);
        }
        described.writeTo(directory);
        ByteBuffer whole = ByteBuffer.wrap(bytes.toByteArray());
        FileHeader header =
                new FileHeader(segments.position(), whole.remaining(), FileHeader.checksum(whole));
        writeAll(channel, whole);
        channel.position(0);
        writeAll(channel, header.bytes());
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /**
     * Opens a file: maps it, and compares every checksum.
     *
     * @param wanted the tables by their fingerprints, in an order of their own
     * @throws java.nio.file.NoSuchFileException if there is none
     * @throws RefusedFileException if it is damaged, or a table is not in it as it is wanted
     */
    public static Content open(Path file, Map<String, Table> wanted)
            throws IOException, RefusedFileException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            FileHeader header = FileHeader.of(read(channel, 0, FileHeader.BYTES, size), size);
            if (header.directory() < FileHeader.BYTES
                    || header.directoryBytes() < 0
                    || header.directoryBytes() > MOST_DIRECTORY_BYTES) {
                throw new RefusedFileException("is damaged: its directory can't be where it says");
            }
            ByteBuffer directory = read(channel, header.directory(), header.directoryBytes(), size);
            if (FileHeader.checksum(directory) != header.directoryChecksum()) {
                throw new RefusedFileException(
                        "is damaged: the checksum of its directory is another");
            }
            MemorySegment all =
                    channel.map(MapMode.READ_ONLY, 0, header.directory(), Arena.ofAuto());
            Directory read = Directory.of(directory);
            Content content = read.content(new MappedSegments(all), wanted);
            // Last, as what does not fit is not worth reading.
            BlockChecksums.check(channel, header.directory(), read.checksums());
            return content;
        } catch (EOFException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | ArithmeticException
                | DateTimeException e) {
            throw new RefusedFileException("is damaged: " + e.getMessage(), e);
        }
    }

    /** The directory, read up to the tables. */
    private record Directory(DataInputStream rest, Head head, List<Integer> checksums) {
        static Directory of(ByteBuffer bytes) throws IOException {
            DataInputStream all =
                    new DataInputStream(
                            new ByteArrayInputStream(
                                    bytes.array(), bytes.arrayOffset(), bytes.limit()));
            Head head =
                    new Head(
                            all.readLong(),
                            Instant.ofEpochSecond(all.readLong(), all.readInt()),
                            Duration.ofNanos(all.readLong()),
                            all.readBoolean() ? all.readUTF() : null);
            List<Integer> checksums = new ArrayList<>();
            for (int left = all.readInt(); left > 0; left--) {
                checksums.add(all.readInt());
            }
            return new Directory(all, head, checksums);
        }

        Content content(MappedSegments segments, Map<String, Table> wanted)
                throws IOException, RefusedFileException {
            int count = rest.readInt();
            if (count != wanted.size()) {
                throw new RefusedFileException(
                        "has %d tables, and %d are wanted".formatted(count, wanted.size()));
            }
            TableReader reader = new TableReader(rest, segments);
            Map<String, StoredPart> found = new HashMap<>();
            for (int i = 0; i < count; i++) {
                String fingerprint = rest.readUTF();
                Table table = wanted.get(fingerprint);
                if (table == null) {
                    throw new RefusedFileException(
                            "is of other tables, columns, types, keys or chosen rows, or of another database or user");
                }
                found.put(fingerprint, reader.read(table));
            }
            List<StoredPart> tables = new ArrayList<>();
            for (String fingerprint : wanted.keySet()) {
                StoredPart part = found.get(fingerprint);
                if (part == null) {
                    throw new RefusedFileException("is damaged: it has a table twice");
                }
                tables.add(part);
            }
            return new Content(head, tables);
        }
    }

    private static ByteBuffer read(FileChannel channel, long start, int bytes, long size)
            throws IOException, RefusedFileException {
        if (bytes > size - start) {
            throw new RefusedFileException("has only %,d bytes".formatted(size));
        }
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, start + buffer.position()) < 0) {
                throw new RefusedFileException("was cut while it was read");
            }
        }
        return buffer.flip();
    }
}
