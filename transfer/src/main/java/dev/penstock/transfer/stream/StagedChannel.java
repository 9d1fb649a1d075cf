package dev.penstock.transfer.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Objects;

/** A channel whose bytes go through a stage as they are read. */
final class StagedChannel implements ReadableByteChannel {
    private final ReadableByteChannel channel;
    private final Stage stage;

    StagedChannel(ReadableByteChannel channel, Stage stage) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.stage = stage;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!target.hasRemaining()) {
            return 0;
        }
        int most = stage.mayRead(target.remaining());
        int start = target.position();
        int limit = target.limit();
        int count = 0;
        try {
            count = channel.read(target.limit(start + most));
        } finally {
            target.limit(limit);
            stage.unused(most - Math.max(count, 0));
        }
        if (count > 0) {
            stage.passed(target.duplicate().flip().position(start));
        }
        return count;
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            stage.flush();
        }
    }
}
