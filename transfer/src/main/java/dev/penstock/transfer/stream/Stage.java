package dev.penstock.transfer.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Something that is done with bytes on their way through a stream. */
interface Stage {
    /**
     * Returns how many bytes may be read next, of those that are wanted. May wait.
     *
     * @param wanted at least 1
     * @return at least 1
     */
    default int mayRead(int wanted) throws IOException {
        return wanted;
    }

    /** Returns how many bytes may be written next, of those that are there. May wait; as {@link #mayRead}. */
    default int mayWrite(int wanted) throws IOException {
        return mayRead(wanted);
    }

    /** Fewer bytes went through than might have. */
    default void unused(int bytes) {}

    /** Bytes went through. */
    void passed(ByteBuffer bytes) throws IOException;

    /** The stream is closed, or flushed. */
    default void flush() throws IOException {}
}
