package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.resume.ReplayFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A stream that is sent, and read once. */
final class StreamSource extends Source {
    /** How many bytes are kept until the server has confirmed them. */
    static final long REPLAY_BYTES = 16 << 20;

    private final Chunks chunks;
    private final OptionalLong length;
    private boolean isOpened;

    /** The bytes of a stream, read once. */
    interface Chunks {
        /** Reads up to so many bytes into a buffer of their own; nothing at the end. */
        @Nullable ByteBuffer next(int limit) throws IOException;
    }

    StreamSource(Chunks chunks, OptionalLong length) {
        this.chunks = chunks;
        this.length = length;
    }

    static Chunks reading(InputStream stream) {
        return limit -> {
            byte[] bytes = new byte[limit];
            int count = stream.read(bytes);
            return count < 0 ? null : ByteBuffer.wrap(bytes, 0, count);
        };
    }

    static Chunks taking(Iterator<ByteBuffer> chunks) {
        return new Chunks() {
            private ByteBuffer rest = ByteBuffer.allocate(0);

            @Override
            public @Nullable ByteBuffer next(int limit) {
                while (!rest.hasRemaining()) {
                    if (!chunks.hasNext()) {
                        return null;
                    }
                    rest = chunks.next().asReadOnlyBuffer();
                }
                int count = Math.min(limit, rest.remaining());
                ByteBuffer slice = rest.slice(rest.position(), count);
                rest.position(rest.position() + count);
                return slice;
            }
        };
    }

    @Override
    Content open() {
        if (isOpened) {
            throw new TransferException(
                    Kind.INVALID,
                    "A stream can be sent once; make a new source of a new stream to send it again");
        }
        isOpened = true;
        return new StreamContent(chunks, length);
    }

    @Override
    Optional<String> name() {
        return Optional.empty();
    }

    private static final class StreamContent implements Content {
        private final Chunks chunks;
        private final OptionalLong announced;
        private OptionalLong ended = OptionalLong.empty();
        private long read;
        private @Nullable ReplayFile replay;

        StreamContent(Chunks chunks, OptionalLong announced) {
            this.chunks = chunks;
            this.announced = announced;
        }

        @Override
        public OptionalLong length() {
            return announced.isPresent() ? announced : ended;
        }

        @Override
        public boolean isRepeatable() {
            return false;
        }

        @Override
        public void keep(Path directory) throws IOException {
            if (replay == null) {
                replay = new ReplayFile(directory, REPLAY_BYTES);
            }
        }

        @Override
        public long room(long position) {
            return replay == null ? Long.MAX_VALUE : replay.end() + replay.room() - position;
        }

        @Override
        public @Nullable ByteBuffer read(long position, int limit) throws IOException {
            if (position < read) {
                if (replay == null || position < replay.start()) {
                    throw new TransferException(
                            Kind.FAILED,
                            ("The server wants this stream again from byte %d, which is not kept; send it again"
                                            + " from its beginning")
                                    .formatted(position));
                }
                return replay.read(position, limit);
            }
            if (ended.isPresent()) {
                return null;
            }
            long rest = announced.orElse(Long.MAX_VALUE) - read;
            int most = (int) Math.min(Math.min(limit, rest), room(position));
            ByteBuffer bytes =
                    rest == 0 ? null : most <= 0 ? ByteBuffer.allocate(0) : chunks.next(most);
            if (bytes == null) {
                end();
                return null;
            }
            if (replay != null) {
                replay.add(bytes);
            }
            read += bytes.remaining();
            return bytes;
        }

        private void end() {
            ended = OptionalLong.of(read);
            if (announced.isPresent() && announced.getAsLong() != read) {
                throw new TransferException(
                        Kind.LENGTH_MISMATCH,
                        "A stream of %d bytes was announced, and it has %d; announce its length, or none"
                                .formatted(announced.getAsLong(), read));
            }
        }

        @Override
        public void confirmed(long position) {
            if (replay != null) {
                replay.release(position);
            }
        }

        @Override
        public Optional<String> identity() {
            return Optional.empty();
        }

        @Override
        public void checkUnchanged() {
            // It can't be known of a stream.
        }

        @Override
        public void close() throws IOException {
            if (replay != null) {
                replay.close();
            }
        }
    }
}
