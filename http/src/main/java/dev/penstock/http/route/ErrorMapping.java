package dev.penstock.http.route;

import dev.penstock.http.ErrorHandler;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import java.util.function.Function;

/**
 * An error handler that turns an exception into one that the server answers itself, without blocking.
 *
 * @param error must not block
 * @param <E> the type of the exception
 */
public record ErrorMapping<E extends Throwable>(Function<? super E, HttpException> error)
        implements ErrorHandler<E> {
    /** Returns the exception to answer; where there is none, since the function throws, that failure. */
    // Whatever the function throws is answered as a handler's failure is, errors included.
    @SuppressWarnings("CatchingUnchecked")
    public Throwable of(E failure) {
        try {
            return error.apply(failure);
        } catch (Throwable worse) {
            worse.addSuppressed(failure);
            return worse;
        }
    }

    @Override
    public void handle(E failure, Exchange exchange) {
        throw error.apply(failure);
    }
}
