package dev.penstock.http;

/** A handler that runs on the event loop. */
record NonBlocking(Handler handler) implements Handler {
    @Override
    public void handle(Exchange exchange) throws Exception {
        handler.handle(exchange);
    }
}
