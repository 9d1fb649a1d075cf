package dev.penstock.http.exchange;

import dev.penstock.http.AfterFilter;
import dev.penstock.http.AttributeKey;
import dev.penstock.http.ErrorHandler;
import dev.penstock.http.Handler;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.route.ErrorMapping;
import dev.penstock.http.route.FilterChain;
import dev.penstock.http.route.Router;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request and how far it has come among its filters: those before the handler, the handler, and those after it, each
 * of which is called once at the most. For one thread at a time.
 */
abstract class HandledRequest extends ReceivedRequest {
    private static final Handler[] NONE = {};

    private FilterChain filters = FilterChain.EMPTY;

    /** Filters, and behind them the handler. */
    private Handler[] steps = NONE;

    /** Whether none of them blocks. */
    private boolean nonBlocking;

    /** The next of the steps. */
    private int step;

    /** The next of the filters after the handler. */
    private int afterStep;

    /** Whether such a filter, or what goes on after its wait, runs: then it is decided how the request is answered. */
    private boolean filteringResponse;

    /** Whether filters after the handler are called in the midst of the response. */
    private boolean headLeaving;

    /** Whether no error handler is to be asked: one was, or the server itself refuses the request. */
    private boolean beyondErrorHandlers;

    /** What an error handler answers for, where the server is at fault unless that says otherwise; else null. */
    private @Nullable Throwable answeredFault;

    /** What filters and handlers keep with it; null while there is nothing. */
    private @Nullable Map<AttributeKey<?>, Object> attributes;

    HandledRequest(
            ServerContext server,
            ExchangeConnection connection,
            String method,
            RequestTarget target,
            RequestHeaders fields,
            @Nullable RequestBody body) {
        super(server, connection, method, target, fields, body);
    }

    @Override
    void routed(Router.Match match, Router.Route route) {
        super.routed(match, route);
        filters = route.filters();
        steps = route.steps();
        nonBlocking = route.isNonBlocking();
    }

    /** There is no route; these filters apply all the same. */
    void unrouted(FilterChain applied) {
        filters = applied;
    }

    /** Has a handler answer behind the filters where there is no route. */
    void handler(Handler unrouted) {
        steps = filters.steps(unrouted);
        nonBlocking = FilterChain.isNonBlocking(steps);
    }

    /** Has the handler of the route say what answers this request. */
    @SuppressWarnings("ReferenceEquality") // whether it is itself
    final void chooseHandler() {
        Handler last = steps[steps.length - 1];
        Handler chosen = last.forRequest(this);
        if (chosen != last) {
            steps = steps.clone();
            steps[steps.length - 1] = chosen;
            nonBlocking = FilterChain.isNonBlocking(steps);
        }
    }

    /** Returns whether there is a step that has not begun. */
    final boolean hasNextStep() {
        return step < steps.length;
    }

    /** The next filter, or the handler. */
    final Handler nextStep() {
        return steps[step++];
    }

    /** Leaves out the steps that have not begun, since the request is answered otherwise. */
    final void skipSteps() {
        step = steps.length;
        filteringResponse = false;
    }

    /** Returns whether no step blocks. */
    final boolean isNonBlocking() {
        return nonBlocking;
    }

    /** The failure that is answered in place of one that a group maps to an error, or else itself. */
    final Throwable mapped(Throwable failure) {
        return !beyondErrorHandlers
                        && filters.errorHandler(failure) instanceof ErrorMapping<Throwable> mapping
                ? mapping.of(failure)
                : failure;
    }

    /** What answers a failure, if anything; asked once. */
    final @Nullable ErrorHandler<Throwable> errorHandler(Throwable failure) {
        if (beyondErrorHandlers) {
            return null;
        }
        beyondErrorHandlers = true;
        return filters.errorHandler(failure);
    }

    /** An error handler answers for it: what the log is told unless that says otherwise; null for nothing. */
    final void answeredFault(@Nullable Throwable fault) {
        answeredFault = fault;
    }

    /** What the log is still to be told; asked once. */
    final @Nullable Throwable takeAnsweredFault() {
        Throwable fault = answeredFault;
        answeredFault = null;
        return fault;
    }

    /** The server itself refuses it: nobody is asked. */
    final void refused() {
        beyondErrorHandlers = true;
        skipSteps();
    }

    /** Returns whether there is a filter after the handler that has not been called. */
    final boolean hasNextAfter() {
        return afterStep < filters.after().size();
    }

    /** The next filter after the handler. */
    final AfterFilter nextAfter() {
        filteringResponse = true;
        return filters.after().get(afterStep++);
    }

    final boolean isFilteringResponse() {
        return filteringResponse;
    }

    /** All filters after the handler have returned. */
    final void filteredResponse() {
        filteringResponse = false;
    }

    /** Such filters are called, or no longer, while the handler that has the head sent is not done. */
    final void headLeaving(boolean leaving) {
        headLeaving = leaving;
    }

    final boolean isHeadLeaving() {
        return headLeaving;
    }

    final void checkUndecided() {
        if (filteringResponse) {
            throw new IllegalStateException(
                    "A filter after the handler can't answer: the response is decided; it may set headers");
        }
    }

    @Override
    public final <T> Optional<T> attribute(AttributeKey<T> key) {
        Map<AttributeKey<?>, Object> kept = attributes;
        @SuppressWarnings("unchecked")
        T value = kept == null ? null : (T) kept.get(key);
        return Optional.ofNullable(value);
    }

    /** Adds it to what is kept. */
    final <T> void keep(AttributeKey<T> key, T value) {
        Map<AttributeKey<?>, Object> kept = attributes;
        if (kept == null) {
            kept = new HashMap<>(4);
            attributes = kept;
        }
        kept.put(key, value);
    }

    /** What the access log says of its attributes, by name. */
    final Map<String, String> logged() {
        Map<AttributeKey<?>, Object> kept = attributes;
        if (kept == null) {
            return Map.of();
        }
        Map<String, String> logged = new TreeMap<>();
        kept.forEach((key, value) -> {
            String text = logText(key, value);
            if (text != null) {
                logged.put(key.toString(), text);
            }
        });
        return logged;
    }

    /** The value was kept under the key, so it has its type. */
    @SuppressWarnings("unchecked")
    private static <T> @Nullable String logText(AttributeKey<T> key, Object value) {
        return key.logText((T) value);
    }
}
