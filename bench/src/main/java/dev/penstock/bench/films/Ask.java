package dev.penstock.bench.films;

/** A question that is ready to be asked again and again, by one thread. */
sealed interface Ask {
    /** Returns the answer. Its text is the same for all that are asked. */
    Object answer() throws Exception;

    /** A question for a number, which is asked without making an object of it. */
    non-sealed interface Numeric extends Ask {
        long number() throws Exception;

        @Override
        default Object answer() throws Exception {
            return number();
        }
    }

    /** A question for anything else. */
    non-sealed interface Any extends Ask {}

    /** Gives a lambda its type. */
    static Ask number(Numeric ask) {
        return ask;
    }

    /** Gives a lambda its type. */
    static Ask any(Any ask) {
        return ask;
    }
}
