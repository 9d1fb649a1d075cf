package dev.penstock.http.http1;

import dev.penstock.http.message.Syntax;
import io.netty.buffer.ByteBuf;

/**
 * The grammar of what may stand behind a chunk's size (RFC 9112, section 7.1.1): any number of {@code ;name}, {@code
 * ;name=token} and {@code ;name="quoted string"}, with spaces or tabs around each semicolon and equals sign. Extensions
 * mean nothing to this server; but where another server reads one in another way, the two disagree about where the
 * chunk begins.
 */
final class ChunkExtension {
    private final ByteBuf in;
    private final int end;
    private int at;

    private ChunkExtension(ByteBuf in, int from, int to) {
        this.in = in;
        this.at = from;
        this.end = to;
    }

    /** Returns whether all between the two places is extensions, or nothing. */
    static boolean isValid(ByteBuf in, int from, int to) {
        ChunkExtension extension = new ChunkExtension(in, from, to);
        while (extension.at < to) {
            if (!extension.next()) {
                return false;
            }
        }
        return true;
    }

    private boolean next() {
        skipSpace();
        if (!skip(';')) {
            return false;
        }
        skipSpace();
        if (!skipToken()) {
            return false;
        }
        int afterName = at;
        skipSpace();
        if (!skip('=')) {
            // Spaces may only stand before the next semicolon.
            at = afterName;
            return true;
        }
        skipSpace();
        return skip('"') ? skipQuoted() : skipToken();
    }

    private boolean skip(char c) {
        boolean there = at < end && in.getByte(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void skipSpace() {
        while (at < end && (in.getByte(at) == ' ' || in.getByte(at) == '\t')) {
            at++;
        }
    }

    private boolean skipToken() {
        int start = at;
        while (at < end && Syntax.isToken(in.getByte(at))) {
            at++;
        }
        return at > start;
    }

    /** The rest of a quoted string (RFC 9110, section 5.6.4); that no byte is a control character has been seen. */
    private boolean skipQuoted() {
        while (at < end) {
            byte b = in.getByte(at++);
            if (b == '"') {
                return true;
            }
            if (b == '\\' && at++ == end) {
                return false;
            }
        }
        return false;
    }
}
