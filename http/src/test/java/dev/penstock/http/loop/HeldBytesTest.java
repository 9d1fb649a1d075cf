package dev.penstock.http.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that nobody has read, the buffers that they keep alive, and those that find no memory. */
final class HeldBytesTest {
    private final ShortAllocator allocator = new ShortAllocator();
    private final HeldBytes held = new HeldBytes();

    /** A buffer of a capacity, of which some bytes are used. */
    private ByteBuf buffer(int capacity, int used) {
        ByteBuf whole = allocator.buffer(capacity, capacity);
        for (int i = 0; i < used; i++) {
            whole.writeByte('a' + i % 26);
        }
        return whole;
    }

    /** A small piece goes together with others, a part of a large buffer is copied. */
    @ParameterizedTest
    @CsvSource({"10, 10", "1023, 8192", "1024, 8192", "8191, 65536"})
    void piece_withoutMemoryForItsCopy_isReleasedAndTheOthersStay(int count, int capacity) {
        held.add(buffer(4_000, 4_000));
        ByteBuf piece = buffer(capacity, count);
        allocator.setShort(true);
        assertThatThrownBy(() -> held.add(piece)).isInstanceOf(OutOfMemoryError.class);
        assertThat(piece.refCnt()).isZero();
        assertThat(held.bytes()).isEqualTo(4_000);
        allocator.setShort(false);
        held.add(buffer(count, count));
        assertThat(text()).hasSize(4_000 + count).endsWith("" + (char) ('a' + (count - 1) % 26));
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void pieces_thatAreSmall_keepNoLargeBufferAlive() {
        ByteBuf whole = buffer(64 * 1024, 2_000);
        for (int i = 0; i < 20; i++) {
            held.add(whole.readRetainedSlice(100));
        }
        assertThat(whole.refCnt()).isEqualTo(1);
        whole.release();
        assertThat(text()).hasSize(2_000).startsWith("abc");
    }

    @Test
    void bytes_thatAreTakenInParts_comeInTheirOrder() {
        held.add(buffer(10, 10));
        held.add(buffer(3_000, 3_000));
        held.add(buffer(5, 5));
        assertThat(text(7)).isEqualTo("abcdefg");
        assertThat(text(5)).isEqualTo("hijab");
        assertThat(held.bytes()).isEqualTo(3_015 - 12);
        assertThat(text()).hasSize(3_015 - 12).endsWith("abcde");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void bytes_addedAndTakenInAnyPieces_comeOnceAndInOrder(long seed) {
        Random random = new Random(seed);
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<ByteBuf> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            byte[] part = new byte[1 + random.nextInt(random.nextBoolean() ? 100 : 20_000)];
            random.nextBytes(part);
            // Some are a small part of what was read with them.
            ByteBuf read = allocator.buffer(random.nextBoolean() ? 64 * 1024 : part.length);
            all.add(read);
            held.add(read.writeBytes(part));
            in.writeBytes(part);
            if (random.nextInt(4) == 0) {
                drain(random.nextInt(100_000), out);
            }
            assertThat(held.bytes()).isEqualTo(in.size() - out.size());
        }
        drain(Integer.MAX_VALUE, out);
        assertThat(out.toByteArray()).isEqualTo(in.toByteArray());
        assertThat(held.isEmpty()).isTrue();
        assertThat(all).allMatch(read -> read.refCnt() == 0);
    }

    private void drain(int most, ByteArrayOutputStream to) {
        for (ByteBuf each : held.take(most)) {
            byte[] part = new byte[each.readableBytes()];
            each.readBytes(part);
            to.writeBytes(part);
            each.release();
        }
    }

    private String text() {
        return text(Integer.MAX_VALUE);
    }

    private String text(int most) {
        StringBuilder text = new StringBuilder();
        for (ByteBuf part : held.take(most)) {
            text.append(part.toString(StandardCharsets.US_ASCII));
            part.release();
        }
        return text.toString();
    }
}
