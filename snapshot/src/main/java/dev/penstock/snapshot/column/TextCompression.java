package dev.penstock.snapshot.column;

import dev.penstock.snapshot.memory.ByteStringsBuilder;
import dev.penstock.snapshot.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The compression of a column's texts, which is known once there are enough of them: the same for all who load it.
 * Thread-safe.
 */
public final class TextCompression {
    /**
     * Bytes of texts from which is learned.
     */
    public static final int SAMPLE = 1 << 20;

    /**
     * What is saved of the sample at the least: a fifth.
     */
    private static final double WORTH = 0.8;

    private final Memory memory;
    private @Nullable Encoder encoder;
    private boolean known;

    /**
     * @param memory where the tokens are kept
     */
    public TextCompression(Memory memory) {
        this.memory = memory;
    }

    /**
     * An encoder of texts as tokens.
     */
    public record Encoder(Tokens tokens, TokenMatcher matcher) {
        /**
         * In the machine's order, as they are read.
         */
        private static final VarHandle CODE =
                MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

        /**
         * Writes the codes of a text, which has sixteen bytes more than it ends; gives how many bytes that are.
         */
        public int encode(byte[] text, int length, byte[] to) {
            int at = 0;
            int written = 0;
            while (at < length) {
                int code = matcher.longest(text, at, length - at);
                CODE.set(to, written, (short) code);
                written += Tokens.CODE;
                at += matcher.length(code);
            }
            return written;
        }
    }

    /**
     * Returns how texts are encoded; null where that is not worth it. Whoever comes first gives the sample for all.
     */
    public synchronized @Nullable Encoder learned(ByteStringsBuilder sample) {
        if (!known) {
            TokenMatcher matcher = TokenTrainer.of(sample);
            if (ratio(sample, matcher) < WORTH) {
                Tokens tokens =
                        Tokens.of(memory, matcher.bytes(), matcher.lengths(), matcher.size());
                encoder = new Encoder(tokens, matcher);
            }
            known = true;
        }
        return encoder;
    }

    private static double ratio(ByteStringsBuilder sample, TokenMatcher matcher) {
        long codes = 0;
        for (int i = 0; i < sample.size(); i++) {
            int length = sample.length(i);
            byte[] text = sample.read(i, Tokens.LONGEST);
            for (int at = 0; at < length; codes++) {
                at += matcher.length(matcher.longest(text, at, length - at));
            }
        }
        return (double) codes * Tokens.CODE / Math.max(sample.total(), 1);
    }
}
