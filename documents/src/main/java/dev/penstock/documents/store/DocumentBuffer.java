package dev.penstock.documents.store;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of one document on its way to a store, in UTF-8: in memory while it is small, then in a temporary file that
 * {@link #close} deletes. Written once, then read as often as needed. Not thread-safe.
 */
public final class DocumentBuffer extends OutputStream {
    /** The most bytes that are held in memory. */
    public static final int MEMORY_BYTES = 8 << 20;

    private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private @Nullable Path file;
    private @Nullable OutputStream fileOut;
    private long size;

    /** A buffer that holds a text. */
    public static DocumentBuffer of(String json) {
        var buffer = new DocumentBuffer();
        try {
            buffer.write(json.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw failed(e);
        }
        return buffer;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (fileOut == null && size + length > MEMORY_BYTES) {
            file = Files.createTempFile("penstock-document", ".json");
            fileOut = Files.newOutputStream(file);
            memory.writeTo(fileOut);
            memory.reset();
        }
        (fileOut == null ? memory : fileOut).write(bytes, from, length);
        size += length;
    }

    @Override
    public void flush() throws IOException {
        if (fileOut != null) {
            fileOut.flush();
        }
    }

    /** Returns the number of bytes that it holds. */
    public long size() {
        return size;
    }

    /** Opens what has been written. The caller closes it. */
    public InputStream open() {
        try {
            flush();
            return file == null
                    ? new ByteArrayInputStream(memory.toByteArray())
                    : Files.newInputStream(file);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** The whole text. */
    public String text() {
        try (InputStream in = open()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static DocumentException failed(IOException e) {
        return new DocumentException(
                Kind.INPUT_OUTPUT,
                "the JSON of a document can't be kept in a temporary file: "
                        + e.getMessage()
                        + "; see that java.io.tmpdir has room",
                e);
    }

    /** Forgets what it holds and deletes its file. */
    @Override
    public void close() throws IOException {
        memory.reset();
        OutputStream out = fileOut;
        Path path = file;
        fileOut = null;
        file = null;
        if (out != null) {
            out.close();
        }
        if (path != null) {
            Files.deleteIfExists(path);
        }
    }
}
