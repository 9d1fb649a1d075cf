package dev.penstock.http.http2;

import dev.penstock.http.exchange.RequestBody;
import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.message.RequestHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The body of a request on a stream of HTTP/2. The client may send {@link #WINDOW} bytes ahead, and more as the handler
 * reads.
 *
 * <p>That is the window with which every client begins. A smaller one would have to be announced, and a client that has
 * used the larger one by then is left with a negative window, which not every client can cope with. So it is not each
 * stream that is kept small while nobody reads it, but all of them together, by {@link UnreadBodies}.
 */
final class Http2Body implements RequestBody.Source {
    /** The window of a stream, with which clients begin (RFC 9113, section 6.5.2). */
    static final int WINDOW = 65_535;

    private final Http2Request request;
    private final Http2Session session;
    private final Http2Stream stream;
    private final RequestBody content;
    private final AtomicInteger taken = new AtomicInteger();
    private boolean expectsContinue;

    Http2Body(Http2Request request, Http2Session session, Http2Stream stream, Http2Head head) {
        this.request = request;
        this.session = session;
        this.stream = stream;
        expectsContinue = head.expectsContinue();
        content =
                new RequestBody(
                        session.server().settings().maxBodyBytes(),
                        this,
                        session.server().unreadBodies());
    }

    RequestBody content() {
        return content;
    }

    /** On the event loop. */
    void received(ByteBuf bytes, boolean last, RequestHeaders trailers) {
        if (content.ended()) {
            return;
        }
        if (bytes.isReadable()) {
            ByteBuf taken = bytes.retain();
            if (!content.offerIfRoom(taken)) {
                if (request.exchange().isAtRest()
                        && content.isDroppedUnlessRoom(taken.readableBytes())) {
                    request.bodyIsTooMuch();
                }
                // Dropped if that has ended the request; a handler that runs is about to read it.
                var _ = content.offer(taken);
            }
        }
        if (last) {
            content.end(trailers);
        }
    }

    @Override
    public void demand() {
        var _ = session.loop().execute(this::continueIfExpected);
    }

    private void continueIfExpected() {
        if (content.ended()) {
            return;
        }
        if (expectsContinue) {
            expectsContinue = false;
            if (!request.committed() && content.received() == 0) {
                session.writeContinue(stream);
            }
        }
    }

    @Override
    public void taken(int bytes) {
        if (bytes > 0 && taken.getAndAdd(bytes) == 0) {
            var _ = session.loop().execute(() -> session.giveBack(stream, taken.getAndSet(0)));
        }
    }
}
