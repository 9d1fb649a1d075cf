package dev.penstock.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A request that waits without a thread: see {@link Exchange#suspend}. The wait ends exactly once, by whatever comes
 * first: a call of {@link #resume}, {@link #respond} or {@link #fail}, the time or the stage that it was told to wait
 * for, its timeout, the client's leaving, or the server's stop. Whatever comes later does nothing.
 *
 * <p>What goes on after the wait starts when the handler that suspended has returned, not before. If that handler
 * throws, the wait ends with it: its failure is the response, and nothing goes on.
 *
 * <p>Thread-safe; handlers and actions are called outside of all locks.
 */
public interface Suspension {
    /**
     * Goes on with a handler, on a new virtual thread, or on the event loop if it is {@linkplain Handler#nonBlocking
     * non-blocking}. It may suspend the exchange again. A handler on a thread counts against the admission of its
     * route, and waits in its queue if need be, where it is never refused.
     *
     * @return whether this call ended the wait; the handler then runs, unless the client leaves or the server stops
     *     before
     */
    boolean resume(Handler handler);

    /**
     * Answers at once, without a thread, with something small.
     *
     * @param body at most 32,736 bytes
     * @return whether this call ended the wait
     */
    boolean respond(int status, String mediaType, byte[] body);

    /** The same, as UTF-8. */
    boolean respond(int status, String mediaType, String body);

    /**
     * Answers with an error, as if a handler had thrown it.
     *
     * @return whether this call ended the wait
     */
    boolean fail(Throwable failure);

    /** Goes on after a time, unless the timeout comes first. Replaces what an earlier call asked for. Returns this. */
    Suspension resumeAfter(Duration wait, Handler handler);

    /**
     * Goes on when a stage ends, with its value. A stage that fails is an error response, as if a handler had thrown
     * its failure. The stage itself is left alone, whatever comes first; {@link Exchange#suspend(CompletionStage,
     * Continuation)} cancels one that is the request's own. Returns this.
     */
    <T> Suspension resumeWhen(CompletionStage<T> stage, Continuation<? super T> continuation);

    /**
     * Takes what comes of the request's body as it comes, without a thread, and goes on with a handler when all of it
     * has come. Nothing more is read until {@code chunks} has returned. A body that is malformed or too large is an
     * error response. Returns this.
     *
     * @param chunks called on the event loop; must not block. The buffer is its own only until it returns
     * @param whenComplete what goes on when all has come
     * @throws IllegalStateException if the body is taken already, or the handler has returned
     */
    Suspension onBody(Chunks chunks, Handler whenComplete);

    /** Who answers when the timeout comes: 503 with {@code Retry-After}, unless it is set. Returns this. */
    Suspension onTimeout(Handler handler);

    /**
     * Has an action called once if nobody wants what was waited for any more: the client has left, the timeout came,
     * the server stops, or the handler has thrown; at once, if that has happened already. It runs on a thread of its
     * own, or the caller's. Several actions run in their order. Returns this.
     */
    Suspension onCancel(Runnable action);

    /** Returns whether the wait goes on. */
    boolean isWaiting();

    /** A handler that goes on with a value. */
    @FunctionalInterface
    interface Continuation<T> {
        /** As {@link Handler#handle}. */
        void handle(Exchange exchange, T value) throws Exception;
    }

    /** Takes a body in pieces. */
    @FunctionalInterface
    interface Chunks {
        /** Takes one; what it throws is an error response. */
        void take(ByteBuffer chunk) throws Exception;
    }
}
