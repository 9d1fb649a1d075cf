package dev.penstock.query.typed.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.query.QueryException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The values of a stream that a condition keeps, and their bounds. */
class ReadValuesTest {
    @Test
    void add_sameBytesInOtherArrays_isOneValue() {
        ReadValues read = new ReadValues("Thing (table thing)");
        for (int i = 0; i < 10; i++) {
            read.add(new byte[] {1, (byte) (i % 2)});
        }
        read.add(null);
        assertThat(read.values()).containsExactlyInAnyOrder(new byte[] {1, 0}, new byte[] {1, 1});
    }

    @Test
    void add_arraysOfTheSameBytesWithoutEnd_isWithinTheBounds() {
        ReadValues read = new ReadValues("Thing (table thing)", 1000);
        IntStream.range(0, ReadValues.MOST_VALUES + 1).forEach(_ -> read.add(new byte[] {7}));
        assertThat(read.values()).hasSize(1);
    }

    @Test
    void add_moreBytesThanAreKept_failsWithTheRemedy() {
        ReadValues read = new ReadValues("Thing (table thing)", 1000);
        read.add("a".repeat(300));
        read.add("a".repeat(300));
        assertThatThrownBy(() -> read.add("b".repeat(200)))
                .isInstanceOfSatisfying(
                        QueryException.class,
                        e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.MEMORY_LIMIT))
                .hasMessage(
                        "reading the values of a stream of Thing (table thing) for in(…) failed: they take more than"
                                + " 1,000 bytes, a quarter of the heap. Filter them, or ask both streams of one engine"
                                + " without code in the inner one, so that one query does both (explain tells)");
    }
}
