package dev.penstock.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A client that asks for one thing after the other, by whatever protocol. For one thread. */
public interface TestClient extends AutoCloseable {
    /** Sends a request without a body; headers are names and values in turn. */
    TestClient send(String method, String path, String... headers) throws IOException;

    /** The same with a body, whose length is told. */
    TestClient send(String method, String path, byte[] content, String... headers)
            throws IOException;

    /** Begins a request whose body comes in parts. */
    TestClient begin(String method, String path, String... headers) throws IOException;

    /** Sends a part of the body, as soon as there is room for it. */
    TestClient part(byte[] bytes) throws IOException;

    /** Ends the body; trailers are names and values in turn. */
    TestClient end(String... trailers) throws IOException;

    /** Sends the last part, and ends the body. */
    default TestClient last(byte[] bytes) throws IOException {
        return part(bytes).end();
    }

    /** What has come behind the body of the latest response, each as name, colon and value. */
    List<String> trailers();

    default TestClient get(String path, String... headers) throws IOException {
        return send("GET", path, headers);
    }

    /** Does what the protocol demands of a client in time, so that nothing need be read for a while. */
    default TestClient settle() throws IOException {
        return this;
    }

    /** The whole response to the latest request, or what comes before it. */
    RawClient.Reply reply() throws IOException;

    /** Its head. */
    RawClient.Reply head() throws IOException;

    /** The body of the response whose head was read; fails where the response is broken. */
    InputStream body();

    /** Gives the latest request up: its connection, or its stream. */
    void cancel() throws IOException;

    /** Waits for the server to end the connection, and says whether that is a clean end. */
    boolean endsCleanly() throws IOException;

    /** Goes away. */
    void leave() throws IOException;

    @Override
    default void close() throws IOException {
        leave();
    }
}
