package dev.penstock.bench.films;

/** A question that is ready to be asked again and again, by one thread. */
sealed interface Ask {
    /** The answer. Its text is the same for all that are asked. */
    Object answer() throws Exception;

    /** A question for a number, which is asked without making an object of it. */
    non-sealed interface Count extends Ask {
        long count() throws Exception;

        @Override
        default Object answer() throws Exception {
            return count();
        }
    }

    /** A question for anything else. */
    non-sealed interface Whole extends Ask {}
}
