package dev.penstock.bench.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Holds as much as it is told to. */
    static final class Hoarder {
        private static final List<byte[]> HELD = new ArrayList<>();

        private Hoarder() {}

        public static void main(String[] arguments) throws IOException {
            Orders orders =
                    new Orders()
                            .on(
                                    "hold",
                                    order -> {
                                        HELD.add(new byte[(int) order.whole("bytes")]);
                                        return new Answer(Map.of());
                                    })
                            .on(
                                    "hang",
                                    order -> {
                                        Thread.sleep(Duration.ofHours(1));
                                        return new Answer(Map.of());
                                    });
            new HeapWatch().answerTo(orders);
            orders.serve(new Answer(Map.of("argument", arguments[0])));
        }
    }

    @TempDir Path directory;

    private Child start() throws IOException {
        return Child.start(
                "hoarder", Hoarder.class, "64m", List.of("x y"), directory.resolve("log"));
    }

    @Test
    void watch_heapThatGrows_findsItsLargestLiveSet() throws IOException {
        try (Child child = start()) {
            assertThat(child.ready().text("argument")).isEqualTo("x y");
            long idle = child.ask("idle", PATIENCE).whole("bytes");
            child.ask("watch", new Answer(Map.of("collectEvery", "20")), PATIENCE);
            child.ask("hold", new Answer(Map.of("bytes", "20000000")), PATIENCE);
            // Collects twice itself, so that there is something to see.
            child.ask("idle", PATIENCE);
            Answer heap = child.ask("heap", PATIENCE);

            assertThat(heap.whole("largestAfterFull") - idle).isBetween(19_900_000L, 22_000_000L);
            assertThat(heap.whole("collections")).isPositive();
            assertThat(HeapWatch.points(heap.text("series"))).isNotEmpty();
            assertThat(child.peakResidentBytes()).isGreaterThan(20_000_000);
        }
    }

    @Test
    void ask_moreThanTheHeap_failsAndSaysWhy() throws IOException {
        try (Child child = start()) {
            Answer tooMuch = new Answer(Map.of("bytes", "200000000"));

            assertThatThrownBy(() -> child.ask("hold", tooMuch, PATIENCE))
                    .isInstanceOf(Child.Failed.class)
                    .hasMessageContaining("OutOfMemoryError")
                    .hasMessageContaining("log");
        }
    }

    @Test
    void close_childThatHangs_endsIt() throws IOException {
        Child child = start();
        try (child) {
            assertThatThrownBy(() -> child.ask("hang", Duration.ofMillis(50)))
                    .hasMessageContaining("did not answer within PT0.05S");
        }
        assertThat(child.alive()).isFalse();
    }
}
