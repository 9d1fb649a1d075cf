package dev.penstock.http.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequestHeadersTest {
    /** Those around which a length takes one byte more. */
    private static final List<Integer> LENGTHS =
            List.of(0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152);

    @Test
    void fields_ofAnyLength_areFoundByTheirNames() {
        for (int length : LENGTHS) {
            String text = "t".repeat(length);
            for (int expected : List.of(0, length + 9, 2 * length + 100)) {
                RequestHeaders.Packer packer = new RequestHeaders.Packer(expected);
                packer.add("a", text);
                packer.add(text + "n", "1");
                packer.add("A", "");
                packer.add(
                        Unpooled.wrappedBuffer((text + "N2").getBytes(ISO_8859_1)),
                        0,
                        length + 1,
                        length + 1,
                        1);
                packer.add("b", "3");
                RequestHeaders fields = packer.pack();
                assertThat(fields.all("a")).containsExactly(text, "");
                assertThat(fields.all(text + "N")).containsExactly("1", "2");
                assertThat(fields.all("B")).containsExactly("3");
                assertThat(fields.all(text + "m")).isEmpty();
            }
        }
    }

    @Test
    void names_areTheSameInAnyCaseOfAsciiAlone() {
        RequestHeaders.Packer packer = new RequestHeaders.Packer(0);
        ByteBuf line = Unpooled.wrappedBuffer("kI@[\u00e9\u00ff".getBytes(ISO_8859_1));
        packer.add(line, 0, 4, 4, 2);
        packer.add("\u00e9", "\u0141");
        RequestHeaders fields = packer.pack();
        assertThat(fields.all("Ki@[")).containsExactly("\u00e9\u00ff");
        assertThat(fields.all("\u00e9")).containsExactly("?");
        for (String other :
                List.of("\u212ai@[", "k\u0131@[", "ki`[", "ki@{", "\u016bI@[", "\u00c9", "")) {
            assertThat(fields.all(other)).as(other).isEmpty();
        }
    }
}
