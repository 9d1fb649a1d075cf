package dev.penstock.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ChunkExtensionTest {
    private static final String TOKEN = "[-!#$%&'*+.^_`|~0-9A-Za-z]+";

    /** The grammar of RFC 9112, section 7.1.1, as an expression. */
    private static final Pattern GRAMMAR =
            Pattern.compile(
                    "(?:[ \t]*;[ \t]*%1$s(?:[ \t]*=[ \t]*(?:%1$s|\"(?:[^\"\\\\]|\\\\.)*\"))?)*"
                            .formatted(TOKEN),
                    Pattern.DOTALL);

    private static final String[] PARTS = {
        ";", ";", ";", "=", "=", "a", "b1", "\"", "\"", "\\", " ", "\t", ",", "[", "\u00ff",
        "\"x\"", "\"a;b\"", "!"
    };

    @Test
    void text_byChance_isAnExtensionIfTheGrammarSaysSo() {
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        Random random = new Random(seed);
        int valid = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(9); j > 0; j--) {
                text.append(PARTS[random.nextInt(PARTS.length)]);
            }
            boolean expected = GRAMMAR.matcher(text).matches();
            valid += expected ? 1 : 0;
            byte[] bytes = ("5" + text + "\r\n").getBytes(ISO_8859_1);
            assertThat(ChunkExtension.isValid(Unpooled.wrappedBuffer(bytes), 1, bytes.length - 2))
                    .as("-Dpenstock.seed=%d <%s>", seed, text)
                    .isEqualTo(expected);
        }
        assertThat(valid).as("how many were valid").isGreaterThan(10_000);
    }
}
