package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.column.Tokens;
import dev.penstock.snapshot.memory.ByteStrings;
import dev.penstock.snapshot.memory.HeapReservation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A search for some bytes in the texts of a column that is kept in tokens, without making the texts of them. It goes
 * from token to token as the automaton of D. Knuth, J. Morris and V. Pratt ("Fast Pattern Matching in Strings", SIAM J.
 * Comput. 6, 1977) goes from byte to byte. Where no byte has matched yet, as before most tokens, the transition of a
 * token is computed when it is first met, and kept. Used by one thread.
 */
final class TextSearch {
    /** About how long it takes to look at a text. */
    static final long NANOS = 32;

    /** The most bytes that are searched for: a transition is kept in a byte. */
    private static final int LONGEST = 254;

    private final TextColumn column;
    private final ByteStrings strings;
    private final Tokens tokens;
    private final MemorySegment codes;
    private final byte[] part;

    /** The failure function: for each number of bytes that match, how many of the first bytes are the last of them. */
    private final int[] failure;

    /** The transitions from where no byte matches: for each token, one more than how many match after it, or 0. */
    private final byte[] after;

    private TextSearch(TextColumn column, Tokens tokens, byte[] part) {
        this.column = column;
        this.tokens = tokens;
        this.part = part;
        strings = column.strings();
        codes = strings.bytes();
        failure = failure(part);
        after = new byte[tokens.size()];
    }

    /** Returns whether texts of a column are searched for some bytes in this way. */
    static boolean isFor(TextColumn column, byte[] part) {
        return column.tokens() != null && part.length > 0 && part.length <= LONGEST;
    }

    /**
     * Makes one.
     *
     * @param part which {@link #isFor} lets pass
     * @param heap of the query, of which it takes a byte a token
     */
    static TextSearch of(TextColumn column, byte[] part, HeapReservation heap) {
        Tokens tokens = column.tokens();
        if (tokens == null) {
            throw new IllegalArgumentException(column.column().name() + " has no tokens");
        }
        heap.take(tokens.size());
        return new TextSearch(column, tokens, part);
    }

    private static int[] failure(byte[] part) {
        int[] failure = new int[part.length + 1];
        int length = 0;
        for (int i = 1; i < part.length; i++) {
            while (length > 0 && part[i] != part[length]) {
                length = failure[length];
            }
            if (part[i] == part[length]) {
                length++;
            }
            failure[i + 1] = length;
        }
        return failure;
    }

    /** Returns whether a row has a text with the bytes in it; NULL has none. */
    boolean isIn(int row) {
        if (column.isNull(row)) {
            return false;
        }
        long end = strings.start(row + 1);
        int matching = 0;
        for (long at = strings.start(row); at < end; at += Tokens.CODE) {
            int code = Short.toUnsignedInt(codes.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
            if (matching == 0) {
                int known = Byte.toUnsignedInt(after[code]);
                matching = known == 0 ? learned(code) : known - 1;
            } else {
                matching = matchingAfter(matching, code);
            }
            if (matching == part.length) {
                return true;
            }
        }
        return false;
    }

    private int learned(int code) {
        int matching = matchingAfter(0, code);
        after[code] = (byte) (matching + 1);
        return matching;
    }

    /** Returns how many of the bytes match after a token, before which so many did; all of them once they are found. */
    private int matchingAfter(int before, int code) {
        MemorySegment bytes = tokens.bytes();
        long start = (long) code * Tokens.LONGEST;
        long end = start + tokens.lengths().get(ValueLayout.JAVA_BYTE, code);
        int matching = before;
        for (long at = start; at < end && matching < part.length; at++) {
            byte next = bytes.get(ValueLayout.JAVA_BYTE, at);
            while (matching > 0 && part[matching] != next) {
                matching = failure[matching];
            }
            if (part[matching] == next) {
                matching++;
            }
        }
        return matching;
    }
}
