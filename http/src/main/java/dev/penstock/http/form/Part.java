package dev.penstock.http.form;

import dev.penstock.http.HttpException;
import dev.penstock.http.MediaType;
import dev.penstock.http.message.StrictText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A part of a multipart form: a field, or a file. To be read before the next part is asked for; what was not read of it
 * by then is passed over. Its methods that read block until bytes are there. They throw an {@link HttpException}, 413
 * if the part is larger than its limit and 400 if the body ends before its closing boundary, and an {@link IOException}
 * if the client has gone. For one thread.
 */
public final class Part {
    private final PartHead head;
    private final BoundaryReader reader;
    private final ContentLimit limit;
    private boolean ended;

    /** Whether the next part was asked for before this one was read to its end. */
    private boolean passedOver;

    Part(PartHead head, BoundaryReader reader, ContentLimit limit) {
        this.head = head;
        this.reader = reader;
        this.limit = limit;
    }

    /** The name of the form's field. */
    public String name() {
        return head.name();
    }

    /**
     * What the client calls the file, without any folder: it has no slash, no backslash, no drive and no control
     * character, and is neither {@code .} nor {@code ..}. Empty text where a browser sends a file input in which
     * nothing was chosen; nothing where the part is no file. It is text from outside all the same, to be shown and not
     * to be stored under: a system may reserve it, and another upload may have it too.
     */
    public Optional<String> fileName() {
        return Optional.ofNullable(head.fileName());
    }

    /**
     * The media type that the client names, if any; a browser's guess by the ending of the file's name.
     *
     * @throws HttpException (400) if it is malformed
     */
    public Optional<MediaType> contentType() {
        String type = head.contentType();
        try {
            return type == null || type.isEmpty()
                    ? Optional.empty()
                    : Optional.of(MediaType.parse(type));
        } catch (IllegalArgumentException e) {
            throw new HttpException(400, String.valueOf(e.getMessage()), e);
        }
    }

    /** The content. Closing it is not needed, and leaves the part to be read by others of these methods. */
    public ReadableByteChannel content() {
        return new ReadableByteChannel() {
            private boolean open = true;

            @Override
            public int read(ByteBuffer to) throws IOException {
                if (!open) {
                    throw new ClosedChannelException();
                }
                if (!to.hasRemaining()) {
                    return 0;
                }
                return more() ? reader.read(to) : -1;
            }

            @Override
            public boolean isOpen() {
                return open;
            }

            @Override
            public void close() {
                open = false;
            }
        };
    }

    /** The content as a stream, which need not be closed. */
    public InputStream readStream() {
        return Channels.newInputStream(content());
    }

    /**
     * Copies what was not read yet, without holding more of it than the reader's buffer. Returns how many bytes there
     * were.
     *
     * @param to such as a file; one that blocks, written to until it has taken all, and not closed
     */
    public long transferTo(WritableByteChannel to) throws IOException {
        long copied = 0;
        while (more()) {
            ByteBuffer bytes = reader.contentBuffer();
            int count = bytes.remaining();
            while (bytes.hasRemaining()) {
                to.write(bytes);
            }
            reader.skip(count);
            copied += count;
        }
        return copied;
    }

    /**
     * Writes what was not read yet to a new file, which is deleted again if that fails. Returns how many bytes there
     * were.
     *
     * @throws FileAlreadyExistsException if there is one; it stays as it is
     */
    public long saveAs(Path file) throws IOException {
        FileChannel to =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        boolean whole = false;
        try (to) {
            long count = transferTo(to);
            whole = true;
            return count;
        } finally {
            if (!whole) {
                Files.deleteIfExists(file);
            }
        }
    }

    /**
     * The content as a whole.
     *
     * @param maxBytes how many bytes it may have
     * @throws HttpException (413) if it has more
     */
    public byte[] readBytes(int maxBytes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        WritableByteChannel channel = Channels.newChannel(bytes);
        while (more()) {
            int count = reader.content();
            if (count > maxBytes - bytes.size()) {
                throw new HttpException(
                        413, "The part %s has more than %d bytes".formatted(name(), maxBytes));
            }
            channel.write(reader.contentBuffer());
            reader.skip(count);
        }
        return bytes.toByteArray();
    }

    /**
     * The content as text, in the character set that the part names, or UTF-8.
     *
     * @param maxBytes how many bytes it may have
     * @throws HttpException (413) if it has more; (400) if it is not text of that character set; (415) if that is not
     *     known
     */
    public String readText(int maxBytes) throws IOException {
        Charset charset;
        try {
            charset = contentType().flatMap(MediaType::charset).orElse(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new HttpException(415, String.valueOf(e.getMessage()), e);
        }
        byte[] bytes = readBytes(maxBytes);
        try {
            return StrictText.decode(bytes, 0, bytes.length, charset);
        } catch (CharacterCodingException e) {
            throw new HttpException(
                    400, "The part %s is not text in %s".formatted(name(), charset.name()), e);
        }
    }

    /** Passes over what was not read, and the delimiter behind it. */
    void end() throws IOException {
        while (more()) {
            passedOver = true;
            reader.skip(reader.content());
        }
        reader.skipDelimiter();
    }

    /** Returns whether there is content to be read, which is counted with the first look at it. */
    private boolean more() throws IOException {
        if (ended) {
            if (passedOver) {
                throw new IllegalStateException(
                        "The part was passed over when the next one was asked for: read it before");
            }
            return false;
        }
        int seen = reader.content();
        ended = !reader.hasContent();
        if (seen == 0 && !ended) {
            limit.add(name(), reader.content());
        }
        return !ended;
    }
}
