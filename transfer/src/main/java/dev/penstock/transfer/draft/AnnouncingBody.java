package dev.penstock.transfer.draft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * A request's body that does something before its first byte is read. When that is asked for, the append is under way:
 * whoever knows of the upload only from then on can end it, and it adds nothing behind the answer that they get.
 */
final class AnnouncingBody implements ReadableByteChannel {
    private final ReadableByteChannel body;
    private final Runnable announcement;
    private boolean isAnnounced;

    AnnouncingBody(ReadableByteChannel body, Runnable announcement) {
        this.body = body;
        this.announcement = announcement;
    }

    /** Does it now, unless it was done. */
    void announce() {
        if (!isAnnounced) {
            isAnnounced = true;
            announcement.run();
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        announce();
        return body.read(target);
    }

    @Override
    public boolean isOpen() {
        return body.isOpen();
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
