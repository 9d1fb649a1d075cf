package dev.penstock.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;

/** Bodies that tests send and read. */
public final class Bodies {
    private Bodies() {}

    static byte[] readAll(ReadableByteChannel body) throws IOException {
        return Channels.newInputStream(body).readAllBytes();
    }

    /** Writes until the client goes. */
    static void endless(ResponseBody body) throws IOException {
        byte[] block = new byte[8192];
        while (true) {
            body.write(ByteBuffer.wrap(block));
        }
    }
}
