package dev.penstock.snapshot.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.snapshot.aggregate.TextDictionary;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.column.TokenMatcher;
import dev.penstock.snapshot.work.QueryContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever values are chosen, a hash table finds each of them in about as many steps as values at random. */
class HashTablesTest {
    private static final Memory MEMORY = new Memory(Long.MAX_VALUE);
    private static final int VALUES = 20_000;

    /** Steps for each value, on average: one and a half at random, and a list of all of them if they all meet. */
    private static final int STEPS = 4;

    /** The multiplier of the hash that everybody knows, and what undoes it. */
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private static final long UNDONE = inverse(GOLDEN);

    /** Of an odd number, modulo 2 to the 64: each round doubles the digits that are right. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** Numbers that meet in one place, or few, under functions that are known. */
    record Chosen(String name, LongUnaryOperator value) {
        LongStream values() {
            return LongStream.range(0, VALUES).map(value);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Chosen> chosen() {
        return List.of(
                new Chosen("neighbours", i -> i),
                new Chosen("backwards", i -> -i),
                new Chosen("high bits", i -> i << 48),
                new Chosen("middle bits", i -> i << 24),
                new Chosen("reversed bits", Long::reverse),
                new Chosen("doubles", i -> Double.doubleToLongBits((double) i)),
                new Chosen("days in nanoseconds", i -> i * 86_400_000_000_000L),
                new Chosen("undone golden ratio", i -> i * UNDONE),
                new Chosen("low bits of the undone golden ratio", i -> (i << 40) * UNDONE),
                new Chosen("distant in the undone golden ratio", i -> i + (i << 20) * UNDONE));
    }

    @ParameterizedTest
    @MethodSource("chosen")
    void numbers_ofChosenLongs_areFoundInFewSteps(Chosen chosen) {
        for (int table = 0; table < 20; table++) {
            LongDictionary numbers = new LongDictionary(Long.SIZE, new HeapReservation(), () -> {});
            long different = chosen.values().distinct().count();
            chosen.values().forEach(numbers::number);
            assertThat(numbers.probes()).isLessThan(STEPS * different);
        }
    }

    /** What grows is asked as often as its keys are many, so that a cancel is heard in the middle of it. */
    @Test
    void number_ofManyKeys_asksInTheMiddleOfGrowingWhetherToGoOn() {
        int[] asked = new int[1];
        LongDictionary numbers =
                new LongDictionary(
                        Long.SIZE,
                        new HeapReservation(),
                        () -> {
                            if (++asked[0] > 15) {
                                throw new IllegalStateException("no more");
                            }
                        });

        assertThatThrownBy(
                        () -> {
                            for (long key = 0; key < 8L * LongDictionary.CHECKED_KEYS; key++) {
                                numbers.number(key);
                            }
                        })
                .hasMessage("no more");
    }

    @ParameterizedTest
    @MethodSource("chosen")
    void keys_ofChosenLongs_areFoundInFewSteps(Chosen chosen) {
        List<byte[]> keys =
                chosen.values()
                        .mapToObj(i ->
                                ByteBuffer.allocate(8)
                                        .order(ByteOrder.nativeOrder())
                                        .putLong(i)
                                        .array())
                        .toList();
        requireFewSteps(keys);
    }

    @ParameterizedTest
    @MethodSource("chosen")
    void tokens_ofChosenBytes_areFoundInFewSteps(Chosen chosen) {
        TokenMatcher tokens = new TokenMatcher();
        chosen.values()
                .distinct()
                .forEach(value -> {
                    byte[] text =
                            ByteBuffer.allocate(3 * Long.BYTES)
                                    .order(ByteOrder.LITTLE_ENDIAN)
                                    .putLong(value - Long.BYTES)
                                    .array();
                    assertThat(tokens.add(text, 0, Long.BYTES)).isPositive();
                });
        assertThat(tokens.probes()).isLessThan(STEPS * chosen.values().distinct().count());
    }

    /**
     * Pairs of words that leave the same state behind them in a hash that multiplies by a known number and shifts by
     * 29, whatever its seed is: as many keys as there are ways to take one of each pair.
     */
    private static List<byte[]> pairs() {
        List<byte[]> keys = new ArrayList<>();
        for (int choice = 0; choice < 1 << 12; choice++) {
            ByteBuffer key = ByteBuffer.allocate(12 * 16).order(ByteOrder.nativeOrder());
            for (int pair = 0; pair < 12; pair++) {
                boolean other = (choice >>> pair & 1) != 0;
                key.putLong(other ? Long.MIN_VALUE : 0);
                key.putLong(other ? Long.MIN_VALUE | 1L << 34 : 0);
            }
            keys.add(key.array());
        }
        return keys;
    }

    @Test
    void keys_whoseWordsUndoOneAnother_areFoundInFewSteps() {
        requireFewSteps(pairs());
    }

    private static void requireFewSteps(List<byte[]> keys) {
        for (int table = 0; table < 5; table++) {
            try (Memory.Scratch scratch = MEMORY.scratch()) {
                DistinctKeys numbers = new DistinctKeys(scratch);
                keys.forEach(key -> numbers.number(key, 0, key.length));
                assertThat(numbers.keys().size())
                        .isEqualTo(keys.stream().map(ByteBuffer::wrap).distinct().count());
                assertThat(numbers.probes()).isLessThan((long) STEPS * numbers.keys().size());
            }
        }
    }

    @Test
    void texts_whoseWordsUndoOneAnother_areFoundInFewSteps() {
        List<byte[]> texts = pairs();
        try (Memory.Scratch scratch = MEMORY.scratch()) {
            ByteStringsBuilder strings = new ByteStringsBuilder(scratch);
            texts.forEach(text -> strings.add(text, 0, text.length));
            Column column = new Column("c", ColumnType.BINARY, "bytea", false, 192);
            TextColumn stored =
                    new TextColumn(
                            column,
                            strings.build(MEMORY, null),
                            null,
                            Longs.allocate(MEMORY, texts.size(), 0, 0),
                            0);
            TextDictionary numbers = new TextDictionary(stored, new QueryContext());
            for (int row = 0; row < texts.size(); row++) {
                assertThat(numbers.number(row)).isEqualTo(row + 1);
            }
            assertThat(numbers.probes()).isLessThan((long) STEPS * texts.size());
        }
    }

    @Test
    void hash_ofNumbers_dependsOnEveryBit() {
        Random random = new Random(1);
        for (int function = 0; function < 50; function++) {
            SeededHash hash = SeededHash.of(random);
            BitSet high = new BitSet();
            for (int bit = 0; bit < Long.SIZE; bit++) {
                high.set((int) (hash.of(1L << bit) >>> 48));
            }
            assertThat(high.cardinality()).isGreaterThan(60);
        }
    }

    @Test
    void hash_ofBytes_isThatOfTheBytesAlone() {
        SeededHash hash = SeededHash.of(new Random(2));
        for (int length : new int[] {0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65}) {
            byte[] text = "x".repeat(length).getBytes(US_ASCII);
            byte[] within = ("ab" + "x".repeat(length) + "c").getBytes(US_ASCII);
            assertThat(hash.of(within, 2, length)).isEqualTo(hash.of(text, 0, length));
            byte[] longer = Arrays.copyOf(text, length + 1);
            assertThat(hash.of(longer, 0, longer.length)).isNotEqualTo(hash.of(text, 0, length));
        }
        assertThat(Stream.generate(SeededHash::random).limit(10).distinct()).hasSize(10);
    }
}
