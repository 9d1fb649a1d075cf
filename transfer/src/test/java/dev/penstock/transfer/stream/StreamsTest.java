package dev.penstock.transfer.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transfer.TransferException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class StreamsTest {
    static int[] lengths() {
        return Pieces.LENGTHS;
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void joinedStreams_ofAnyLength_areWhatASequenceInputStreamIs(int length) throws IOException {
        byte[] bytes = Pieces.bytes(length);
        byte[] mark = {1, 2, 3};
        for (long seed = 0; seed < 5; seed++) {
            byte[] expected =
                    new SequenceInputStream(
                                    new ByteArrayInputStream(bytes), new ByteArrayInputStream(mark))
                            .readAllBytes();
            InputStream appended = Streams.append(new Pieces.Stream(bytes, seed), mark);
            assertThat(Pieces.readAll(appended, seed)).isEqualTo(expected);
            InputStream prefixed = Streams.prefix(bytes, new Pieces.Stream(mark, seed));
            assertThat(Pieces.readAll(prefixed, seed)).isEqualTo(expected);
            ReadableByteChannel channel =
                    Streams.prefix(ByteBuffer.wrap(bytes), Pieces.channel(mark, seed));
            assertThat(Pieces.readAll(channel, seed)).isEqualTo(expected);
        }
    }

    @Test
    void joinedStreams_closed_closeAllParts() throws IOException {
        Pieces.Stream first = new Pieces.Stream(new byte[10], 1);
        Pieces.Stream second = new Pieces.Stream(new byte[10], 2);
        Pieces.Stream third = new Pieces.Stream(new byte[10], 3);
        InputStream joined = Streams.join(first, second, third);
        assertThat(joined.readNBytes(15)).hasSize(15);
        assertThat(first.closed).isPositive();
        joined.close();
        assertThat(second.closed).isPositive();
        assertThat(third.closed).isPositive();
        assertThat(Streams.join().read()).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void tools_stacked_passTheSameBytesOn(int length) throws Exception {
        byte[] bytes = Pieces.bytes(length);
        byte[] expected = MessageDigest.getInstance("SHA-256").digest(bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        for (long seed = 0; seed < 3; seed++) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            CRC32C checksum = new CRC32C();
            ByteArrayOutputStream copy = new ByteArrayOutputStream();
            InputStream in = Streams.digest(new Pieces.Stream(bytes, seed), digest);
            in = Streams.limit(Streams.checksum(in, checksum), length);
            assertThat(Pieces.readAll(Streams.tee(in, copy), seed)).isEqualTo(bytes);
            assertThat(copy.toByteArray()).isEqualTo(bytes);
            assertThat(digest.digest()).isEqualTo(expected);
            assertThat(checksum.getValue()).isEqualTo(crc.getValue());

            checksum.reset();
            copy.reset();
            ReadableByteChannel channel = Streams.digest(Pieces.channel(bytes, seed), digest);
            channel = Streams.limit(Streams.checksum(channel, checksum), length);
            channel = Streams.tee(channel, Channels.newChannel(copy));
            assertThat(Pieces.readAll(channel, seed)).isEqualTo(bytes);
            assertThat(copy.toByteArray()).isEqualTo(bytes);
            assertThat(digest.digest()).isEqualTo(expected);
            assertThat(checksum.getValue()).isEqualTo(crc.getValue());

            checksum.reset();
            copy.reset();
            ByteArrayOutputStream target = new ByteArrayOutputStream();
            OutputStream out = Streams.tee(Streams.digest(target, digest), copy);
            out = Streams.checksum(Streams.limit(out, length), checksum);
            Pieces.writeAll(bytes, out, seed);
            assertThat(target.toByteArray()).isEqualTo(bytes);
            assertThat(copy.toByteArray()).isEqualTo(bytes);
            assertThat(digest.digest()).isEqualTo(expected);
            assertThat(checksum.getValue()).isEqualTo(crc.getValue());
        }
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void stream_withOneByteTooMany_failsWithItsLimit(int length) throws IOException {
        byte[] bytes = Pieces.bytes(length + 1);
        byte[] allowed = Arrays.copyOf(bytes, length);
        for (long seed = 0; seed < 3; seed++) {
            Pieces.Stream source = new Pieces.Stream(bytes, seed);
            ByteArrayOutputStream before = new ByteArrayOutputStream();
            InputStream in = Streams.tee(Streams.limit(source, length), before);
            long thisSeed = seed;
            assertTooLarge(() -> Pieces.readAll(in, thisSeed), length);
            assertThat(isStart(before.toByteArray(), allowed)).isTrue();
            assertThat(source.taken).isLessThanOrEqualTo(length + 1);
            assertThatThrownBy(() -> Streams.limit(new Pieces.Stream(bytes, 1), -1))
                    .hasMessageContaining("not to -1");

            ReadableByteChannel channel = Streams.limit(Pieces.channel(bytes, seed), length);
            assertTooLarge(() -> Pieces.readAll(channel, thisSeed), length);

            ByteArrayOutputStream target = new ByteArrayOutputStream();
            OutputStream out = Streams.limit(target, length);
            assertTooLarge(() -> Pieces.writeAll(bytes, out, thisSeed), length);
            assertThat(isStart(target.toByteArray(), allowed)).isTrue();
        }
    }

    private static boolean isStart(byte[] start, byte[] whole) {
        return start.length <= whole.length
                && Arrays.equals(start, Arrays.copyOf(whole, start.length));
    }

    private static void assertTooLarge(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable call, int length) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        TransferException.class,
                        e -> assertThat(e.kind()).isEqualTo(TransferException.Kind.TOO_LARGE))
                .hasMessageContaining("more than " + length + " bytes");
    }

    @Test
    void copyThatFails_failsTheRead_andIsNotClosed() throws IOException {
        ClosingNoted copy = new ClosingNoted();
        Pieces.Stream source = new Pieces.Stream(new byte[10], 1);
        InputStream in = Streams.tee(source, copy);
        assertThat(in.readAllBytes()).hasSize(10);
        in.close();
        assertThat(source.closed).isEqualTo(1);
        assertThat(copy.closed).isFalse();
        assertThat(copy.flushed).isTrue();
        copy.fails = true;
        Pieces.Stream another = new Pieces.Stream(new byte[10], 1);
        InputStream failing = Streams.tee(another, copy);
        assertThatThrownBy(failing::read).hasMessage("full");
        assertThatThrownBy(failing::close).hasMessage("full");
        assertThat(another.closed).isEqualTo(1);
    }

    /** A stream that notes what is done to it. */
    private static final class ClosingNoted extends OutputStream {
        boolean closed;
        boolean flushed;
        boolean fails;

        @Override
        public void write(int value) throws IOException {
            check();
        }

        @Override
        public void flush() throws IOException {
            check();
            flushed = true;
        }

        private void check() throws IOException {
            if (fails) {
                throw new IOException("full");
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
