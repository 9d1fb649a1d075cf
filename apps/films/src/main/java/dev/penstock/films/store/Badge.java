package dev.penstock.films.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A picture for each of the staff: a pattern of 8 by 8 squares in one colour, mirrored, as a BMP file of 16 by 16
 * pixels.
 */
final class Badge {
    private static final int SIZE = 16;
    private static final int HEADERS = 14 + 40;
    private static final int PIXELS = SIZE * SIZE * 3;

    private Badge() {}

    static byte[] of(Dice dice, long id) {
        ByteBuffer file = ByteBuffer.allocate(HEADERS + PIXELS).order(ByteOrder.LITTLE_ENDIAN);
        file.put("BM".getBytes(StandardCharsets.US_ASCII)).putInt(HEADERS + PIXELS);
        file.putInt(0).putInt(HEADERS);
        file.putInt(40).putInt(SIZE).putInt(SIZE).putShort((short) 1).putShort((short) 24);
        file.putInt(0).putInt(PIXELS).putInt(2835).putInt(2835).putInt(0).putInt(0);
        int colour = dice.below(1 << 24, id, 20);
        int pattern = dice.below(Integer.MAX_VALUE, id, 21);
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                int column = Math.min(x, SIZE - 1 - x) / 2;
                boolean inked = (pattern >>> (column + 4 * (y / 2)) % 31 & 1) == 1;
                int shown = inked ? colour : 0xF0F0F0;
                file.put((byte) shown).put((byte) (shown >> 8)).put((byte) (shown >> 16));
            }
        }
        return file.array();
    }
}
