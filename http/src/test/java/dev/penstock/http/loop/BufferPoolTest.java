package dev.penstock.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultEventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Buffers of the pool that the caches of loops keep. */
final class BufferPoolTest {
    private static final int CHUNK = 256 * 1024;
    private static final int PIECE = 32 * 1024;

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final BufferPool pool = new BufferPool(1, () -> {});

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Uses a whole chunk, and gives it back. */
    private static void useChunk(BufferPool pool) {
        List<ByteBuf> all = new ArrayList<>();
        for (int i = 0; i < CHUNK / PIECE; i++) {
            all.add(pool.directBuffer(PIECE));
        }
        all.forEach(ByteBuf::release);
    }

    @Test
    void buffers_thatACacheKeeps_areGivenBackWhenAskedFor() throws Exception {
        loop.submit(() -> useChunk(pool)).get(60, TimeUnit.SECONDS);
        assertThat(pool.metric().usedDirectMemory()).isEqualTo(CHUNK);
        loop.submit(pool::giveBackUnused).get(60, TimeUnit.SECONDS);
        assertThat(pool.metric().usedDirectMemory()).isZero();
    }
}
