package dev.penstock.http.server;

import dev.penstock.http.ResponseBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;

/** Bodies that tests send and read. */
public final class Bodies {
    private Bodies() {}

    public static byte[] readAll(ReadableByteChannel body) throws IOException {
        return Channels.newInputStream(body).readAllBytes();
    }

    /** Writes until the client goes. */
    public static void endless(ResponseBody body) throws IOException {
        byte[] block = new byte[8192];
        while (true) {
            body.write(ByteBuffer.wrap(block));
        }
    }
}
