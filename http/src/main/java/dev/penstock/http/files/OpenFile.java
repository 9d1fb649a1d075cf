package dev.penstock.http.files;

import dev.penstock.http.disk.FileSlice;
import dev.penstock.http.disk.Residency;
import dev.penstock.http.message.HttpDate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A regular file as it was when it was opened: what a response says of it, and its bytes, which are held if they are
 * few, or else read from it later. It may serve several responses; the last that lets go of it closes it. Thread-safe.
 *
 * <p>A file that many event loops send is open several times: each use of a {@link FileChannel} takes its locks, and
 * loops would wait for each other.
 */
final class OpenFile {
    /** The most bytes that are held. */
    static final int SMALL = 16 * 1024;

    /** How often opening begins again when the file is replaced meanwhile. */
    private static final int TRIES = 3;

    /**
     * A file's headers to clients.
     *
     * @param mediaType of what is in it
     * @param coding the {@code Content-Encoding} that it has; null for none
     * @param varies whether other clients get it in another coding
     */
    record Form(String mediaType, @Nullable String coding, boolean varies) {}

    private final Path real;
    private final @Nullable Object key;
    private final Form form;
    private final long size;

    /** When it was changed last, as exactly as the file system knows. */
    private final Instant time;

    private final Instant modified;
    private final String lastModified;
    private final String tag;
    private final byte @Nullable [] content;

    /** None if the bytes are held. */
    private final List<FileChannel> channels;

    private final Residency residency;

    private final AtomicInteger users = new AtomicInteger(1);

    /** Set before others see it. */
    private @Nullable Runnable whenClosed;

    private OpenFile(
            Path real,
            Form form,
            BasicFileAttributes attributes,
            byte @Nullable [] content,
            List<FileChannel> channels) {
        this.real = real;
        this.form = form;
        this.content = content;
        this.channels = channels;
        residency = channels.isEmpty() ? Residency.UNKNOWN : Residency.of(real, attributes.size());
        size = attributes.size();
        key = attributes.fileKey();
        time = attributes.lastModifiedTime().toInstant();
        modified = time.truncatedTo(ChronoUnit.SECONDS);
        lastModified = HttpDate.format(modified);
        String coded = form.coding == null ? "" : "-" + form.coding;
        tag = "\"%x-%x-%x%s\"".formatted(time.getEpochSecond(), time.getNano(), size, coded);
    }

    /**
     * Opens a file, for one user.
     *
     * @param real its real path: a link is not followed
     * @param times how often it is opened, if its bytes are not held
     * @throws NoSuchFileException if it is no regular file, such as a device or a pipe, which is not opened
     * @throws IOException if it can't be read
     */
    static OpenFile open(Path real, Form form, int times) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            OpenFile opened = tryToOpen(real, form, times);
            if (opened != null) {
                return opened;
            }
        }
        throw new IOException("%s is replaced again and again".formatted(real));
    }

    /** Returns null if it was replaced meanwhile. */
    private static @Nullable OpenFile tryToOpen(Path real, Form form, int times)
            throws IOException {
        BasicFileAttributes attributes = attributes(real);
        if (!attributes.isRegularFile()) {
            throw new NoSuchFileException(real.toString(), null, "it is no regular file");
        }
        boolean small = attributes.size() <= SMALL;
        List<FileChannel> opened = new ArrayList<>();
        boolean keepsOpen = false;
        try {
            for (int i = 0; i < (small ? 1 : times); i++) {
                opened.add(
                        FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            }
            FileChannel file = opened.getFirst();
            byte[] content = small ? read(file, (int) attributes.size()) : null;
            boolean same =
                    Objects.equals(attributes.fileKey(), attributes(real).fileKey())
                            && file.size() >= attributes.size();
            if (!same || (small && content == null)) {
                return null;
            }
            keepsOpen = !small;
            return new OpenFile(
                    real, form, attributes, content, small ? List.of() : List.copyOf(opened));
        } finally {
            if (!keepsOpen) {
                close(opened);
            }
        }
    }

    private static void close(List<FileChannel> files) {
        for (FileChannel file : files) {
            try {
                file.close();
            } catch (IOException _) {
                // Nothing was written to it.
            }
        }
    }

    private static BasicFileAttributes attributes(Path real) throws IOException {
        return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static byte @Nullable [] read(FileChannel file, int size) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(size);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, bytes.position()) < 0) {
                return null;
            }
        }
        return bytes.array();
    }

    Form form() {
        return form;
    }

    long size() {
        return size;
    }

    /** When it was changed last, in whole seconds. */
    Instant modified() {
        return modified;
    }

    /** The same as HTTP writes it. */
    String lastModified() {
        return lastModified;
    }

    /** Its entity tag, with quotation marks. */
    String tag() {
        return tag;
    }

    /** Its bytes, if they are held. */
    byte @Nullable [] content() {
        return content;
    }

    /** How often it is open. */
    int times() {
        return channels.size();
    }

    /**
     * Returns a part of it, if its bytes are not held. Its user has retained the file, which is released when nothing
     * more of the part is read.
     */
    FileSlice slice(long first, long length) {
        return new FileSlice(channel(), residency, tellsWhenClosed(), first, length, this::release);
    }

    /** The open file, if its bytes are not held; another for other threads, as far as there are several. */
    FileChannel channel() {
        return channels.get((int) (Thread.currentThread().threadId() % channels.size()));
    }

    /**
     * Returns whether all bytes are still there: a file that is written anew in its place becomes shorter first. For
     * event loops, which nobody interrupts: an interrupt during this look would close the file, also for all others
     * that it is sent to. Handlers ask {@link #isUnchanged}.
     */
    boolean isWhole() {
        if (channels.isEmpty()) {
            return true;
        }
        try {
            return channel().size() >= size;
        } catch (IOException _) {
            return false;
        }
    }

    /** Returns whether it is open, and opening the file of this path again would only give the same. */
    boolean isStill(Path path, Form wanted) {
        return !channels.isEmpty() && real.equals(path) && form.equals(wanted) && isUnchanged();
    }

    /**
     * Returns whether it is open, and the file at its path is still the one that was opened, as it was. Asks nothing of
     * the open file, which an interrupt of this thread would close, also for all others that it is sent to.
     */
    boolean isUnchanged() {
        try {
            BasicFileAttributes now = attributes(real);
            return channels.stream().allMatch(FileChannel::isOpen)
                    && now.isRegularFile()
                    && now.size() == size
                    && now.lastModifiedTime().toInstant().equals(time)
                    && Objects.equals(now.fileKey(), key);
        } catch (IOException _) {
            return false;
        }
    }

    /** Has something be done once it is closed. By whoever has opened it, before anybody else uses it. */
    void whenClosed(Runnable action) {
        whenClosed = action;
    }

    /** Returns whether something is done once it is closed. */
    boolean tellsWhenClosed() {
        return whenClosed != null;
    }

    /** Takes it for one more user; false if the last has let go of it. */
    boolean retain() {
        if (channels.isEmpty()) {
            return true;
        }
        int now;
        do {
            now = users.get();
            if (now == 0) {
                return false;
            }
        } while (!users.compareAndSet(now, now + 1));
        return true;
    }

    /** One user lets go of it. */
    void release() {
        if (!channels.isEmpty() && users.decrementAndGet() == 0) {
            close(channels);
            Runnable action = whenClosed;
            if (action != null) {
                action.run();
            }
        }
    }
}
