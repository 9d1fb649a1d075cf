package dev.penstock.http.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.HttpException;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ByteRangeTest {
    /** A file of so few bytes that ranges often overlap. */
    private static final int SIZE = 40;

    @Test
    void ranges_ofAnyKind_areTheBytesAskedFor_eachOnce() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StringJoiner header =
                    new StringJoiner(random.nextBoolean() ? "," : " , ", "bytes=", "");
            BitSet asked = new BitSet();
            int count = 1 + random.nextInt(6);
            int firstByte = -1;
            for (int i = 0; i < count; i++) {
                int first = random.nextInt(SIZE + 10);
                int last = first + random.nextInt(SIZE);
                switch (random.nextInt(3)) {
                    case 0 -> header.add(first + "-" + last);
                    case 1 -> {
                        header.add(first + "-");
                        last = SIZE - 1;
                    }
                    default -> {
                        header.add("-" + (last + 1 - first));
                        first = Math.max(0, SIZE - (last + 1 - first));
                        last = SIZE - 1;
                    }
                }
                if (first < SIZE) {
                    asked.set(first, Math.min(SIZE, last + 1));
                    firstByte = firstByte < 0 ? first : firstByte;
                }
            }
            check(header.toString(), asked, firstByte);
        }
    }

    private static void check(String header, BitSet asked, int firstByte) {
        if (asked.isEmpty()) {
            assertThatThrownBy(() -> ByteRange.parse(header, SIZE))
                    .isInstanceOfSatisfying(
                            HttpException.class, e -> assertThat(e.status()).isEqualTo(416));
            return;
        }
        List<ByteRange> ranges = ByteRange.parse(header, SIZE).orElseThrow();
        BitSet answered = new BitSet();
        for (ByteRange range : ranges) {
            int first = (int) range.first();
            int end = (int) (range.first() + range.length());
            assertThat(answered.get(first, end).isEmpty()).as(header).isTrue();
            // Nor do any touch.
            assertThat(first > 0 && answered.get(first - 1)).as(header).isFalse();
            assertThat(answered.get(end)).as(header).isFalse();
            answered.set(first, end);
        }
        assertThat(answered).as(header).isEqualTo(asked);
        ByteRange start = ranges.getFirst();
        assertThat((long) firstByte)
                .as(header)
                .isBetween(start.first(), start.first() + start.length() - 1);
    }

    private static String header(int ranges) {
        return IntStream.range(0, ranges)
                .mapToObj(i -> 2 * i + "-" + 2 * i)
                .collect(Collectors.joining(",", "bytes=", ""));
    }

    @Test
    void ranges_tooMany_areIgnored() {
        assertThat(ByteRange.parse(header(200), 1000).orElseThrow()).hasSize(200);
        assertThat(ByteRange.parse(header(201), 1000)).isEmpty();
        assertThat(ByteRange.parse(header(5000), 100_000)).isEmpty();
        assertThat(ByteRange.parse("bytes=" + "0-,".repeat(5000), 1000)).isEmpty();
        assertThat(ByteRange.parse("bytes=" + ",".repeat(5000), 1000)).isEmpty();
        // As many as may be, all of the same bytes.
        assertThat(ByteRange.parse("bytes=" + "0-,".repeat(199) + "-5", 1000).orElseThrow())
                .containsExactly(new ByteRange(0, 1000));
    }

    @Test
    void file_thatIsEmpty_hasNoParts() {
        assertThat(ByteRange.parse("bytes=0-", 0)).isEmpty();
        assertThat(ByteRange.parse("bytes=-5", 0)).isEmpty();
    }
}
