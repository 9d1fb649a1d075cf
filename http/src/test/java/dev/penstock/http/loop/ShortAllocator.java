package dev.penstock.http.loop;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

/** An allocator that has no memory any more once it is told so. */
public final class ShortAllocator extends AbstractByteBufAllocator {
    private boolean isShort;

    /** Says whether there is no memory from now on. */
    public void setShort(boolean now) {
        isShort = now;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        if (isShort) {
            throw new OutOfMemoryError("of a test");
        }
        return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return newHeapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }
}
