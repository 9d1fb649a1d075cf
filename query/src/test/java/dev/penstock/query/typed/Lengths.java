package dev.penstock.query.typed;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The sizes that arrays, blocks and lists have in engines, and values of the lengths around them: a mistake at the end
 * of an array shows only in what is as long as it. Where an engine gets another size, its tests ask that it be one of
 * these.
 */
public final class Lengths {
    /** Sizes of arrays for a cell, in bytes, that random values go beyond. */
    public static final List<Integer> CELLS = List.of(8, 16, 48, 64, 96, 128);

    /** Sizes of arrays for a cell that only some values go beyond. */
    public static final List<Integer> WIDE_CELLS =
            List.of(256, 2048, 4096, 16 << 10, 32 << 10, 96 << 10, 192 << 10);

    /** Sizes of lists of values in a condition at which it is done in another way. */
    public static final List<Integer> LISTS = List.of(1, 8, 16, 64);

    private Lengths() {}

    /** One less than each size, the size, and one more. */
    public static List<Integer> around(List<Integer> sizes) {
        return sizes.stream()
                .flatMap(size -> Stream.of(size - 1, size, size + 1))
                .distinct()
                .toList();
    }

    /** A text of so many characters of a byte each, which differs from others of its length in the last one alone. */
    public static String text(int length, char last) {
        return length == 0 ? "" : "l".repeat(length - 1) + last;
    }

    /** Texts of the lengths around cells' sizes, of which some end beyond with a character of two bytes. */
    static List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (int length : around(CELLS)) {
            texts.add(text(length, 'a'));
        }
        for (int size : CELLS) {
            texts.add(text(size, 'b'));
            texts.add(text(size - 1, 'l') + "\u00E9");
        }
        return texts;
    }

    /** Strings of bytes of the lengths around cells' sizes. */
    static List<byte[]> bytes() {
        List<byte[]> all = new ArrayList<>();
        for (int length : around(CELLS)) {
            byte[] bytes = new byte[length];
            Arrays.fill(bytes, (byte) 0xFE);
            all.add(bytes);
        }
        return all;
    }

    /** A number of so many digits, of which {@code scale} are after the point. */
    public static BigDecimal number(int digits, int scale, Random random) {
        StringBuilder text = new StringBuilder();
        text.append((char) ('1' + random.nextInt(9)));
        IntStream.range(1, digits).forEach(_ -> text.append((char) ('0' + random.nextInt(10))));
        BigInteger unscaled = new BigInteger(text.toString());
        return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
    }
}
