package dev.penstock.http;

import java.util.function.Function;

/**
 * A running HTTP server. Built with {@link #builder}; ends with {@link #close}, which takes no new requests and lets running
 * responses finish within the builder's limit.
 */
public final class Server implements AutoCloseable {
    private Server() {}

    /** A builder with the defaults that it documents: loopback, port 8080. */
    public static Builder builder() {
        return new Builder();
    }

    /** The port that the server listens on. */
    public int port() {
        throw new UnsupportedOperationException("to be built");
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("to be built");
    }

    /** Settings and routes of a server. */
    public static final class Builder {
        private Builder() {}

        /** The port to listen on; 0 takes any that is free. 8080 unless set. */
        public Builder port(int port) {
            return this;
        }

        /**
         * Answers GET and HEAD on a path.
         *
         * @param path segments, of which {@code {name}} matches one of any text: {@code /api/{table}}
         */
        public Builder get(String path, Handler handler) {
            return this;
        }

        /** The same, with admission; the function is called on an event loop with the request's head and must not block. */
        public Builder get(String path, Handler handler, Function<Exchange, Admission> admission) {
            return this;
        }

        /** Answers another method on a path. */
        public Builder route(String method, String path, Handler handler) {
            return this;
        }

        /** Binds the port and starts. */
        public Server start() {
            throw new UnsupportedOperationException("to be built");
        }
    }
}
