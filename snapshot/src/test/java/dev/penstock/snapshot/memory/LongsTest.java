package dev.penstock.snapshot.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that numbers are read as they were written, whichever rows are read together. */
class LongsTest {
    private static final int SIZE = 2000;

    /** The greatest of numbers of 0, 1, 2, 4 and 8 bytes, and both sides of where another width begins. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                255,
                256,
                65_535,
                65_536,
                4_294_967_295L,
                4_294_967_296L,
                Long.MAX_VALUE
            })
    void rows_inAnyOrder_areReadAsOneByOne(long greatest) {
        Random random = new Random(greatest);
        for (long least : new long[] {0, -7, Long.MIN_VALUE / 2}) {
            long most = greatest > Long.MAX_VALUE / 2 ? greatest / 2 : greatest;
            Longs aligned = Longs.allocate(Arena.ofAuto(), SIZE, least, least + most);
            // A part of a file may begin anywhere.
            Longs longs =
                    new Longs(
                            Arena.ofAuto().allocate(aligned.bytes() + 1).asSlice(1),
                            aligned.width(),
                            least,
                            SIZE);
            long[] expected = new long[SIZE];
            for (int i = 0; i < SIZE; i++) {
                expected[i] =
                        switch (i % 3) {
                            case 0 -> least;
                            case 1 -> least + most;
                            default -> least + (most == 0 ? 0 : random.nextLong(most));
                        };
                longs.set(i, expected[i]);
            }
            for (int count : new int[] {1, 2, 15, 16, 17, 64, 512, SIZE}) {
                int first = count == SIZE ? 0 : random.nextInt(SIZE - count - 1);
                int[] run = IntStream.range(first, first + count).toArray();
                requireRead(longs, expected, run);
                long[] read = new long[count + 1];
                longs.readRun(first, count, read);
                for (int i = 0; i < count; i++) {
                    assertThat(read[i]).isEqualTo(expected[first + i]);
                }
                assertThat(read[count]).isZero();
                requireRead(longs, expected, random.ints(count, 0, SIZE).toArray());
            }
        }
    }

    private static void requireRead(Longs longs, long[] expected, int[] rows) {
        long[] read = new long[rows.length + 1];
        longs.read(rows, rows.length, read);

        for (int i = 0; i < rows.length; i++) {
            assertThat(read[i]).as("row %d of %s", rows[i], longs).isEqualTo(expected[rows[i]]);
        }
        assertThat(read[rows.length]).isZero();
    }
}
