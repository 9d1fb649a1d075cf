package dev.penstock.documents.store;

import java.io.IOException;
import java.io.InputStream;

/** The JSON of a document that is held in pieces, of which one at a time is in memory. */
public abstract class PieceInput extends InputStream {
    /** The bytes of one piece. */
    public static final int PIECE_BYTES = 1 << 20;

    private final int pieces;
    private int read;
    private byte[] piece = {};
    private int position;

    /**
     * @param pieces how many pieces there are
     */
    public PieceInput(int pieces) {
        this.pieces = pieces;
    }

    /** Reads a piece. */
    public abstract byte[] piece(int number) throws IOException;

    /** The failure to read a document whose pieces are not there any more. */
    public static final class GoneException extends IOException {
        private static final long serialVersionUID = 1;

        private GoneException(String id) {
            super(
                    "the document "
                            + id
                            + " was replaced or deleted while it was read; read it again");
        }
    }

    public static GoneException gone(String id) {
        return new GoneException(id);
    }

    private boolean ended() throws IOException {
        while (position == piece.length) {
            if (read == pieces) {
                return true;
            }
            piece = piece(read);
            position = 0;
            read++;
        }
        return false;
    }

    @Override
    public int read() throws IOException {
        return ended() ? -1 : piece[position++] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (ended()) {
            return -1;
        }
        int count = Math.min(length, piece.length - position);
        System.arraycopy(piece, position, bytes, from, count);
        position += count;
        return count;
    }
}
