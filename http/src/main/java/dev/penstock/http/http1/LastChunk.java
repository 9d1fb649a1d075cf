package dev.penstock.http.http1;

import dev.penstock.http.message.RequestHeaders;
import io.netty.handler.codec.http.DefaultLastHttpContent;

/** The end of a body in chunks that has trailers. */
final class LastChunk extends DefaultLastHttpContent {
    private final RequestHeaders trailers;

    LastChunk(RequestHeaders trailers) {
        this.trailers = trailers;
    }

    RequestHeaders trailers() {
        return trailers;
    }
}
