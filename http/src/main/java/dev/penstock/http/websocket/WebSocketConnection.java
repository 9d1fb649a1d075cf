package dev.penstock.http.websocket;

import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.upgrade.Tunnel;
import dev.penstock.http.upgrade.Upgrade;
import dev.penstock.http.websocket.WebSocketSender.Phase;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket's side of its connection, or of its stream of HTTP/2, from the handshake's answer on. On the event loop,
 * save where a method says otherwise.
 *
 * <p>Frames of data go through the tunnel's transport, which bounds what is on its way. Those that answer the client,
 * and the end, are written beside it: by the loop, after all that the transport was given before. Nothing is read while
 * the listener has enough, or while what was answered has not left.
 */
final class WebSocketConnection implements Upgrade {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");
    private static final int NONE = 1005;
    private static final int GONE = 1006;
    private static final int GREATEST_CODE = 4999;
    private static final int LONGEST_REASON = 120;
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final WebSocketHandshake handshake;
    private final WebSocketSender sender;
    private final WebSocket socket;
    private final WebSocketInbox inbox;
    private final WebSocketMessages messages;
    private final WebSocketTimer timer;
    private final PendingPong pong = new PendingPong();

    private @Nullable Tunnel tunnel;
    private @Nullable WebSocketDecoder decoder;
    private boolean inputEnded;

    /** What has come makes no sense, and is dropped; what came before it is being answered. */
    private boolean broken;

    /** The client's end is about to be answered. */
    private boolean answersClose;

    private boolean told;
    private int codeSent = NONE;
    private String reasonSent = "";
    private volatile boolean endedWell;

    WebSocketConnection(
            WebSocketHandshake handshake,
            WebSocket.Options options,
            WebSocket.Listener listener,
            Long client) {
        this.handshake = handshake;
        sender = new WebSocketSender(handshake.windowBits(), this::leftUnfinished);
        socket = new WebSocket(this, sender, handshake.subprotocol());
        inbox =
                new WebSocketInbox(
                        listener,
                        options.maxMessageBytes(),
                        client,
                        this::listenerFailed,
                        () -> onLoop(this::readOn));
        messages = new WebSocketMessages(options, handshake.windowBits() > 0);
        timer = new WebSocketTimer(this, options, sender);
    }

    @Override
    public void addHeaders(ResponseHeaders headers) {
        handshake.addHeaders(headers);
    }

    /** The request's handler has returned, and the request was answered. */
    @Override
    public void open(Tunnel opened) {
        tunnel = opened;
        decoder =
                new WebSocketDecoder(
                        messages.mostInFrame(),
                        handshake.windowBits() > 0,
                        this::wantsFrame,
                        this::decoded);
        opened.transport().onRoom(sender::signal);
        sender.open(opened.loop(), opened.transport());
        inbox.add(socket, new WebSocketInbox.Opened());
        timer.begin();
        readOn();
    }

    Tunnel tunnel() {
        return Objects.requireNonNull(tunnel, "open");
    }

    /** On any thread. */
    private void onLoop(Runnable action) {
        Tunnel known = tunnel;
        if (known != null) {
            var _ = known.loop().execute(action);
        }
    }

    // Its end.

    @Override
    public boolean hasOpened() {
        return sender.phase() != Phase.NEW;
    }

    /** Announces the end. On any thread. */
    void close(int code, String reason) {
        if (sender.leave(Phase.OPEN, Phase.CLOSING)) {
            onLoop(() -> {
                writeClose(code, reason);
                timer.schedule(CLOSING_NANOS);
                readOn();
            });
        }
    }

    private void leftUnfinished() {
        close(1011, "A message was left unfinished");
    }

    private void writeClose(int code, String reason) {
        codeSent = code;
        reasonSent = reason;
        tunnel().write(Frames.close(code, reason));
    }

    @Override
    public void stop() {
        close(1001, "The server is stopping");
    }

    /** On the listener's thread. */
    private void listenerFailed(Throwable failure) {
        if (failure instanceof WebSocketMessages.Refused refused) {
            onLoop(() -> {
                broken = true;
                end(refused.code(), refused.reason());
            });
            return;
        }
        if (failure instanceof IOException && !sender.isOpen()) {
            LOGGER.log(System.Logger.Level.DEBUG, "A WebSocket's client has gone", failure);
            return;
        }
        LOGGER.log(System.Logger.Level.ERROR, "The listener of a WebSocket failed", failure);
        close(1011, "The server has failed to handle a message");
    }

    // What comes from the client.

    /** Returns whether the next frame can be dealt with; one that comes after the end is announced is dropped. */
    private boolean wantsFrame() {
        return !sender.isOpen() || (inbox.hasRoom() && !broken);
    }

    /** Returns whether what has come makes no sense, so that nothing further is read. */
    boolean isBroken() {
        return broken;
    }

    /** Returns whether the client has not been heard of since this was asked last, although it could have been. */
    boolean isSilent() {
        WebSocketDecoder known = decoder;
        return broken || (known != null && !known.heard() && inbox.hasRoom());
    }

    /** Goes on with what has come, and has more read, if that can be dealt with. */
    private void readOn() {
        if (sender.phase() == Phase.NEW || sender.phase() == Phase.CLOSED || !wantsFrame()) {
            return;
        }
        WebSocketDecoder known = decoder;
        if (known != null) {
            try {
                known.goOn(tunnel().context());
            } catch (Exception failure) {
                malformed(failure);
            }
        }
        if (!wantsFrame() || sender.phase() == Phase.CLOSED) {
            return;
        }
        if (!tunnel().holds(heldBytes())) {
            dropInput();
            var _ = tunnel().holds(0);
            refuse(1013, "Too much lies unfinished in the server: try later");
            return;
        }
        if (inputEnded) {
            if (!answersClose) {
                // Nobody closes half of a WebSocket.
                tunnel().close();
            }
        } else if (!sender.isOpen() || tunnel().isWritable()) {
            tunnel().read();
        }
    }

    @Override
    public void received(ByteBuf bytes) {
        WebSocketDecoder known = decoder;
        if (known == null) {
            bytes.release();
            return;
        }
        try {
            known.take(tunnel().context(), bytes);
        } catch (Exception failure) {
            malformed(failure);
        }
    }

    @Override
    public void receivedAll() {
        readOn();
    }

    private void malformed(Exception failure) {
        if (failure instanceof CorruptedWebSocketFrameException corrupt) {
            String reason = String.valueOf(corrupt.getMessage());
            refuse(
                    corrupt.closeStatus().code(),
                    reason.substring(0, Math.min(reason.length(), LONGEST_REASON)));
        } else {
            LOGGER.log(System.Logger.Level.DEBUG, "A WebSocket failed", failure);
            tunnel().abort();
        }
    }

    /** A frame is whole. */
    private void decoded(WebSocketFrame frame) {
        try {
            if (!broken && (sender.isOpen() || sender.phase() == Phase.CLOSING)) {
                messages.check(frame);
                take(frame);
            }
        } catch (WebSocketMessages.Refused refused) {
            refuse(refused.code(), refused.reason());
        } finally {
            frame.release();
        }
    }

    private void take(WebSocketFrame frame) throws WebSocketMessages.Refused {
        switch (frame) {
            case CloseWebSocketFrame close -> clientCloses(close);
            case PingWebSocketFrame ping -> {
                if (sender.isOpen()) {
                    pong.answer(ping.content(), tunnel());
                }
            }
            case PongWebSocketFrame _ -> {}
            default -> {
                timer.message();
                WebSocketInbox.Item item = messages.take(frame);
                if (item != null && sender.isOpen()) {
                    inbox.add(socket, item);
                }
            }
        }
    }

    private void clientCloses(CloseWebSocketFrame close) throws WebSocketMessages.Refused {
        int code = close.statusCode() < 0 ? NONE : close.statusCode();
        if (code > GREATEST_CODE) {
            throw new WebSocketMessages.Refused(1002, "There is no such code for closing");
        }
        if (sender.leave(Phase.OPEN, Phase.ENDING)) {
            answersClose = true;
            // Behind what the transport was given before.
            onLoop(() -> {
                tunnel().writeLast(Frames.close(code, ""));
                timer.schedule(CLOSING_NANOS);
            });
            tell(code, close.reasonText());
        } else if (sender.leave(Phase.CLOSING, Phase.ENDING)) {
            tell(codeSent, reasonSent);
            tunnel().close();
        }
    }

    /**
     * What has come makes no sense: nothing further is read of it. The messages that came before it are valid, so they
     * are given to the listener, which may still answer them; then the client is told ({@link #end}). It has the time
     * of a ping and its answer to take those answers.
     */
    private void refuse(int code, String reason) {
        if (broken) {
            return;
        }
        broken = true;
        if (sender.isOpen()) {
            timer.restart();
            inbox.add(socket, new WebSocketInbox.Answered(() -> onLoop(() -> end(code, reason))));
        } else {
            end(code, reason);
        }
    }

    /** Says why what has come makes no sense, and drops what still comes until the client has read that. */
    private void end(int code, String reason) {
        boolean open = sender.leave(Phase.OPEN, Phase.ENDING);
        if (!open && !sender.leave(Phase.CLOSING, Phase.ENDING)) {
            return;
        }
        tell(code, reason);
        onLoop(() -> {
            dropInput();
            if (open) {
                writeClose(code, reason);
            }
            tunnel().endOutput();
            timer.schedule(LINGER_NANOS);
            readOn();
        });
    }

    private long heldBytes() {
        WebSocketDecoder known = decoder;
        return messages.heldBytes() + (known == null ? 0 : known.heldBytes());
    }

    private void dropInput() {
        messages.drop();
        WebSocketDecoder known = decoder;
        decoder = null;
        if (known != null) {
            known.release();
        }
    }

    /** Once. */
    private void tell(int code, String reason) {
        if (!told) {
            told = true;
            inbox.add(socket, new WebSocketInbox.Closed(code, reason));
        }
    }

    @Override
    public boolean endedWell() {
        return endedWell;
    }

    @Override
    public void writabilityChanged() {
        pong.write(tunnel());
        readOn();
    }

    @Override
    public void inputEnded() {
        inputEnded = true;
        readOn();
    }

    @Override
    public void closed() {
        endedWell = told;
        sender.closed();
        tunnel().loop().wheel().remove(timer);
        pong.drop();
        dropInput();
        tell(GONE, "");
    }
}
