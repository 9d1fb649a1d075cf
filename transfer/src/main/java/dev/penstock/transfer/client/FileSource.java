package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A file that is sent. */
final class FileSource extends Source {
    private final Path path;

    FileSource(Path path) {
        this.path = path;
    }

    @Override
    Content open() throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                throw new TransferException(
                        Kind.INVALID,
                        path + " is no file; name a file, or give its bytes as a stream");
            }
            return new FileContent(
                    path, FileChannel.open(path, StandardOpenOption.READ), attributes);
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw new TransferException(
                    Kind.INVALID,
                    "%s can't be read; check its name and its permissions".formatted(path),
                    e);
        }
    }

    @Override
    Optional<String> name() {
        return Optional.of(path.getFileName().toString());
    }

    private static final class FileContent implements Content {
        private final Path path;
        private final FileChannel channel;
        private final BasicFileAttributes opened;

        FileContent(Path path, FileChannel channel, BasicFileAttributes opened) {
            this.path = path;
            this.channel = channel;
            this.opened = opened;
        }

        @Override
        public OptionalLong length() {
            return OptionalLong.of(opened.size());
        }

        @Override
        public boolean isRepeatable() {
            return true;
        }

        @Override
        public void keep(Path directory) {
            // The file itself is kept.
        }

        @Override
        public long room(long position) {
            return Long.MAX_VALUE;
        }

        @Override
        public @Nullable ByteBuffer read(long position, int limit) throws IOException {
            if (position >= opened.size()) {
                return null;
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(limit, opened.size() - position));
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, position + bytes.position()) < 0) {
                    throw changed();
                }
            }
            return bytes.flip();
        }

        @Override
        public void confirmed(long position) {
            // It can always be read again.
        }

        @Override
        public Optional<String> identity() {
            Object key = opened.fileKey();
            String file = key == null ? path.toAbsolutePath().toString() : key.toString();
            return Optional.of(file + " " + opened.size() + " " + opened.lastModifiedTime());
        }

        @Override
        public void checkUnchanged() throws IOException {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            if (now.size() != opened.size()
                    || !now.lastModifiedTime().equals(opened.lastModifiedTime())) {
                throw changed();
            }
        }

        private TransferException changed() {
            return new TransferException(
                    Kind.CHANGED,
                    path
                            + " has changed while it was sent; send it again when nothing writes to it");
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
