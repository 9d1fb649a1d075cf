package dev.penstock.http.container;

import dev.penstock.http.exchange.RequestBody;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.TrailerNames;
import io.netty.buffer.Unpooled;
import java.io.IOException;

/**
 * A reader of the body of a request that has come to another server. On a loop.
 *
 * @param host the request
 */
record ContainerBodyReader(ContainerRequest host) {
    private static final int STEP = 16 * 1024;

    /** Reads what is there, as far as there is room. */
    void readInto(RequestBody body) throws IOException {
        while (!body.ended() && !body.full() && host.canRead()) {
            byte[] bytes = new byte[STEP];
            int count = host.read(bytes);
            if (count < 0) {
                end(body);
            } else if (!body.offer(Unpooled.wrappedBuffer(bytes, 0, count))) {
                return;
            }
        }
    }

    /** Ends the body, with its trailers. The other server has read them, perhaps generously. */
    void end(RequestBody body) {
        RequestHeaders.Packer trailers = new RequestHeaders.Packer(0);
        host.trailers()
                .forEach((name, value) -> {
                    if (TrailerNames.isAllowedInRequest(name)) {
                        trailers.add(name, value);
                    }
                });
        body.end(trailers.pack());
    }
}
