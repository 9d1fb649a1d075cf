package dev.penstock.http.exchange;

import dev.penstock.http.Exchange;
import dev.penstock.http.FinishedRequest;
import dev.penstock.http.RequestObserver;
import dev.penstock.http.RequestObserver.Observation;
import dev.penstock.http.RequestObserver.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request as its observers follow it. What one of them throws is logged, and harms nobody else. */
final class ObservedRequest {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");

    /** Those of the observers, the outermost first. */
    private final List<Observation> observations;

    private ObservedRequest(List<Observation> observations) {
        this.observations = observations;
    }

    /** Has each observer begin; null where nobody follows the request. */
    static @Nullable ObservedRequest begin(List<RequestObserver> observers, Exchange exchange) {
        if (observers.isEmpty()) {
            return null;
        }
        List<Observation> begun = new ArrayList<>(observers.size());
        for (RequestObserver observer : observers) {
            guarded(observer, each -> begun.add(each.begin(exchange)));
        }
        return new ObservedRequest(begun);
    }

    /** Its code is about to run on this thread, until what is returned is {@linkplain #leave left}. */
    List<Scope> enter() {
        List<Scope> scopes = new ArrayList<>(observations.size());
        for (Observation observation : observations) {
            guarded(observation, each -> scopes.add(each.enter()));
        }
        return scopes;
    }

    /** Its code has returned. */
    static void leave(List<Scope> scopes) {
        for (Scope scope : scopes.reversed()) {
            guarded(scope, Scope::close);
        }
    }

    void failed(Throwable failure) {
        observations.forEach(each -> guarded(each, known -> known.failed(failure)));
    }

    void finished(FinishedRequest request) {
        observations.reversed().forEach(each -> guarded(each, known -> known.finished(request)));
    }

    // Whatever an observer throws must not keep the response from the client.
    @SuppressWarnings("CatchingUnchecked")
    private static <T> void guarded(T observer, Consumer<T> call) {
        try {
            call.accept(observer);
        } catch (Throwable failure) {
            LOGGER.log(System.Logger.Level.WARNING, "An observer of requests failed", failure);
        }
    }
}
