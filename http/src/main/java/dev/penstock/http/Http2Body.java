package dev.penstock.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The body of a request on a stream of HTTP/2. The client may send {@link #FIRST} bytes before anybody reads, and then what
 * {@link RequestBody} holds; further room is given as the handler reads. So what lies about for nobody stays small, however
 * many streams there are, and no stream takes the room of another.
 */
final class Http2Body implements RequestBody.Source {
    /** The window of a stream that nobody reads yet. */
    static final int FIRST = 16 * 1024;

    private final Http2Request request;
    private final Http2Session session;
    private final Http2Stream stream;
    private final RequestBody content;
    private final AtomicInteger taken = new AtomicInteger();
    private boolean expectsContinue;
    private boolean widened;

    Http2Body(Http2Request request, Http2Session session, Http2Stream stream, Http2Head head) {
        this.request = request;
        this.session = session;
        this.stream = stream;
        expectsContinue = head.expectsContinue();
        content = new RequestBody(session.server().settings().maxBodyBytes(), this);
    }

    RequestBody content() {
        return content;
    }

    /** On the event loop. */
    void received(ByteBuf bytes, boolean last) {
        if (content.ended()) {
            return;
        }
        if (bytes.isReadable()) {
            var _ = content.offer(bytes.retain());
        }
        if (last) {
            content.end();
        }
    }

    @Override
    public void demand() {
        session.later(this::widen);
    }

    private void widen() {
        if (content.ended()) {
            return;
        }
        if (expectsContinue) {
            expectsContinue = false;
            if (!request.committed() && content.received() == 0) {
                session.writeContinue(stream);
            }
        }
        if (!widened) {
            widened = true;
            session.widen(stream, RequestBody.WINDOW - FIRST);
        }
    }

    @Override
    public void taken(int bytes) {
        if (bytes > 0 && taken.getAndAdd(bytes) == 0) {
            session.later(() -> session.giveBack(stream, taken.getAndSet(0)));
        }
    }
}
