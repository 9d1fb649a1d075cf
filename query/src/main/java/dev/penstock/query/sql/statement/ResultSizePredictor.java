package dev.penstock.query.sql.statement;

/**
 * A predictor of whether the next result of a template is small, by those before it. Each wrong guess makes
 * it take twice as many to guess again. Thread-safe; a race between two answers costs a guess.
 */
public final class ResultSizePredictor {
    private static final int MAX_NEEDED = 1024;

    private volatile int shortOnes;
    private volatile int needed = 1;

    public boolean isLikelyShort() {
        return shortOnes >= needed;
    }

    /** An answer came to its end, or beyond what is short. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public void was(boolean isShort) {
        if (!isShort) {
            shortOnes = 0;
        } else if (shortOnes < needed) {
            shortOnes++;
        }
    }

    /** An answer was guessed to be short and was not. */
    public void wasWrong() {
        shortOnes = 0;
        needed = Math.min(needed * 2, MAX_NEEDED);
    }
}
