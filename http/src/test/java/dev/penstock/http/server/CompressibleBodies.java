package dev.penstock.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/** Bodies for tests of compression: some that become smaller by it, and some that do not. */
public final class CompressibleBodies {
    /** Longer than every buffer. */
    public static final byte[] LARGE = text(700_001);

    private CompressibleBodies() {}

    /** Words and numbers. */
    public static byte[] text(int length) {
        Random random = new Random(11);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append(random.nextInt(100_000)).append(",some words,").append(random.nextInt(9));
        }
        return text.substring(0, length).getBytes(US_ASCII);
    }

    /** Bytes that no coding makes smaller. */
    public static byte[] noise(int length) {
        byte[] noise = new byte[length];
        new Random(3).nextBytes(noise);
        return noise;
    }

    /** Answers with {@link #LARGE} in pieces of many lengths, some of them flushed. */
    public static void writePieces(Exchange exchange) throws IOException {
        try (ResponseBody body = exchange.header("ETag", "\"a\"").body("text/csv; charset=utf-8")) {
            Random random = new Random(5);
            for (int at = 0; at < LARGE.length; ) {
                int length = Math.min(LARGE.length - at, 1 + random.nextInt(70_000));
                body.write(ByteBuffer.wrap(LARGE, at, length));
                at += length;
                if (random.nextInt(4) == 0) {
                    body.flush();
                }
            }
        }
    }
}
