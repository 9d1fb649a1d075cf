package dev.penstock.documents.format;

import dev.penstock.documents.buffer.Bytes;
import dev.penstock.documents.buffer.Rope;
import dev.penstock.documents.buffer.Scratch;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The tokens that give the order of the nodes of one element; recorded only where it is not the default one. */
final class Order {
    private final Rope tokens;
    private boolean isRecorded;
    private @Nullable Key run;
    private long runLength;

    Order(Scratch scratch) {
        tokens = new Rope(scratch);
    }

    boolean isRecorded() {
        return isRecorded;
    }

    void begin(boolean isIndented) {
        isRecorded = true;
        if (isIndented) {
            separate();
            tokens.put('~');
        }
    }

    void node(Key key) {
        if (!isRecorded) {
            return;
        }
        nodes(key, 1);
    }

    void nodes(Key key, long count) {
        if (run == key) {
            runLength += count;
            return;
        }
        endRun();
        run = key;
        runLength = count;
    }

    private void endRun() {
        Key key = run;
        if (key == null) {
            return;
        }
        separate();
        tokens.put(key.bytes);
        if (runLength > 1) {
            tokens.put('*');
            number(runLength);
        }
        run = null;
    }

    private void separate() {
        if (tokens.size() > 0) {
            tokens.put(' ');
        }
    }

    private void number(long value) {
        tokens.put(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
    }

    /** Records white space between nodes: letters with counts, or 0 for none where there would be indentation. */
    void gap(char[] space, int length) {
        endRun();
        separate();
        tokens.put('~');
        if (length == 0) {
            tokens.put('0');
        }
        for (int i = 0; i < length; ) {
            int end = i + 1;
            while (end < length && space[end] == space[i]) {
                end++;
            }
            tokens.put(Space.letter(space[i]));
            if (end - i > 1) {
                number(end - i);
            }
            i = end;
        }
    }

    /** Writes the tokens as the content of a JSON string. */
    void writeTo(Bytes target) {
        endRun();
        target.take(tokens);
    }

    void spill(int least) {
        if (tokens.inMemory() > least) {
            tokens.spill();
        }
    }

    void clear() {
        if (isRecorded) {
            tokens.clear();
            isRecorded = false;
        }
        run = null;
    }

    void release() {
        tokens.release();
    }
}
