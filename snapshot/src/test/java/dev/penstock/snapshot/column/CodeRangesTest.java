package dev.penstock.snapshot.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets of codes as ranges, against sets of bits. */
class CodeRangesTest {
    /** The width of the places that ranges are drawn from: around both ends of a long and around 0. */
    private static final int SPAN = 600;

    private static CodeRanges random(Random random, long base, BitSet bits) {
        List<CodeRange> ranges = new ArrayList<>();
        for (int i = random.nextInt(3) == 0 ? 1 : random.nextInt(30); i > 0; i--) {
            int from = random.nextInt(SPAN);
            int to = Math.min(SPAN - 1, from + random.nextInt(random.nextBoolean() ? 3 : 60));
            ranges.add(CodeRange.of(base + from, base + to));
            bits.set(from, to + 1);
        }
        return CodeRanges.union(ranges);
    }

    private static CodeRanges of(BitSet bits, long base) {
        return CodeRanges.of(bits.stream().mapToLong(bit -> base + bit).toArray());
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -300, 5, Long.MAX_VALUE - SPAN + 1})
    void operation_onSetsAtRandom_isThatOfBits(long base) {
        Random random = new Random(base);
        CodeRange all = new CodeRange(base, base + SPAN - 1);
        for (int i = 0; i < 2_000; i++) {
            BitSet a = new BitSet();
            BitSet b = new BitSet();
            CodeRanges one = random(random, base, a);
            CodeRanges other = random(random, base, b);
            assertThat(one).isEqualTo(of(a, base)).hasSameHashCodeAs(of(a, base));
            for (int bit = 0; bit < SPAN; bit++) {
                assertThat(one.contains(base + bit)).as("%s %d", one, bit).isEqualTo(a.get(bit));
            }
            List<CodeRange> both = new ArrayList<>(one.list());
            both.addAll(other.list());
            BitSet expected = (BitSet) a.clone();
            expected.or(b);
            assertThat(CodeRanges.union(both)).isEqualTo(of(expected, base));
            expected = (BitSet) a.clone();
            expected.and(b);
            assertThat(one.intersect(other)).isEqualTo(of(expected, base));
            expected = (BitSet) a.clone();
            expected.flip(0, SPAN);
            assertThat(one.complement(all)).isEqualTo(of(expected, base));
            assertThat(one.containsAll(all)).isEqualTo(a.cardinality() == SPAN);
            assertThat(one.isEmpty()).isEqualTo(a.isEmpty());
            assertThat(one.codes()).isEqualTo(a.cardinality());
            long[] words = a.toLongArray();
            int count = CodeRanges.count(words);
            assertThat(CodeRanges.ofBits(base, words, count)).isEqualTo(one);
            assertThat(count).isEqualTo(one.size());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1000, 1L << 50})
    void contains_ofCodesFarApart_isTrueOfTheseAlone(long distance) {
        long[] codes = new long[40];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = (i - 20L) * 3 * distance;
        }
        CodeRanges ranges = CodeRanges.of(codes);
        for (long code : codes) {
            assertThat(ranges.contains(code)).isTrue();
            assertThat(ranges.contains(code + 1)).isFalse();
            assertThat(ranges.contains(code - 1)).isFalse();
        }
        assertThat(ranges.contains(Long.MIN_VALUE)).isFalse();
        assertThat(ranges.contains(Long.MAX_VALUE)).isFalse();
        assertThat(ranges.size()).isEqualTo(codes.length);
    }
}
