package dev.penstock.transfer.client.resume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A file of short lines, each with a checksum, that is whole after a crash at any byte.
 *
 * <p>A line is added by one write. The lines that are read are those before the first that is torn or wrong. To
 * rewrite it, a new file takes the old one's place. It is for one thread at a time.
 */
final class Journal implements AutoCloseable {
    private static final int LINE_BYTES = 16 * 1024;
    private static final long FILE_BYTES = 4 << 20;

    private final Path path;
    private UninterruptibleFile file;
    private long size;

    private Journal(Path path, UninterruptibleFile file, long size) {
        this.path = path;
        this.file = file;
        this.size = size;
    }

    /** Opens a journal, or makes an empty one. */
    static Journal open(Path path) throws IOException {
        UninterruptibleFile file =
                UninterruptibleFile.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            return new Journal(path, file, file.size());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Reads the lines of a journal that are right; none if there is no such file, or it is none. */
    static List<String> read(Path path) throws IOException {
        List<String> lines = new ArrayList<>();
        if (!Files.isRegularFile(path) || Files.size(path) > FILE_BYTES) {
            return lines;
        }
        String text = Files.readString(path, StandardCharsets.ISO_8859_1);
        int at = 0;
        for (int end; (end = text.indexOf('\n', at)) >= 0; at = end + 1) {
            String line =
                    new String(
                            text.substring(at, end).getBytes(StandardCharsets.ISO_8859_1),
                            StandardCharsets.UTF_8);
            int sum = line.lastIndexOf(' ');
            if (sum < 0 || !line.substring(sum + 1).equals(checksum(line.substring(0, sum)))) {
                break;
            }
            lines.add(line.substring(0, sum));
        }
        return lines;
    }

    /** Adds a line. */
    void add(String line) throws IOException {
        size += write(file, List.of(line), size);
    }

    /** The bytes that it has. */
    long size() {
        return size;
    }

    /** Puts other lines in the place of all that are there, at once or not at all. */
    void rewrite(List<String> lines) throws IOException {
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        UninterruptibleFile written =
                UninterruptibleFile.open(
                        fresh,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
        long length;
        try {
            length = write(written, lines, 0);
            written.force(true);
            Files.move(
                    fresh,
                    path,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            written.close();
            throw e;
        }
        file.close();
        file = written;
        size = length;
    }

    /** Forces it to the disk. */
    void force() throws IOException {
        file.force(false);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private static int write(UninterruptibleFile to, List<String> lines, long position)
            throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            if (line.length() > LINE_BYTES || line.indexOf('\n') >= 0) {
                throw new IOException(
                        "A line of a journal is one of at most " + LINE_BYTES + " characters");
            }
            text.append(line).append(' ').append(checksum(line)).append('\n');
        }
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
        int length = bytes.remaining();
        to.write(bytes, position);
        return length;
    }

    private static String checksum(String line) {
        CRC32C sum = new CRC32C();
        sum.update(line.getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(sum.getValue());
    }
}
