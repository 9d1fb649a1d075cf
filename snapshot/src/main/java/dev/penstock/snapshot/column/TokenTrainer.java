package dev.penstock.snapshot.column;

import dev.penstock.snapshot.memory.ByteStringsBuilder;
import dev.penstock.snapshot.memory.SeededHash;
import java.util.Arrays;

/**
 * A learner of tokens from a sample. Texts are cut into the longest tokens known so far; where the same two have met
 * often enough, they become one token more. So frequent words and phrases grow out of single bytes in one pass.
 */
final class TokenTrainer {
    private static final int SLOT_BITS = 19;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final int FULL = SLOTS / 4 * 3;

    private final SeededHash hash = SeededHash.random();
    private final TokenMatcher tokens = new TokenMatcher();
    private final int often;

    /** In each slot two codes, and below them how often they met; 0 where it is free. */
    private final long[] pairs = new long[SLOTS];

    private int used;

    /**
     * @param sampleBytes how large the sample is, of which it depends what is often
     */
    private TokenTrainer(long sampleBytes) {
        long mebibytes = Math.max(sampleBytes >> 20, 1);
        often = Math.max(2, Long.SIZE - Long.numberOfLeadingZeros(mebibytes));
    }

    /** Returns the tokens of these texts. */
    static TokenMatcher of(ByteStringsBuilder sample) {
        TokenTrainer training = new TokenTrainer(sample.total());
        for (int i = 0; i < sample.size() && training.tokens.hasRoom(2); i++) {
            training.learn(sample.read(i, Tokens.LONGEST), sample.length(i));
        }
        return training.tokens;
    }

    private void learn(byte[] text, int length) {
        int before = -1;
        int at = 0;
        while (at < length) {
            int code = tokens.longest(text, at, length - at);
            int own = tokens.length(code);
            int both = before < 0 ? Integer.MAX_VALUE : tokens.length(before) + own;
            if (tokens.hasRoom(both) && meet(before, code)) {
                int merged = tokens.add(text, at + own - both, both);
                code = merged < 0 ? code : merged;
            }
            before = code;
            at += own;
        }
    }

    /** Counts that two tokens met; tells whether that is often enough now. */
    private boolean meet(int one, int other) {
        long key = (((long) one << Short.SIZE) | other) << Short.SIZE;
        int slot = (int) (hash.of(key) >>> (Long.SIZE - SLOT_BITS));
        while (pairs[slot] != 0 && (pairs[slot] & (-1L << Short.SIZE)) != key) {
            slot = (slot + 1) & (SLOTS - 1);
        }
        if (pairs[slot] == 0) {
            if (used == FULL) {
                // Most have met once and never again.
                Arrays.fill(pairs, 0);
                used = 0;
            }
            used++;
            pairs[slot] = key + 1;
            return false;
        }
        if ((pairs[slot] & 0xFFFF) == 0xFFFF) {
            return false;
        }
        pairs[slot]++;
        return (pairs[slot] & 0xFFFF) == often;
    }
}
