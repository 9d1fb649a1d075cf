package dev.penstock.documents.buffer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A growing sequence of bytes of which some are in memory and some in the temporary file. What is long moves from one
 * rope into another without being copied, so that a value costs the same at any depth.
 */
public final class Rope extends Bytes {
    private static final int FIRST = 64;
    private static final int PIECE = 65_536;
    private static final int COPIED_AT_MOST = 2_048;
    private static final int KEPT_AT_MOST = 512;
    private static final int PIECE_COST = 64;
    private static final byte[] NOTHING = {};

    private final Scratch scratch;
    private @Nullable Piece first;
    private @Nullable Piece last;
    private long size;
    private long packed;

    /** A part of a rope: bytes in memory, or a place in the temporary file. */
    private static final class Piece {
        final byte @Nullable [] bytes;
        final long offset;
        long length;
        @Nullable Piece next;

        Piece(byte @Nullable [] bytes, long offset, long length) {
            this.bytes = bytes;
            this.offset = offset;
            this.length = length;
        }
    }

    public Rope(Scratch scratch) {
        super(NOTHING);
        this.scratch = scratch;
    }

    public long size() {
        return size + length;
    }

    public long inMemory() {
        return packed + buffer.length;
    }

    @Override
    public void room(int count) {
        int wanted = length + count;
        if (length >= PIECE / 2 && wanted > buffer.length) {
            pack();
            wanted = count;
        }
        if (wanted > buffer.length) {
            int capacity = Math.max(Math.max(FIRST, wanted), Math.min(buffer.length * 2, PIECE));
            scratch.hold(capacity - buffer.length);
            buffer = Arrays.copyOf(buffer, capacity);
        }
    }

    /** Makes a piece of the bytes in the buffer. */
    private void pack() {
        if (length > 0) {
            add(new Piece(buffer, 0, length));
            packed += buffer.length;
            scratch.hold(PIECE_COST);
            size += length;
            length = 0;
            buffer = NOTHING;
        }
    }

    private void add(Piece piece) {
        Piece before = last;
        if (before == null) {
            first = piece;
        } else {
            before.next = piece;
        }
        last = piece;
    }

    @Override
    public void take(Rope rope) {
        if (rope.first == null && rope.length <= COPIED_AT_MOST) {
            put(rope.buffer, 0, rope.length);
        } else {
            trim();
            pack();
            rope.trim();
            rope.pack();
            Piece moved = rope.first;
            if (moved != null) {
                add(moved);
                last = rope.last;
            }
            size += rope.size;
            packed += rope.packed;
            rope.first = null;
            rope.last = null;
            rope.size = 0;
            rope.packed = 0;
        }
        rope.clear();
    }

    /** Gives back the unused end of the buffer. */
    private void trim() {
        if (buffer.length > length) {
            scratch.hold(length - buffer.length);
            buffer = length == 0 ? NOTHING : Arrays.copyOf(buffer, length);
        }
    }

    /** Moves everything that is in memory into the temporary file. */
    public void spill() {
        pack();
        Piece piece = first;
        packed = 0;
        first = null;
        last = null;
        while (piece != null) {
            Piece next = piece.next;
            addToFile(piece);
            piece = next;
        }
    }

    /** Adds a piece after it has moved into the file; pieces that are neighbours there become one. */
    private void addToFile(Piece piece) {
        byte[] bytes = piece.bytes;
        long offset = piece.offset;
        if (bytes != null) {
            offset = scratch.append(bytes, 0, (int) piece.length);
            scratch.hold(-bytes.length);
        }
        Piece before = last;
        if (before != null && before.offset + before.length == offset) {
            before.length += piece.length;
            scratch.hold(-PIECE_COST);
        } else {
            add(new Piece(null, offset, piece.length));
        }
    }

    /** Writes everything to the output; the rope is empty afterwards. */
    public void drainTo(Output output) {
        for (Piece piece = first; piece != null; piece = piece.next) {
            scratch.hold(-PIECE_COST);
            byte[] bytes = piece.bytes;
            if (bytes == null) {
                drain(piece, output);
            } else {
                output.put(bytes, 0, (int) piece.length);
                scratch.hold(-bytes.length);
            }
        }
        output.put(buffer, 0, length);
        first = null;
        clear();
    }

    private void drain(Piece piece, Output output) {
        byte[] copy = new byte[(int) Math.min(piece.length, 32_768)];
        long done = 0;
        while (done < piece.length) {
            int count = (int) Math.min(copy.length, piece.length - done);
            int read = scratch.read(piece.offset + done, copy, 0, count);
            if (read < 0) {
                throw new IllegalStateException("The temporary file has shrunk");
            }
            output.put(copy, 0, read);
            done += read;
        }
    }

    /** Empties the rope, which may keep a small buffer for what comes next. */
    public void clear() {
        for (Piece piece = first; piece != null; piece = piece.next) {
            byte[] bytes = piece.bytes;
            scratch.hold(-PIECE_COST - (bytes == null ? 0 : bytes.length));
        }
        first = null;
        last = null;
        packed = 0;
        size = 0;
        length = 0;
        if (buffer.length > KEPT_AT_MOST) {
            release();
        }
    }

    /** Gives back the buffer of an empty rope. */
    public void release() {
        scratch.hold(-buffer.length);
        buffer = NOTHING;
    }
}
