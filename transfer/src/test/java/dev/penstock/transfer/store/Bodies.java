package dev.penstock.transfer.store;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.digest.DigestAlgorithm;
import dev.penstock.transfer.digest.ExpectedDigest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** Bodies and uploads for tests. The byte at each offset of an upload follows from the offset alone. */
final class Bodies {
    private Bodies() {}

    static byte at(long offset) {
        return (byte) (offset * 31 + (offset >>> 8) * 17 + (offset >>> 16));
    }

    static byte[] bytes(long from, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(from + i);
        }
        return bytes;
    }

    /** The bytes of an upload from an offset on, in pieces. */
    static ReadableByteChannel body(long from, long length, int piece) {
        return new Body(from, length, piece, null);
    }

    /** The same, and then the connection breaks. */
    static ReadableByteChannel broken(long from, long length, int piece) {
        return new Body(from, length, piece, () -> new IOException("The connection was reset"));
    }

    private interface End {
        IOException failure();
    }

    private static final class Body implements ReadableByteChannel {
        private final long end;
        private final int piece;
        private final @Nullable End failure;
        private long at;

        Body(long from, long length, int piece, @Nullable End failure) {
            at = from;
            end = from + length;
            this.piece = piece;
            this.failure = failure;
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            if (at == end) {
                if (failure != null) {
                    throw failure.failure();
                }
                return -1;
            }
            int count = (int) Math.min(Math.min(piece, to.remaining()), end - at);
            to.put(bytes(at, count));
            at += count;
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    /** Bytes, and then nothing more until it is let go on, or its reader is interrupted. */
    static final class Stalled implements ReadableByteChannel {
        final CountDownLatch stalls = new CountDownLatch(1);
        final CountDownLatch goesOn = new CountDownLatch(1);
        private final ReadableByteChannel first;
        private final ReadableByteChannel then;

        Stalled(ReadableByteChannel first, ReadableByteChannel then) {
            this.first = first;
            this.then = then;
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            int count = first.read(to);
            if (count >= 0) {
                return count;
            }
            stalls.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IOException("Interrupted", e);
            }
            return then.read(to);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    /** Bytes, in the middle of which something happens. */
    static final class Watched implements ReadableByteChannel {
        private final ReadableByteChannel body;
        private final CrashDisk.Step step;
        private long left;

        Watched(ReadableByteChannel body, long after, CrashDisk.Step step) {
            this.body = body;
            left = after;
            this.step = step;
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            if (left == 0) {
                step.run();
            }
            int count = body.read(to);
            left -= count;
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    static Append append(ReadableByteChannel body) {
        return new Append(body, OptionalLong.empty(), false, Optional.empty(), _ -> {});
    }

    static Append append(ReadableByteChannel body, long length) {
        return new Append(body, OptionalLong.of(length), false, Optional.empty(), _ -> {});
    }

    static Append last(ReadableByteChannel body) {
        return new Append(body, OptionalLong.empty(), true, Optional.empty(), _ -> {});
    }

    static Append verified(ReadableByteChannel body, DigestAlgorithm algorithm, byte[] digest) {
        return new Append(
                body,
                OptionalLong.empty(),
                false,
                Optional.of(new ExpectedDigest(algorithm, () -> digest)),
                _ -> {});
    }

    static NewUpload upload(long length, String name) {
        return new NewUpload(
                "", OptionalLong.of(length), Optional.of(name), Optional.empty(), Map.of(), false);
    }

    static NewUpload deferred(String name) {
        return new NewUpload(
                "", OptionalLong.empty(), Optional.of(name), Optional.empty(), Map.of(), false);
    }

    static NewUpload partial(long length) {
        return new NewUpload(
                "", OptionalLong.of(length), Optional.empty(), Optional.empty(), Map.of(), true);
    }

    static Kind kindOf(ThrowingCallable call) {
        return failure(call).kind();
    }

    static TransferException failure(ThrowingCallable call) {
        return catchThrowableOfType(TransferException.class, call);
    }
}
