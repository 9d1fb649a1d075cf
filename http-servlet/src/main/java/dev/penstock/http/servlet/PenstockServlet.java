package dev.penstock.http.servlet;

import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Answers a servlet container's requests with the routes of a {@link ServerBuilder}. The routes are those below where
 * the servlet is mapped: mapped to {@code /api/*}, it answers {@code /api/films} with the route {@code /films}.
 *
 * <pre>{@code
 * var servlet = new PenstockServlet(Server.builder().get("/films", films).maxSuspended(1_000, ofMinutes(1)));
 * var registration = servletContext.addServlet("films", servlet);
 * registration.setAsyncSupported(true);
 * registration.addMapping("/*");
 * }</pre>
 *
 * <p>It must be registered as one that supports asynchronous requests, and so must every filter before it. Handlers run
 * on virtual threads, and a request that waits, or whose client is slow, holds no thread of the container's. The
 * builder's address, port, connections, limits of heads, times of idling and minimum rates are the container's matter;
 * all its other settings hold. {@link #init} starts, {@link #destroy} answers what waits with 503, and lets what runs
 * finish within the builder's limit.
 *
 * <p>Thread-safe.
 */
public final class PenstockServlet implements Servlet {
    private final ServerBuilder routes;
    private volatile @Nullable Server server;
    private volatile @Nullable ServletConfig config;

    /** Answers with these routes. The builder must not be changed afterwards. */
    public PenstockServlet(ServerBuilder routes) {
        this.routes = routes;
    }

    /**
     * What runs the handlers, for its figures: how many run, how many wait.
     *
     * @throws IllegalStateException if the container has not started the servlet, or has ended it
     */
    public Server server() {
        Server running = server;
        if (running == null) {
            throw new IllegalStateException(
                    "The servlet does not run: the container has not called init, or has called destroy");
        }
        return running;
    }

    @Override
    public void init(ServletConfig config) {
        this.config = config;
        server = routes.startInContainer();
    }

    @Override
    public void service(ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        if (!(request instanceof HttpServletRequest received)
                || !(response instanceof HttpServletResponse answer)) {
            throw new ServletException("Only requests of HTTP can be answered");
        }
        ServletContainerRequest.throwIfAborted(received);
        if (!request.isAsyncSupported()) {
            throw new ServletException(
                    "This servlet answers asynchronously, but it, or a filter before it,"
                            + " is not registered as one that may: call setAsyncSupported(true) on its registration");
        }
        ServletContainerRequest.begin(server(), received, answer);
    }

    @Override
    public void destroy() {
        Server running = server;
        server = null;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public @Nullable ServletConfig getServletConfig() {
        return config;
    }

    @Override
    public String getServletInfo() {
        return "Penstock";
    }
}
