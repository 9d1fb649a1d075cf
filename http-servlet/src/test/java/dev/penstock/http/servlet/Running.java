package dev.penstock.http.servlet;

import dev.penstock.http.server.Server;
import java.util.function.Supplier;

/** Handlers that run somewhere. */
class Running {
    private final int port;
    private final String prefix;
    private final Supplier<Server> server;
    private final Stop stop;

    /** Ends something. */
    @FunctionalInterface
    interface Stop {
        void run() throws Exception;
    }

    /**
     * @param prefix what stands before the paths of routes
     * @param stop ends the handlers, though perhaps not the container
     */
    Running(int port, String prefix, Supplier<Server> server, Stop stop) {
        this.port = port;
        this.prefix = prefix;
        this.server = server;
        this.stop = stop;
    }

    int port() {
        return port;
    }

    String url(String path) {
        return "http://127.0.0.1:" + port + prefix + path;
    }

    String path(String path) {
        return prefix + path;
    }

    Server server() {
        return server.get();
    }

    void stop() throws Exception {
        stop.run();
    }

    /** Ends the container too. */
    void stopAll() throws Exception {
        stop.run();
    }
}
