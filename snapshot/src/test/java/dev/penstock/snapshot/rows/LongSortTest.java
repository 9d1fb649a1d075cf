package dev.penstock.snapshot.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sort in pieces. */
class LongSortTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, LongSort.PIECE, LongSort.PIECE + 1, 5 * LongSort.PIECE - 3})
    void sort_ofAnyLength_givesTheOrderOfTheJdk(int length) {
        long[] numbers = new Random(length).longs(length).toArray();
        long[] expected = numbers.clone();
        Arrays.sort(expected);
        LongSort.sort(numbers, () -> {});
        assertThat(numbers).isEqualTo(expected);
    }

    @Test
    void sort_thatIsToStop_stopsBetweenTwoPieces() {
        long[] numbers = new long[3 * LongSort.PIECE];
        int[] asked = {0};
        assertThatThrownBy(() ->
                        LongSort.sort(
                                numbers,
                                () -> {
                                    if (++asked[0] == 5) {
                                        throw new IllegalStateException("stopped");
                                    }
                                }))
                .hasMessage("stopped");
    }
}
