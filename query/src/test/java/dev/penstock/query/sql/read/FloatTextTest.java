package dev.penstock.query.sql.read;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FloatTextTest {
    private final byte[] slot = new byte[CanonicalText.SLOT];

    private String canonical(String text, boolean wide) {
        byte[] from = text.getBytes(US_ASCII);
        int length = FloatText.canonical(from, 0, from.length, slot, 0, wide);
        return new String(slot, 0, length, US_ASCII);
    }

    /** The same digits in other layouts come to what Java writes. */
    @Test
    void number_inAnyLayout_becomesJavasText() {
        Random random = new Random(42);
        for (int i = 0; i < 200_000; i++) {
            double number =
                    switch (i % 4) {
                        case 0 -> Double.longBitsToDouble(random.nextLong());
                        case 1 -> random.nextInt(100_000) / 100.0;
                        case 2 -> random.nextInt(-50, 50);
                        default -> random.nextDouble() * Math.pow(10, random.nextInt(30) - 10);
                    };
            if (Double.isFinite(number)) {
                String java = Double.toString(number);
                assertThat(canonical(java, true)).isEqualTo(java);
                assertThat(
                                canonical(
                                        java.toLowerCase(Locale.ROOT)
                                                .replace("e", "e+")
                                                .replace("e+-", "e-"),
                                        true))
                        .isEqualTo(java);
                BigDecimal plain = new BigDecimal(java);
                if (Math.abs(plain.scale()) < 15) {
                    assertThat(canonical(plain.stripTrailingZeros().toPlainString(), true))
                            .isEqualTo(java.equals("-0.0") ? "0.0" : java);
                }
            }
            float single = Float.intBitsToFloat(random.nextInt());
            if (Float.isFinite(single)) {
                assertThat(canonical(Float.toString(single), false))
                        .isEqualTo(Float.toString(single));
            }
        }
    }

    @Test
    void words_staySame() {
        assertThat(canonical("NaN", true)).isEqualTo("NaN");
        assertThat(canonical("-Infinity", true)).isEqualTo("-Infinity");
        assertThat(canonical("-0", true)).isEqualTo("-0.0");
    }
}
