package dev.penstock.snapshot.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowChangesTest {
    /** Runs of rows around the lengths at which they are given in pieces. */
    @ParameterizedTest
    @ValueSource(ints = {1, 65_535, 65_536, 65_537, 131_072, 200_000})
    void each_longRuns_givesEveryRowOnce(int length) {
        // A run, a row that is changed in its place, another run, and a row that is new behind it.
        int rows = 2 * length + 1;
        BitSet kept = new BitSet();
        kept.set(0, rows);
        kept.clear(length);
        RowChanges changes = new RowChanges(rows, kept, new int[] {length, rows});

        int[] olds = new int[changes.rows()];
        Arrays.fill(olds, -2);
        changes.each(
                new RowChanges.Receiver() {
                    @Override
                    public void kept(int old, int now, int count) {
                        for (int i = 0; i < count; i++) {
                            assertThat(olds[now + i]).isEqualTo(-2);
                            olds[now + i] = old + i;
                        }
                    }

                    @Override
                    public void changed(int index, int now) {
                        olds[now] = -1 - index * 10;
                    }
                });

        assertThat(olds).hasSize(rows + 1);
        for (int row = 0; row < olds.length; row++) {
            int expected = row == length ? -1 : row == rows ? -11 : row;
            assertThat(olds[row]).isEqualTo(expected);
        }
        List<Integer> all = new ArrayList<>();
        changes.eachKept((row, count) -> {
            for (int i = 0; i < count; i++) {
                all.add(row + i);
            }
            return true;
        });
        assertThat(all).isEqualTo(kept.stream().boxed().toList());
    }
}
