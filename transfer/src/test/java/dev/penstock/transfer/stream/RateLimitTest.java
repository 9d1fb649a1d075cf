package dev.penstock.transfer.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RateLimitTest {
    /** A clock on which sleeping takes no time. */
    private static final class FakeTicker implements RateLimit.Ticker {
        long now = Long.MAX_VALUE - 1_000_000_000L; // It overflows soon, as nanoTime may.
        long slept;
        boolean interrupts;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            assertThat(nanos).isPositive();
            if (interrupts) {
                throw new InterruptedException();
            }
            slept += nanos;
            now += nanos;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 1000, 16_384, 1_000_003, 1L << 40})
    void bytes_inAnyStretchOfTime_areWithinTheRate(long rate) throws IOException {
        FakeTicker ticker = new FakeTicker();
        RateLimit limit = new RateLimit(rate, ticker);
        Random random = new Random(rate);
        int length = (int) Math.min(1_000_000, rate * 20);
        byte[] bytes = Pieces.bytes(length);
        long start = ticker.now;
        InputStream in = Streams.throttle(new Pieces.Stream(bytes, rate), limit);
        byte[] buffer = new byte[70_000];
        long passed = 0;
        for (int count = 0; count >= 0; count = in.read(buffer, 0, 1 + random.nextInt(69_999))) {
            passed += count;
            double seconds = (ticker.now - start) / 1e9;
            assertThat((double) passed).isLessThanOrEqualTo(rate * (seconds + 0.1) + 1);
        }
        assertThat(passed).isEqualTo(length);
        // It is not slower than it must be; also who finds the end waits.
        double last = Math.max(1, rate / 10) / (double) rate;
        assertThat(ticker.slept / 1e9).isLessThanOrEqualTo((double) length / rate + last + 0.01);
    }

    @Test
    void streams_thatShareARate_haveItTogether() throws IOException {
        FakeTicker ticker = new FakeTicker();
        RateLimit limit = new RateLimit(1000, ticker);
        OutputStream a = Streams.throttle(new ByteArrayOutputStream(), limit);
        OutputStream b = Streams.throttle(new ByteArrayOutputStream(), limit);
        for (int i = 0; i < 10; i++) {
            a.write(new byte[500]);
            b.write(new byte[500]);
        }
        assertThat(ticker.slept / 1e9).isBetween(9.8, 10.01);
    }

    @Test
    void timeThatWasNotUsed_isMadeUpForByATenthOfASecond() throws IOException {
        FakeTicker ticker = new FakeTicker();
        OutputStream out =
                Streams.throttle(new ByteArrayOutputStream(), new RateLimit(1000, ticker));
        ticker.now += 60_000_000_000L;
        out.write(new byte[100]);
        assertThat(ticker.slept).isZero();
        out.write(new byte[100]);
        assertThat(ticker.slept).isEqualTo(100_000_000);
    }

    @Test
    void interrupt_duringAWait_endsItAndStaysSet() throws IOException {
        FakeTicker ticker = new FakeTicker();
        RateLimit limit = new RateLimit(1000, ticker);
        OutputStream out = Streams.throttle(new ByteArrayOutputStream(), limit);
        ticker.interrupts = true;
        assertThatThrownBy(() -> out.write(new byte[500]))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        ticker.interrupts = false;
        out.write(new byte[100]);
        // What was not moved is not paid for.
        assertThat(ticker.slept).isBetween(1L, 100_000_000L);
    }

    @Test
    void interrupt_onTheSystemsClock_endsTheWait() throws Exception {
        RateLimit limit = RateLimit.bytesPerSecond(1);
        OutputStream out = Streams.throttle(new ByteArrayOutputStream(), limit);
        FutureTask<@Nullable Throwable> failure =
                new FutureTask<>(() -> catchThrowable(() -> out.write(new byte[1_000_000])));
        Thread.ofVirtual().start(failure).interrupt();
        assertThat(failure.get(1, TimeUnit.MINUTES)).isInstanceOf(InterruptedIOException.class);
    }

    @Test
    void rate_outOfRange_isAnErrorThatNamesIt() {
        assertThatThrownBy(() -> RateLimit.bytesPerSecond(0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> RateLimit.bytesPerSecond((1L << 40) + 1))
                .hasMessageContaining("1099511627776");
    }
}
