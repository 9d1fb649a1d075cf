package dev.penstock.transfer.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PeekableInputStreamTest {
    private static final int PEEK = 300;

    static int[] lengths() {
        return Pieces.LENGTHS;
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void bytes_lookedAtAndRead_areThoseOfTheStream(int length) throws IOException {
        byte[] bytes = Pieces.bytes(length);
        for (long seed = 0; seed < 10; seed++) {
            Random random = new Random(seed);
            PeekableInputStream in = new PeekableInputStream(new Pieces.Stream(bytes, seed), PEEK);
            int at = 0;
            byte[] buffer = new byte[1000];
            while (at < length) {
                int look = random.nextInt(PEEK + 1);
                assertThat(in.peek(look))
                        .isEqualTo(Arrays.copyOfRange(bytes, at, Math.min(length, at + look)));
                if (random.nextInt(4) == 0) {
                    assertThat(in.read()).isEqualTo(bytes[at++] & 0xff);
                } else if (random.nextInt(200) == 0) {
                    ByteArrayOutputStream rest = new ByteArrayOutputStream();
                    assertThat(in.transferTo(rest)).isEqualTo(length - at);
                    assertThat(rest.toByteArray()).isEqualTo(Arrays.copyOfRange(bytes, at, length));
                    at = length;
                } else {
                    int count = in.read(buffer, 0, 1 + random.nextInt(buffer.length));
                    assertThat(Arrays.equals(buffer, 0, count, bytes, at, at + count)).isTrue();
                    at += count;
                }
            }
            assertThat(in.peek(PEEK)).isEmpty();
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void looking_beyondTheBound_isAnErrorThatNamesIt() {
        PeekableInputStream in = new PeekableInputStream(new Pieces.Stream(new byte[9], 1), 4);
        assertThatThrownBy(() -> in.peek(5)).hasMessageContaining("0 to 4 bytes");
        assertThatThrownBy(() -> in.peek(-1)).hasMessageContaining("not -1");
        assertThatThrownBy(() -> new PeekableInputStream(in, 0)).hasMessageContaining("not 0");
    }

    @Test
    void close_closesTheStreamBelow() throws IOException {
        Pieces.Stream source = new Pieces.Stream(new byte[9], 1);
        new PeekableInputStream(source, 4).close();
        assertThat(source.closed).isEqualTo(1);
    }
}
