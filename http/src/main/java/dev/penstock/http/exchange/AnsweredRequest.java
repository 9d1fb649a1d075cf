package dev.penstock.http.exchange;

import dev.penstock.http.AttributeKey;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.json.JsonBody;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Syntax;
import dev.penstock.http.message.TrailerNames;
import dev.penstock.http.response.ContentCoding;
import dev.penstock.http.response.Response;
import dev.penstock.http.upgrade.Upgrade;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response, which is made when somebody first says something about it; or the other protocol that
 * begins instead.
 */
abstract class AnsweredRequest extends HandledRequest {
    private volatile @Nullable Response response;

    /** What its connection is to become. */
    private @Nullable Upgrade upgrade;

    AnsweredRequest(
            ServerContext server,
            ExchangeConnection connection,
            String method,
            RequestTarget target,
            RequestHeaders fields,
            @Nullable RequestBody body) {
        super(server, connection, method, target, fields, body);
    }

    /** The head of the response is about to be sent, or never will be. */
    abstract void headIsDue(int status);

    @Override
    public Exchange status(int status) {
        checkUndecided();
        response().status(status);
        return this;
    }

    @Override
    public Exchange header(String name, String value) {
        response().header(name, value);
        return this;
    }

    @Override
    public Exchange trailer(String name, Supplier<@Nullable String> value) {
        TrailerNames.checkForResponse(name);
        if (connection.takesTrailers(headers("TE"))) {
            response().trailer(name, value);
        }
        return this;
    }

    @Override
    public Exchange inform(int status, String... namesAndValues) {
        response().inform(status, List.of(namesAndValues));
        return this;
    }

    @Override
    public Exchange earlyHints(String... links) {
        response().earlyHints(List.of(links));
        return this;
    }

    @Override
    public Exchange addHeader(String name, String value) {
        response().addHeader(name, value);
        return this;
    }

    @Override
    public <T> T readJson(Class<T> type, int maxBytes) throws IOException {
        return JsonBody.read(this, server.settings().jsonMapper(), type, maxBytes);
    }

    @Override
    public void json(int status, Object value) throws IOException {
        JsonBody.write(this, server.settings().jsonMapper(), status, value);
    }

    @Override
    public <T> Exchange attribute(AttributeKey<T> key, T value) {
        keep(key, value);
        return this;
    }

    @Override
    public ResponseBody body(String mediaType) {
        checkUndecided();
        return response().start(mediaType);
    }

    @Override
    public void respond(int status, String mediaType, byte[] bytes) {
        checkUndecided();
        try {
            response().whole(status, mediaType, bytes);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Override
    public void respond(int status, String mediaType, String text) {
        respond(status, mediaType, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A response fails after its head, when no thread of a handler is there to tell. Logs it. */
    public void logBroken(IOException failure) {
        server.log().log(
                System.Logger.Level.ERROR,
                "%s %s failed in the middle of its response, which is broken off: %s"
                        .formatted(method(), Syntax.printable(path()), failure.getMessage()));
    }

    /**
     * Returns whether the connection sends a file by itself, as it is.
     *
     * @param mediaType the file's
     * @param coded whether it has a coding of its own
     */
    public boolean sendsFile(String mediaType, boolean coded) {
        return connection.sendsFiles() && (coded || !compresses(mediaType));
    }

    /** Returns whether a response of a media type without a coding is compressed, if it is long enough. */
    public boolean compresses(String mediaType) {
        return server.settings().compression()
                && ContentCoding.compressible(mediaType)
                && server.coders().name(acceptEncoding()) != null;
    }

    /** Returns whether the server compresses. */
    public boolean mayCompress() {
        return server.settings().compression();
    }

    public Response response() {
        Response made = response;
        if (made == null) {
            made =
                    new Response(
                            connection.transport(),
                            method().equals("HEAD"),
                            server.settings().compression() ? server.coders() : null,
                            this::acceptEncoding,
                            this::headIsDue);
            response = made;
        }
        return made;
    }

    /** The response, if anybody has said something about it. */
    final @Nullable Response begunResponse() {
        return response;
    }

    /** What the client was told; 0 where it was told nothing. */
    final int statusSent() {
        Response made = response;
        if (made != null && made.committed()) {
            return made.status();
        }
        return upgrade != null && upgrade.hasOpened() ? connection.upgradeStatus() : 0;
    }

    /** Ends it without a response, or in the middle of one. */
    final void breakOff() {
        Response made = response;
        if (made == null) {
            connection.reset();
        } else {
            made.breakOff();
        }
    }

    // Another protocol.

    /** Has it become another protocol's when its handler has returned. */
    final void upgradesTo(Upgrade protocol) {
        upgrade = protocol;
    }

    /** Refuses to end a CONNECT well where no other protocol begins. */
    final void checkStatus(int status) {
        if (status / 100 == 2 && upgrade == null && connection.isConnect()) {
            // The client would take it for the beginning of what it asked for.
            throw new HttpException(501, "This path answers no WebSocket: ask for it by GET");
        }
    }

    /** Has the other protocol begin, with the headers that filters and the handler have set; false if there is none. */
    final boolean beginUpgrade() {
        Upgrade protocol = upgrade;
        if (protocol == null) {
            return false;
        }
        headIsDue(connection.upgradeStatus());
        Response made = response;
        response = null;
        ResponseHeaders headers = made == null ? new ResponseHeaders() : made.headers();
        protocol.addHeaders(headers);
        connection.upgrade(protocol, headers);
        return true;
    }
}
