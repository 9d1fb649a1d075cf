package dev.penstock.transfer.store;

import dev.penstock.transfer.store.journal.Disk;
import dev.penstock.transfer.store.journal.Journal;
import dev.penstock.transfer.store.journal.JournalRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The directory of an upload: {@code data}, its bytes; {@code journal}, how far it is; and {@code description}, what it
 * was created with, which is written once, last, under another name, and then renamed. Without a description there is
 * no upload: a directory that has none is one that was not finished, or that is being removed.
 */
final class UploadDirectory {
    private static final int FORMAT = 1;

    private final Disk disk;
    private final Path path;

    /**
     * The facts with which an upload was created.
     *
     * @param id of the upload, which is the name of its directory too
     */
    record Description(String id, Instant created, NewUpload upload) {}

    UploadDirectory(Disk disk, Path path) {
        this.disk = disk;
        this.path = path;
    }

    Path data() {
        return path.resolve("data");
    }

    Path journal() {
        return path.resolve("journal");
    }

    private Path description() {
        return path.resolve("description");
    }

    /** Makes the directory with an empty file of data. */
    void create(JournalRecord first) throws IOException {
        Files.createDirectory(path);
        disk.create(data()).close();
        Journal.create(disk, journal(), first);
    }

    /** Writes the description, and with that makes the upload one. */
    void publish(Description description, boolean force) throws IOException {
        Path draft = path.resolve("description.new");
        // An attempt that was interrupted may have left one.
        Files.deleteIfExists(draft);
        try (FileChannel channel = disk.create(draft)) {
            ByteBuffer bytes = encode(description);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            if (force) {
                channel.force(true);
            }
        }
        Files.move(draft, description(), StandardCopyOption.ATOMIC_MOVE);
        if (force) {
            disk.forceNames(path);
            disk.forceNames(parent());
        }
    }

    /** Returns whether it is the directory of an upload. */
    boolean isPublished() {
        return Files.isRegularFile(description(), LinkOption.NOFOLLOW_LINKS);
    }

    /** Reads the description; nothing where there is none, or a power cut has left half of it. */
    Optional<Description> describe() throws IOException {
        if (!isPublished()) {
            return Optional.empty();
        }
        return decode(Files.readAllBytes(description()));
    }

    /**
     * Removes it all, the description first: whatever happens afterwards, the upload is gone, and the rest is removed
     * when the store is opened again.
     *
     * @return whether nothing is left
     */
    boolean remove(boolean force) throws IOException {
        Files.deleteIfExists(description());
        if (force && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            disk.forceNames(path);
        }
        return clear();
    }

    /** Removes what is left of one that has no description. */
    boolean clear() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            return Files.deleteIfExists(path);
        } catch (IOException | java.nio.file.DirectoryIteratorException _) {
            return !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private Path parent() throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IOException("No directory holds " + path);
        }
        return parent;
    }

    private static ByteBuffer encode(Description description) throws IOException {
        NewUpload upload = description.upload();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(FORMAT);
            out.writeUTF(description.id());
            out.writeLong(description.created().toEpochMilli());
            out.writeUTF(upload.owner());
            out.writeLong(upload.length().orElse(-1));
            write(out, upload.fileName());
            write(out, upload.mediaType());
            out.writeBoolean(upload.isPartial());
            out.writeInt(upload.facts().size());
            for (Map.Entry<String, String> fact : upload.facts().entrySet()) {
                out.writeUTF(fact.getKey());
                out.writeUTF(fact.getValue());
            }
            out.writeLong(checksum(bytes.toByteArray(), bytes.size()));
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static Optional<Description> decode(byte[] bytes) throws IOException {
        int end = bytes.length - Long.BYTES;
        if (end < 0 || ByteBuffer.wrap(bytes).getLong(end) != checksum(bytes, end)) {
            return Optional.empty();
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int format = in.readInt();
            if (format != FORMAT) {
                throw new IOException("Unknown format %d of a description".formatted(format));
            }
            String id = in.readUTF();
            Instant created = Instant.ofEpochMilli(in.readLong());
            String owner = in.readUTF();
            long length = in.readLong();
            Optional<String> fileName = read(in);
            Optional<String> mediaType = read(in);
            boolean isPartial = in.readBoolean();
            Map<String, String> facts = new LinkedHashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                facts.put(in.readUTF(), in.readUTF());
            }
            OptionalLong known = length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
            NewUpload upload = new NewUpload(owner, known, fileName, mediaType, facts, isPartial);
            return Optional.of(new Description(id, created, upload));
        }
    }

    private static void write(DataOutputStream out, Optional<String> text) throws IOException {
        out.writeBoolean(text.isPresent());
        out.writeUTF(text.orElse(""));
    }

    private static Optional<String> read(DataInputStream in) throws IOException {
        boolean isPresent = in.readBoolean();
        String text = in.readUTF();
        return isPresent ? Optional.of(text) : Optional.empty();
    }

    private static long checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return checksum.getValue();
    }
}
