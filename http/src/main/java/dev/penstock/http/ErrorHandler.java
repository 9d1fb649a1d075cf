package dev.penstock.http;

/**
 * The response to a request whose filter or handler has thrown an exception of some type.
 *
 * @param <E> the type of the exception
 */
@FunctionalInterface
public interface ErrorHandler<E extends Throwable> {
    /**
     * Answers in place of the handler. Called before anything was sent; what the handler has written is dropped, and so
     * are headers about that ({@code Content-Type}, {@code ETag} and the like), while others stay. On a virtual thread,
     * where it may block. What it throws itself is answered with a problem document. Where it answers with a status
     * from 500 on, the exception is logged as if there were no error handler; with another one, it is not.
     */
    void handle(E failure, Exchange exchange) throws Exception;
}
