package dev.penstock.transfer.client.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RangeSetTest {
    @Test
    void add_randomRanges_isAsASetOfBits() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            RangeSet ranges = new RangeSet();
            BitSet bits = new BitSet();
            for (int i = 0; i < 12; i++) {
                int from = random.nextInt(60);
                int to = from + random.nextInt(15);
                ranges.add(from, to);
                bits.set(from, to);
            }
            BitSet covered = new BitSet();
            ranges.ranges().forEach(span -> covered.set((int) span.from(), (int) span.to()));
            assertThat(covered).as("seed %d", seed).isEqualTo(bits);
            assertThat(ranges.total()).isEqualTo(bits.cardinality());
            BitSet missing = new BitSet();
            ranges.gaps(100).forEach(span -> missing.set((int) span.from(), (int) span.to()));
            bits.flip(0, 100);
            assertThat(missing).as("seed %d", seed).isEqualTo(bits);
        }
    }
}
