package dev.penstock.http.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;

/** The decoding of bytes that come from outside: bytes that are no text of their character set are an error. */
public final class StrictText {
    private StrictText() {}

    /**
     * Decodes some bytes of an array.
     *
     * @throws CharacterCodingException if they are no text of the character set
     */
    public static String decode(byte[] bytes, int from, int length, Charset charset)
            throws CharacterCodingException {
        return charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes, from, length))
                .toString();
    }
}
