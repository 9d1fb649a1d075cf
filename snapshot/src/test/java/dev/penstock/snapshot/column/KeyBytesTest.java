package dev.penstock.snapshot.column;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.ColumnType;
import dev.penstock.snapshot.memory.Buffers;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keys of any length are what was written, come back as the same text, and are in the order of the values. */
class KeyBytesTest {
    /** Lengths on both sides of each size that the array has had. */
    private static List<Integer> lengths() {
        return Stream.of(1, 2, 3, 4, 6, 8, 9)
                .map(times -> times * Buffers.FIRST)
                .flatMap(size -> Stream.of(size - 1, size, size + 1))
                .toList();
    }

    @Test
    void add_inPiecesOfAnyLength_keepsAll() {
        Random random = new Random(1);
        for (int round = 0; round < 2_000; round++) {
            KeyBytes bytes = new KeyBytes();
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            int pieces = random.nextInt(200);
            for (int i = 0; i < pieces; i++) {
                add(bytes, expected, random);
            }
            assertThat(bytes.toArray()).isEqualTo(expected.toByteArray());
        }
    }

    private static void add(KeyBytes bytes, ByteArrayOutputStream expected, Random random) {
        switch (random.nextInt(3)) {
            case 0 -> {
                int one = random.nextInt(256);
                bytes.add(one);
                expected.write(one);
            }
            case 1 -> {
                byte[] some = new byte[random.nextInt(random.nextInt(10) == 0 ? 300 : 5)];
                random.nextBytes(some);
                bytes.add(some, 0, some.length);
                expected.writeBytes(some);
            }
            default -> {
                long number = random.nextLong();
                int width = 1 + random.nextInt(Long.BYTES);
                bytes.number(number, width);
                byte[] all = BigInteger.valueOf(number).toByteArray();
                byte[] wide = new byte[Long.BYTES];
                Arrays.fill(wide, (byte) (number < 0 ? -1 : 0));
                System.arraycopy(all, 0, wide, Long.BYTES - all.length, all.length);
                wide[Long.BYTES - width] ^= (byte) 0x80;
                expected.write(wide, Long.BYTES - width, width);
            }
        }
    }

    @Test
    void encode_ofTextsAndBytesAroundEverySize_comesBack() {
        Random random = new Random(2);
        for (int length : lengths()) {
            byte[] text = "x".repeat(length).getBytes(UTF_8);
            requireSame(ColumnType.TEXT, text);
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            requireSame(ColumnType.BINARY, Base64.getEncoder().encode(bytes));
            requireSame(ColumnType.DATE, ("no date " + "x".repeat(length)).getBytes(UTF_8));
        }
    }

    @Test
    void encode_ofDecimalsAroundEverySize_comesBackAndIsInOrder() {
        Random random = new Random(3);
        for (int length : lengths()) {
            BigInteger digits = new BigInteger("7".repeat(length)).add(new BigInteger(60, random));
            for (int scale : new int[] {0, 1, 30, length - 1, length, length + 1}) {
                for (BigInteger unscaled : List.of(digits, digits.negate())) {
                    BigDecimal number = new BigDecimal(unscaled, scale);
                    requireSame(ColumnType.DECIMAL, number.toPlainString().getBytes(UTF_8));
                    BigDecimal next = number.add(BigDecimal.ONE.movePointLeft(scale + 1));
                    assertThat(Arrays.compareUnsigned(key(number), key(next))).isNegative();
                    assertThat(key(number)).startsWith(prefix(number));
                }
            }
        }
    }

    private static void requireSame(ColumnType type, byte[] text) {
        KeyBytes key = new KeyBytes();
        KeyBytes back = new KeyBytes();
        KeyCodec keys = new KeyCodec();
        keys.encode(type, text, 0, text.length, key);
        int length = keys.decode(type, key.array(), key.length(), back);
        assertThat(new String(back.array(), 0, length, UTF_8)).isEqualTo(new String(text, UTF_8));
    }

    private static byte[] key(BigDecimal number) {
        KeyBytes key = new KeyBytes();
        byte[] text = number.toPlainString().getBytes(UTF_8);
        new KeyCodec().encode(ColumnType.DECIMAL, text, 0, text.length, key);
        return key.toArray();
    }

    private static byte[] prefix(BigDecimal number) {
        KeyBytes key = new KeyBytes();
        new KeyCodec().encode(ColumnType.DECIMAL, number, key);
        return key.toArray();
    }
}
