package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BodyReaderTest {
    /** The room of each read, in order. */
    private final List<Integer> rooms = new ArrayList<>();

    /** A request whose body comes in steps of a given size. */
    private Exchange request(byte[] body, int step, @Nullable String length) {
        ReadableByteChannel channel =
                new ReadableByteChannel() {
                    private int at;

                    @Override
                    public int read(ByteBuffer to) {
                        rooms.add(to.remaining());
                        int count = Math.min(step, Math.min(to.remaining(), body.length - at));
                        to.put(body, at, count);
                        at += count;
                        return count == 0 ? -1 : count;
                    }

                    @Override
                    public boolean isOpen() {
                        return true;
                    }

                    @Override
                    public void close() {}
                };
        return (Exchange)
                Proxy.newProxyInstance(
                        Exchange.class.getClassLoader(),
                        new Class<?>[] {Exchange.class},
                        (_, method, _) ->
                                switch (method.getName()) {
                                    case "header" -> Optional.ofNullable(length);
                                    case "requestBody" -> channel;
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    @Test
    void bytes_ofAnyLength_areAllOfThem() throws Exception {
        Random random = new Random(3);
        for (int length : new int[] {0, 1, 8191, 8192, 8193, 65_535, 65_536, 65_537, 300_000}) {
            byte[] body = new byte[length];
            random.nextBytes(body);
            for (int step : new int[] {1_000, 8_192, 100_000}) {
                String told = Integer.toString(length);
                for (int limit : new int[] {length, length + 1, Integer.MAX_VALUE}) {
                    assertThat(BodyReader.bytes(request(body, step, told), limit)).isEqualTo(body);
                    assertThat(BodyReader.bytes(request(body, step, null), limit)).isEqualTo(body);
                    assertThat(read(BodyReader.stream(request(body, step, told), limit)))
                            .isEqualTo(body);
                }
                if (length > 0) {
                    checkTooLarge(body, step, told);
                    checkTooLarge(body, step, null);
                }
            }
        }
    }

    private static byte[] read(InputStream stream) throws IOException {
        try (stream) {
            return stream.readAllBytes();
        }
    }

    private void checkTooLarge(byte[] body, int step, @Nullable String length) {
        int limit = body.length - 1;
        String message = "The body is larger than the " + limit + " bytes that are taken here";
        assertThatThrownBy(() -> BodyReader.bytes(request(body, step, length), limit))
                .hasMessage(message);
        assertThatThrownBy(() -> read(BodyReader.stream(request(body, step, length), limit)))
                .hasMessage(message);
    }

    @Test
    void bytes_announcedAndNotSent_areNotAllocated() throws Exception {
        byte[] body = new byte[100_000];
        Exchange request = request(body, 1_000, "2000000000");
        assertThat(BodyReader.bytes(request, Integer.MAX_VALUE)).hasSize(100_000);
        assertThat(rooms.getFirst()).isEqualTo(64 * 1024);
        assertThat(rooms).allMatch(room -> room <= 64 * 1024);
    }

    @Test
    void bytes_announcedTooMany_areNotAskedFor() {
        assertThatThrownBy(() -> BodyReader.bytes(request(new byte[0], 1, "11"), 10))
                .isInstanceOf(HttpException.class);
        assertThatThrownBy(() -> BodyReader.stream(request(new byte[0], 1, "11"), 10))
                .isInstanceOf(HttpException.class);
        assertThat(rooms).isEmpty();
    }

    @Test
    void stream_readBeyondItsLimit_failsEachTime() throws Exception {
        InputStream stream = BodyReader.stream(request(new byte[20], 20, null), 10);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Channels.newChannel(stream).read(ByteBuffer.allocate(20)))
                    .isInstanceOf(HttpException.class);
        }
    }
}
