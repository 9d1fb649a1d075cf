package dev.penstock.http;

/**
 * A look at each response when its head is about to be sent, such as to add headers. Called once for every answer: for
 * those of handlers, for errors, and for the server's own 404, 405, 413, 429 and 503. Where a request ends without a
 * head, because the client has gone or the connection has become a WebSocket, it is called at the end, with status 0 or
 * 101. It is called as well for the answer to what can't be read as a request (such as 400, 414 and 431), or is of one
 * connection too many, if it is a filter of the server itself and not of a group. The exchange then has no headers, and
 * its method and path are {@code -}.
 */
@FunctionalInterface
public interface AfterFilter {
    /**
     * Looks at a response. It may add headers and attributes, but not answer: the status is decided. On the thread that
     * sends the head, which may be an event loop, so it must not block. It may suspend the exchange instead: the head
     * is sent when whatever resumes it has returned. It can't where there is nothing to wait with: at status 0 and 101,
     * where the handler itself has suspended the exchange in the midst of its response, and where a non-blocking
     * handler has flushed, or written more than 32 KiB. What it throws is logged, and changes nothing.
     *
     * @param status of the response; 0 if no head was sent
     */
    void after(Exchange exchange, int status) throws Exception;
}
