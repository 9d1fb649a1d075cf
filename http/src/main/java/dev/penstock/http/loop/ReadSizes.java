package dev.penstock.http.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.RecvByteBufAllocator;

/**
 * The sizes of reads from clients' sockets. They follow what comes, up to {@link #USUAL_BYTES}; a connection on which a
 * body comes that somebody reads has larger ones, up to {@link #MOST_BYTES}, since each read costs a turn of the loop
 * and wakes the reader.
 */
@SuppressWarnings("deprecation") // Netty says so of handles, and has no other way
public final class ReadSizes implements RecvByteBufAllocator {
    /** The most bytes that are read from a client and not used yet; there may be thousands of clients. */
    static final int USUAL_BYTES = 8 * 1024;

    /** The most that are read at once of a body. */
    static final int MOST_BYTES = 64 * 1024;

    private final RecvByteBufAllocator sizes =
            new AdaptiveRecvByteBufAllocator(512, 2048, MOST_BYTES).maxMessagesPerRead(1);

    ReadSizes() {}

    /**
     * Says how many bytes may be read at once from now on. On the channel's loop.
     *
     * @param room for a body that somebody reads; 0 for none
     */
    public static void limit(Channel channel, int room) {
        if (channel.unsafe().recvBufAllocHandle() instanceof Limited limited) {
            limited.most =
                    Math.clamp(Integer.highestOneBit(Math.max(room, 1)), USUAL_BYTES, MOST_BYTES);
        }
    }

    @Override
    public Handle newHandle() {
        return new Limited(sizes.newHandle());
    }

    /** The sizes on one connection. */
    private static final class Limited extends DelegatingHandle {
        private int most = USUAL_BYTES;

        Limited(Handle sizes) {
            super(sizes);
        }

        @Override
        public int guess() {
            return Math.min(delegate().guess(), most);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return allocator.ioBuffer(guess());
        }
    }
}
