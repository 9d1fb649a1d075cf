package dev.penstock.http.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading ahead in a file of which nothing is known to be in memory, whose reads are run when the test says so. */
final class ReadAheadTest {
    private static final int SEGMENT = ReadAhead.SEGMENT;

    @TempDir private Path directory;
    private final AtomicLong nanos = new AtomicLong(-5);
    private final Queue<Runnable> reads = new ArrayDeque<>();
    private final AtomicBoolean letGo = new AtomicBoolean();
    private FileChannel file;
    private ReadAhead ahead;

    @BeforeEach
    void open() throws IOException {
        Path path = Files.write(directory.resolve("file"), new byte[3 * SEGMENT]);
        file = FileChannel.open(path);
        FileSlice slice = new FileSlice(file, 0, 3L * SEGMENT, () -> letGo.set(true));
        ahead = new ReadAhead(slice, nanos::get, reads::add);
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** Has the disk take so long for the next read. */
    private void readIn(Duration time) {
        pass(time);
        reads.remove().run();
    }

    @Test
    void bytes_thatWereRead_areReady() throws Exception {
        assertThat(ahead.ready(0)).isZero();
        CompletableFuture<?> read = ahead.read(0);
        assertThat(ahead.ready(0)).isZero();
        assertThat(read).isNotDone();
        readIn(Duration.ofMillis(10));
        assertThat(read).isDone();
        // Who waited for them takes them, however late.
        pass(Duration.ofSeconds(5));
        assertThat(ahead.ready(0)).isEqualTo(SEGMENT);
        assertThat(ahead.ready(100)).isEqualTo(SEGMENT - 100);
    }

    @Test
    void bytesBehindSlowOnes_askedForSoon_areReady() throws Exception {
        readTheFirstTwo();
        pass(Duration.ofMillis(900));
        assertThat(ahead.ready(SEGMENT)).isEqualTo(SEGMENT);
        assertThat(reads).isEmpty();
    }

    @Test
    void bytesBehindSlowOnes_askedForLate_areReadAgain() throws Exception {
        readTheFirstTwo();
        pass(Duration.ofSeconds(2));
        assertThat(ahead.ready(SEGMENT)).isZero();
        CompletableFuture<?> again = ahead.read(SEGMENT);
        assertThat(again).isNotDone();
        assertThat(ahead.ready(SEGMENT)).isZero();
        readIn(Duration.ofNanos(1));
        assertThat(again).isDone();
        assertThat(ahead.ready(SEGMENT)).isEqualTo(SEGMENT);
    }

    /** The first bytes are asked for and taken; those behind them are read since the disk was slow. */
    private void readTheFirstTwo() throws IOException {
        var _ = ahead.read(0);
        readIn(Duration.ofMillis(10));
        assertThat(ahead.ready(0)).isEqualTo(SEGMENT);
        readIn(Duration.ofNanos(1));
    }

    @Test
    void bytesBehindFastOnes_areNotRead() throws Exception {
        var _ = ahead.read(0);
        readIn(Duration.ofNanos(1));
        assertThat(ahead.ready(0)).isEqualTo(SEGMENT);
        assertThat(reads).isEmpty();
    }

    @Test
    void file_closedWhileItIsRead_isLetGoAfterwards() {
        var _ = ahead.read(0);
        ahead.close();
        assertThat(letGo).isFalse();
        readIn(Duration.ofMillis(1));
        assertThat(letGo).isTrue();
    }
}
