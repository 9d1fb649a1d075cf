package dev.penstock.bench.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildIT {
    /** Holds as much as it is told to. */
    static final class Hoarder {
        private final List<byte[]> held = new ArrayList<>();
        private final String name;

        Hoarder(String name) {
            this.name = name;
        }

        int hold(int bytes) {
            held.add(new byte[bytes]);
            return held.size();
        }
    }

    @TempDir Path directory;

    private Child<Hoarder> start() throws IOException {
        return Child.start("hoarder", "64m", directory.resolve("log"), () -> new Hoarder("x y"));
    }

    @Test
    void watchHeap_heapThatGrows_findsItsLargestLiveSet() throws IOException {
        try (Child<Hoarder> child = start()) {
            assertThat(child.<String>call(hoarder -> hoarder.name)).isEqualTo("x y");
            long idle = child.idleHeapBytes();
            child.watchHeap(Duration.ofMillis(20));
            child.call(hoarder -> hoarder.hold(20_000_000));
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            // The collector takes its turn when it gets one.
            while (child.call(_ -> HeapWatch.THIS_JVM.most()) < idle + 19_900_000
                    && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            HeapWatch.Seen seen = child.heap();

            assertThat(seen.mostBytes() - idle).isBetween(19_900_000L, 22_000_000L);
            assertThat(seen.collections()).isPositive();
            assertThat(seen.points()).isNotEmpty();
            assertThat(child.peakResidentBytes()).isGreaterThan(20_000_000);
        }
    }

    @Test
    void call_anyText_comesBackTheSame() throws IOException {
        String text = "x y=z&%\n+\u00fc\ud83d\ude00";
        try (Child<Hoarder> child = start()) {
            assertThat(child.<String>call(_ -> text + text)).isEqualTo(text + text);
        }
    }

    @Test
    void call_moreThanTheHeap_failsAndSaysWhy() throws IOException {
        try (Child<Hoarder> child = start()) {
            assertThatThrownBy(() -> child.call(hoarder -> hoarder.hold(200_000_000)))
                    .isInstanceOf(Child.Failed.class)
                    .hasMessageContaining("OutOfMemoryError")
                    .hasMessageContaining("log");
        }
    }

    @Test
    void start_objectThatDoesNot_failsAndSaysWhy() {
        assertThatThrownBy(() ->
                        Child.<Hoarder>start(
                                "broken",
                                "64m",
                                directory.resolve("log"),
                                () -> {
                                    throw new IOException("no port is free");
                                }))
                .isInstanceOf(Child.Failed.class)
                .hasMessageContaining("broken: java.io.IOException: no port is free");
    }

    @Test
    void close_childThatHangs_endsIt() throws IOException {
        Child<Hoarder> child = start();
        try (child) {
            assertThatThrownBy(() ->
                            child.call(
                                    Duration.ofMillis(50),
                                    _ -> {
                                        TimeUnit.HOURS.sleep(1);
                                        return 0;
                                    }))
                    .hasMessageContaining("did not answer within PT0.05S");
        }
        assertThat(child.isAlive()).isFalse();
    }
}
