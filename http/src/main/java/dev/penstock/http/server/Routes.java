package dev.penstock.http.server;

import dev.penstock.http.Admission;
import dev.penstock.http.AfterFilter;
import dev.penstock.http.ErrorHandler;
import dev.penstock.http.Exchange;
import dev.penstock.http.Filter;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.limits.Bounds;
import dev.penstock.http.route.ErrorMapping;
import dev.penstock.http.route.RouteGroup;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Routes, and the filters around them. A path consists of segments, of which {@code {name}} matches one of any text,
 * and a last {@code {name...}} one or more: {@code /api/{table}}. A segment that is written out goes before one that is
 * a parameter. HEAD is answered by the handler for GET, OPTIONS and the {@code Allow} of 405 by the routes that there
 * are.
 *
 * <p>Filters, the error handlers and the admission of a group are those of all its routes, whether these were added
 * before or after them, and of requests below its prefix that no route matches. Groups around it come first; within a
 * group, filters run in the order in which they were added. For one thread, before the server starts.
 *
 * @param <R> what these methods return, to be called on
 */
public abstract class Routes<R extends Routes<R>> {
    private final RouteGroup group;

    /** Routes below a prefix; for {@link #group} and the builder of a server. */
    Routes(RouteGroup group) {
        this.group = group;
    }

    /** This, by its own type. */
    abstract R self();

    /** Answers GET and HEAD on a path. */
    public R get(String path, Handler handler) {
        return route("GET", path, handler);
    }

    /** The same, with admission: see {@link #route(String, String, Handler, Function)}. */
    public R get(String path, Handler handler, Function<Exchange, Admission> admission) {
        return route("GET", path, handler, admission);
    }

    /** Answers POST on a path. */
    public R post(String path, Handler handler) {
        return route("POST", path, handler);
    }

    /** Answers PUT on a path. */
    public R put(String path, Handler handler) {
        return route("PUT", path, handler);
    }

    /** Answers PATCH on a path. */
    public R patch(String path, Handler handler) {
        return route("PATCH", path, handler);
    }

    /** Answers DELETE on a path. */
    public R delete(String path, Handler handler) {
        return route("DELETE", path, handler);
    }

    /** Answers a method on a path. */
    public R route(String method, String path, Handler handler) {
        group.add(method, path, handler, null);
        return self();
    }

    /**
     * The same, with admission.
     *
     * @param admission called on an event loop with the request's head; it must not block
     */
    public R route(
            String method, String path, Handler handler, Function<Exchange, Admission> admission) {
        group.add(method, path, handler, admission);
        return self();
    }

    /** Answers several methods on several paths. */
    public R route(List<String> methods, List<String> paths, Handler handler) {
        for (String path : paths) {
            for (String method : methods) {
                group.add(method, path, handler, null);
            }
        }
        return self();
    }

    /**
     * Adds routes below a prefix, with filters, error handlers and settings of their own.
     *
     * @param prefix segments, as of a path: {@code /shops/{shop}}; empty for routes that have filters in common, but no
     *     prefix
     */
    public R group(String prefix, Consumer<Group> routes) {
        routes.accept(new Group(group.below(prefix)));
        return self();
    }

    /**
     * Has a filter called before the handlers. One that answers, which is to set the status or start the body, ends the
     * chain: neither the filters behind it nor the handler are called. One that suspends the exchange has the chain go
     * on when whatever resumes it has returned, unless that answered. Called on a virtual thread, where it may block;
     * one that is {@linkplain Handler#nonBlocking non-blocking} does not take a thread where the handler takes none. A
     * request that no route answers has the filters of the group whose prefix it has, and they run before its 404 or
     * 405.
     */
    public R before(Handler filter) {
        group.before(filter);
        return self();
    }

    /** Has a filter called for each response, when its head is about to be sent. */
    public R after(AfterFilter filter) {
        group.after(filter);
        return self();
    }

    /** Adds a filter for both sides. */
    public R filter(Filter filter) {
        return before(filter).after(filter);
    }

    /**
     * Answers requests whose filter or handler has thrown an exception of a type. Of several that fit, the one of the
     * innermost group counts, and within a group the one of the most specific type. A path without a route, and a
     * method that its path does not answer, are {@link HttpException}s with status 404 and 405. Not asked about what
     * the server refuses before any filter: 413 by {@code Content-Length}, 429, and 503 of an admission.
     *
     * @throws IllegalArgumentException if the group has one for that type
     */
    public <E extends Throwable> R onError(Class<E> type, ErrorHandler<? super E> handler) {
        group.onError(type, handler);
        return self();
    }

    /**
     * Answers requests whose filter or handler, or the stage that they wait for, has failed by an exception of a type,
     * as if they had thrown the {@link HttpException} that it becomes here: with a problem document, or by an error
     * handler for that. Such as a full queue that becomes 503 with {@code Retry-After}: {@link
     * HttpException#unavailable}. No thread is made for it, and nothing is logged, unless the {@code HttpException} has
     * status 500 and a cause. Counts as the error handler for the type: see {@link #onError}.
     *
     * @param error called on an event loop or the handler's thread; it must not block. What it throws itself is
     *     answered with 500
     * @throws IllegalArgumentException if the group has an error handler for that type
     */
    public <E extends Throwable> R mapError(
            Class<E> type, Function<? super E, HttpException> error) {
        group.onError(type, new ErrorMapping<E>(error));
        return self();
    }

    /** Routes below a prefix, with settings of their own. */
    public static final class Group extends Routes<Group> {
        private final RouteGroup group;

        private Group(RouteGroup group) {
            super(group);
            this.group = group;
        }

        @Override
        Group self() {
            return this;
        }

        /** What admits requests to its routes that have no admission of their own. That around the group unless set. */
        public Group admission(Admission admission) {
            group.admission(_ -> admission);
            return this;
        }

        /**
         * The same, by the request.
         *
         * @param admission called on an event loop with the request's head; it must not block
         */
        public Group admission(Function<Exchange, Admission> admission) {
            group.admission(admission);
            return this;
        }

        /** The largest body of its requests, in bytes; beyond it 413. That around the group unless set. */
        public Group maxBody(long bytes) {
            group.maxBody(Bounds.within("maxBody", bytes, 0, Long.MAX_VALUE));
            return this;
        }
    }
}
