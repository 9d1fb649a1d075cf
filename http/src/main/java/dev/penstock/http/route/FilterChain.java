package dev.penstock.http.route;

import dev.penstock.http.AfterFilter;
import dev.penstock.http.ErrorHandler;
import dev.penstock.http.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The filters and error handlers of a request, those of outer groups first. Immutable.
 *
 * @param before in the order in which they are called
 * @param after in the order in which they are called
 * @param errorHandlers by type, for each group that has some, the innermost first
 */
public record FilterChain(
        List<Handler> before,
        List<AfterFilter> after,
        List<Map<Class<?>, ErrorHandler<?>>> errorHandlers) {
    public static final FilterChain EMPTY = new FilterChain(List.of(), List.of(), List.of());

    /** These, and behind them those of a group within. */
    FilterChain within(
            List<Handler> innerBefore,
            List<AfterFilter> innerAfter,
            Map<Class<?>, ErrorHandler<?>> innerHandlers) {
        List<Map<Class<?>, ErrorHandler<?>>> handlers = new ArrayList<>(errorHandlers);
        if (!innerHandlers.isEmpty()) {
            handlers.addFirst(Map.copyOf(innerHandlers));
        }
        return new FilterChain(
                concatenated(before, innerBefore),
                concatenated(after, innerAfter),
                List.copyOf(handlers));
    }

    private static <T> List<T> concatenated(List<T> first, List<T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return List.copyOf(all);
    }

    /** What answers a request: the filters, and a handler behind them. */
    public Handler[] steps(Handler handler) {
        Handler[] steps = before.toArray(new Handler[before.size() + 1]);
        steps[before.size()] = handler;
        return steps;
    }

    /** Returns whether none of them blocks. */
    public static boolean isNonBlocking(Handler[] steps) {
        for (Handler each : steps) {
            if (!each.isNonBlocking()) {
                return false;
            }
        }
        return true;
    }

    /** What answers an exception, if anything: of the innermost group, by the most specific type. */
    @SuppressWarnings("unchecked")
    public @Nullable ErrorHandler<Throwable> errorHandler(Throwable failure) {
        for (Map<Class<?>, ErrorHandler<?>> handlers : errorHandlers) {
            for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
                ErrorHandler<?> handler = handlers.get(type);
                if (handler != null) {
                    return (ErrorHandler<Throwable>) handler;
                }
            }
        }
        return null;
    }
}
