package dev.penstock.http;

/** Answers requests. Called on a virtual thread of its own for each request; may block. */
@FunctionalInterface
public interface Handler {
    /**
     * Answers one request. When it returns, the response is complete: a body that it left open is ended. When it throws
     * before the head of the response was sent, the client gets an error response ({@link HttpException}: what it says;
     * anything else: 500). When it throws afterwards, the connection is reset, so that no client takes half for the whole.
     */
    void handle(Exchange exchange) throws Exception;
}
