package dev.penstock.http.servlet;

import dev.penstock.http.container.ContainerEvents;
import dev.penstock.http.container.ContainerRequest;
import dev.penstock.http.server.Server;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request of a servlet container, read and written without blocking.
 *
 * <p>What is done with the container's objects is done under a lock, and not after the request is over: the container
 * gives them to other requests then. Nothing under the lock waits for the client, nor for another lock: what could is
 * done outside, and the end waits for it.
 *
 * <p>A response can be broken off in one way that the specification knows: by an exception from the servlet, after some
 * of the response has left. So {@link #abort} has the container call the servlet again, which then throws.
 */
final class ServletContainerRequest implements ContainerRequest, AsyncListener {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http.servlet");
    private static final String ABORTED = "dev.penstock.http.servlet.aborted";
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final AsyncContext async;
    private final ServletOutputStream out;

    /** Nothing but a head is sent, without a listener. */
    private final boolean headAlone;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private @Nullable ServletInputStream in;
    private boolean over;

    /** The container has said that nothing can be written any more. */
    private boolean unwritable;

    private boolean allWritten;

    /** The body is asked for right now. */
    private boolean starting;

    /** How it is to end when that is done. */
    private @Nullable Runnable end;

    /** Set before the container can call. */
    private @Nullable ContainerEvents events;

    private ServletContainerRequest(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        this.request = request;
        this.response = response;
        out = response.getOutputStream();
        headAlone = isHeadOfTomcat(request);
        async = request.startAsync(request, response);
        async.setTimeout(0);
    }

    /** Has a request answered; on the container's thread, which is free afterwards. */
    static void begin(Server server, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ServletContainerRequest begun = new ServletContainerRequest(request, response);
        begun.events = server.accept(begun);
        try {
            begun.async.addListener(begun);
            if (begun.headAlone) {
                begun.events().writable();
            } else {
                begun.out.setWriteListener(begun.new Writing());
            }
        } catch (RuntimeException failure) {
            // A filter's response that can't be written to without blocking, say: the container
            // answers for it.
            begun.end(() -> begun.events().gone(failure));
            throw failure;
        }
    }

    /**
     * Returns whether it is a HEAD that has come to Tomcat over HTTP/2. Tomcat 11 calls no listener of such a response
     * before it has ended the stream, without the head, so that the client never gets an answer. It needs none: a head
     * is written by Tomcat at once in any case.
     */
    private static boolean isHeadOfTomcat(HttpServletRequest request) {
        return request.getMethod().equals("HEAD")
                && !isHttp1(request)
                && request.getServletContext().getServerInfo().startsWith("Apache Tomcat");
    }

    private static boolean isHttp1(HttpServletRequest request) {
        return request.getProtocol().startsWith("HTTP/1.");
    }

    /** The second half of {@link #abort}. */
    static void throwIfAborted(HttpServletRequest request) throws ServletException {
        if (request.getAttribute(ABORTED) != null) {
            throw new Aborted();
        }
    }

    private ContainerEvents events() {
        return Objects.requireNonNull(events, "begun");
    }

    // The head of the request.

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String target() {
        String query = request.getQueryString();
        return query == null ? request.getRequestURI() : request.getRequestURI() + "?" + query;
    }

    @Override
    public int applicationBelow() {
        return segments(request.getContextPath());
    }

    @Override
    public String mappedPath() {
        String rest = request.getPathInfo();
        String path = rest == null ? request.getServletPath() : request.getServletPath() + rest;
        return path.isEmpty() ? "/" : path;
    }

    @Override
    public int mountedBelow() {
        boolean mounted = request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH;
        return applicationBelow() + (mounted ? segments(request.getServletPath()) : 0);
    }

    private static int segments(String path) {
        return (int) path.chars().filter(c -> c == '/').count();
    }

    @Override
    public Iterable<Map.Entry<String, String>> headers() {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            for (String value : Collections.list(request.getHeaders(name))) {
                all.add(new SimpleImmutableEntry<>(name, value));
            }
        }
        return all;
    }

    @Override
    public boolean isSecure() {
        return request.isSecure();
    }

    /** As Jakarta Servlet has it, section 3.9. */
    @Override
    public List<X509Certificate> clientCertificates() {
        return request.getAttribute("jakarta.servlet.request.X509Certificate")
                        instanceof X509Certificate[] chain
                ? List.of(chain)
                : List.of();
    }

    /** Tomcat has none where the client has gone meanwhile. */
    @Override
    public String remoteAddress() {
        return Objects.requireNonNullElse(request.getRemoteAddr(), "unknown");
    }

    @Override
    public long bodyLength() {
        long told = request.getContentLengthLong();
        boolean framed = !isHttp1(request) || request.getHeader("Transfer-Encoding") != null;
        return told < 0 && !framed ? 0 : told;
    }

    // Its body.

    /** Not under the lock: Tomcat takes its socket's here, under which it also says that there is room to write. */
    @Override
    public void startReading() throws IOException {
        lock.lock();
        try {
            if (over) {
                return;
            }
            starting = true;
        } finally {
            lock.unlock();
        }
        ServletInputStream stream = null;
        try {
            stream = request.getInputStream();
            stream.setReadListener(new Reading());
        } finally {
            started(stream);
        }
    }

    private void started(@Nullable ServletInputStream stream) {
        lock.lock();
        try {
            in = stream;
            starting = false;
            if (end != null) {
                end(end);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean canRead() {
        lock.lock();
        try {
            // Of what is finished, not every container tells on its own that it is.
            return !over && in != null && (in.isFinished() || in.isReady());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read(byte[] into) throws IOException {
        lock.lock();
        try {
            if (over || in == null) {
                throw new IOException("The request is over");
            }
            return in.isFinished() ? -1 : in.read(into);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Over HTTP/2 that is a matter of one stream. A filter may have read the body, as the parameters of a form are, and
     * one that wraps the request may do anything when it is asked.
     */
    @Override
    public boolean closesWhatIsUnread() {
        if (request instanceof ServletRequestWrapper || !isHttp1(request)) {
            return false;
        }
        lock.lock();
        try {
            return !over && !(in == null ? request.getInputStream() : in).isFinished();
        } catch (IOException | RuntimeException _) {
            // A filter has taken a reader.
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Map<String, String> trailers() {
        lock.lock();
        try {
            return over || !request.isTrailerFieldsReady() ? Map.of() : request.getTrailerFields();
        } finally {
            lock.unlock();
        }
    }

    // The response.

    @Override
    public boolean takesTrailers() {
        return switch (request.getProtocol()) {
            case "HTTP/0.9", "HTTP/1.0" -> false;
            case "HTTP/1.1" ->
                    Collections.list(request.getHeaders("TE")).stream()
                            .flatMap(line -> Arrays.stream(line.split(",", -1)))
                            .anyMatch(coding -> coding.strip().equalsIgnoreCase("trailers"));
            default -> true;
        };
    }

    @Override
    public void trailers(Supplier<Map<String, String>> fields) {
        lock.lock();
        try {
            if (!over) {
                response.setTrailerFields(fields);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void head(int status, Iterable<Map.Entry<String, String>> fields, long length) {
        lock.lock();
        try {
            if (over) {
                return;
            }
            response.setStatus(status);
            setHeaders(fields);
            if (length >= 0) {
                response.setContentLengthLong(length);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Replaces what filters of the container have set, but for their cookies. */
    private void setHeaders(Iterable<Map.Entry<String, String>> fields) {
        Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.add("Set-Cookie");
        for (Map.Entry<String, String> field : fields) {
            if (set.add(field.getKey())) {
                response.setHeader(field.getKey(), field.getValue());
            } else {
                response.addHeader(field.getKey(), field.getValue());
            }
        }
    }

    @Override
    public boolean canWrite() {
        lock.lock();
        try {
            return !over && (headAlone || out.isReady());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            if (!over) {
                out.write(bytes, offset, length);
            }
        } catch (IOException failure) {
            unwritable = true;
            throw failure;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void flush() throws IOException {
        lock.lock();
        try {
            if (!over) {
                out.flush();
            }
        } catch (IOException failure) {
            unwritable = true;
            throw failure;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void allWritten() {
        lock.lock();
        try {
            allWritten = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void complete() {
        end(async::complete);
    }

    @Override
    public void abort() {
        end(this::breakOff);
    }

    private void breakOff() {
        request.setAttribute(ABORTED, true);
        async.dispatch();
    }

    /**
     * The container would end what was written as if it were all, and answer with an empty 200 where nothing was. Only
     * where the client can't be written to, or has been given all, that does not matter.
     */
    @Override
    public void giveUp() {
        end(() -> {
            if (unwritable || allWritten) {
                async.complete();
            } else if (response.isCommitted()) {
                breakOff();
            } else {
                response.reset();
                response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
                async.complete();
            }
        });
    }

    private void end(Runnable how) {
        lock.lock();
        try {
            if (starting && end == null) {
                end = how;
            } else if (!starting && !over) {
                over = true;
                ended.signalAll();
                how.run();
            }
        } catch (IllegalStateException late) {
            LOGGER.log(System.Logger.Level.DEBUG, "The container has ended a request", late);
        } finally {
            lock.unlock();
        }
    }

    // What the container tells.

    /** The listener that the container tells of the response. */
    private final class Writing implements WriteListener {
        @Override
        public void onWritePossible() {
            events().writable();
        }

        @Override
        public void onError(Throwable failure) {
            lock.lock();
            try {
                unwritable = true;
            } finally {
                lock.unlock();
            }
            events().gone(failure);
        }
    }

    /** The listener that the container tells of the request's body. */
    private final class Reading implements ReadListener {
        @Override
        public void onDataAvailable() {
            events().readable();
        }

        @Override
        public void onAllDataRead() {
            events().bodyEnded();
        }

        /** The client may well be there, and wait for an answer: that the body has failed ends nothing. */
        @Override
        public void onError(Throwable failure) {
            events().bodyFailed(failure);
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        Throwable failure = event.getThrowable();
        events().gone(failure == null ? new IOException("The container has failed") : failure);
        giveUp();
    }

    /** There is no time limit of its own: the container has none left, because it stops. */
    @Override
    public void onTimeout(AsyncEvent event) {
        events().stop();
        awaitEnd();
        giveUp();
    }

    /** The container asks for the end before this returns. */
    private void awaitEnd() {
        long rest = STOP_NANOS;
        lock.lock();
        try {
            while (!over && rest > 0) {
                rest = ended.awaitNanos(rest);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        boolean early;
        lock.lock();
        try {
            early = !over;
            over = true;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
        if (early) {
            events().gone(new IOException("The container has ended the request"));
        }
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // Nothing starts it again.
    }

    /** The failure that breaks a response off. Its reason is in the log already, or the client's. */
    private static final class Aborted extends ServletException {
        private static final long serialVersionUID = 1L;

        Aborted() {
            super("The response failed after some of it was sent, so it is broken off");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
