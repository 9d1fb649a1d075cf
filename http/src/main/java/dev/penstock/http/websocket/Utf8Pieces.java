package dev.penstock.http.websocket;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Text that comes in pieces, which may end in the middle of a character. Strict. For one thread. */
final class Utf8Pieces {
    private static final int LONGEST = 4;

    private final CharsetDecoder decoder =
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final ByteBuffer rest = ByteBuffer.allocate(LONGEST).flip();

    /**
     * What can be told of the text so far and was not told before.
     *
     * @param last whether the text must end with it
     * @throws CharacterCodingException if it is no UTF-8
     */
    String decode(ByteBuffer piece, boolean last) throws CharacterCodingException {
        CharBuffer text = CharBuffer.allocate(piece.remaining() + LONGEST);
        finishCharacter(piece, text);
        if (!rest.hasRemaining()) {
            check(decoder.decode(piece, text, false));
            rest.clear().put(piece).flip();
        }
        if (last) {
            if (rest.hasRemaining()) {
                throw new CharacterCodingException();
            }
            decoder.reset();
        }
        return text.flip().toString();
    }

    /** Adds bytes one by one to those that were left over. */
    private void finishCharacter(ByteBuffer piece, CharBuffer text)
            throws CharacterCodingException {
        while (rest.hasRemaining() && piece.hasRemaining()) {
            int held = rest.remaining();
            rest.limit(held + 1).put(held, piece.get());
            check(decoder.decode(rest, text, false));
            rest.compact().flip();
        }
    }

    private static void check(CoderResult result) throws CharacterCodingException {
        if (result.isError()) {
            result.throwException();
        }
    }
}
